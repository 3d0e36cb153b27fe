"""Claude Code as the system that reviews: how it is found, started, watched, ended, and read."""
