"""Readers of trace formats: one file a format."""
