"""Tier 1: what the text of the output shows."""
