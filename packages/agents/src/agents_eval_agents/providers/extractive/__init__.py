"""The offline baseline: a reviewer that only quotes, counts and asks."""
