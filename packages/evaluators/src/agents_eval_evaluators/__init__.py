"""The metrics: tier 1 text, tier 2 judge, tier 3 behaviour."""
