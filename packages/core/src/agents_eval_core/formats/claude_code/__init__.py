"""The Claude Code family: messages, sub-agents and teams."""
