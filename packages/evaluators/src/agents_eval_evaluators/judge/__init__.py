"""Tier 2: what a judge says."""
