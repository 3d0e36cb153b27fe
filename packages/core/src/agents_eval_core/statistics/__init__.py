"""Pure functions of statistics."""
