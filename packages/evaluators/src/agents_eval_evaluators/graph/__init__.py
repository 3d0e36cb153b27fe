"""Tier 3: what the trace shows."""
