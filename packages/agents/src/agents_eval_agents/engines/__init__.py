"""Ways to do a case: one file an engine."""
