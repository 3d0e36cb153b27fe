"""The agents that review a paper together: one file an agent."""
