"""The Inspect family: archives, events and messages."""
