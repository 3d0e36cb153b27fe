"""Readers of collections of papers: one file a collection."""
