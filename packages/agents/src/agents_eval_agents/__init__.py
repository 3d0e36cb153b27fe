"""The review team, its engines, providers and recorder."""
