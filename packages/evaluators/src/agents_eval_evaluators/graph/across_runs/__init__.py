"""Metrics across several runs of one task, one in each file."""
