"""What readers build traces with."""
