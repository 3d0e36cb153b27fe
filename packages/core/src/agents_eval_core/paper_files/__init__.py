"""Readers of papers in files of the user's own: one file a kind."""
