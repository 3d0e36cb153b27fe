"""Agents-eval."""
