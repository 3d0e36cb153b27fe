"""What a user can ask for: one file a verb."""
