"""What the agents can do with a paper."""
