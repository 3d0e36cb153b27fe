"""Planted defects and neutral edits: each takes any real run and changes one thing about it."""
