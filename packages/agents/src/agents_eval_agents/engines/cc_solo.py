"""The engine `cc-solo`: Claude Code by itself."""

from agents_eval_agents.engines.claude_code.reviewer import ClaudeCodeReviewer


def cc_solo() -> ClaudeCodeReviewer:
    """Return the engine that reviews a paper with Claude Code in print mode: one agent, which may only read."""
    return ClaudeCodeReviewer(
        name="cc-solo", composition="solo", task="solo", tools=("Read", "Grep", "Glob"), delegates={}, variables={}
    )
