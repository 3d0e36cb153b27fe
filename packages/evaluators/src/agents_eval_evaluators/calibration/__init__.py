"""Fitted tables with their provenance."""
