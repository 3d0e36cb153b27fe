"""Logs of named speakers."""
