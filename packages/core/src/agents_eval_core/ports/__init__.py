"""The shapes that plug-ins can have, and what they are handed: one file a kind."""
