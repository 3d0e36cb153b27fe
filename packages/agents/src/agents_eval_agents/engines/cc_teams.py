"""The engine `cc-teams`: Claude Code with a team of three agents."""

from agents_eval_agents.engines.claude_code.reviewer import ClaudeCodeReviewer


def cc_teams() -> ClaudeCodeReviewer:
    """Return the engine in which Claude Code leads a researcher, an analyst and a synthesizer."""
    return ClaudeCodeReviewer(
        name="cc-teams",
        composition="teams",
        task="teams",
        tools=("Read", "Grep", "Glob", "Agent", "Task", "SendMessage", "TeamCreate", "TaskOutput"),
        delegates={
            "researcher": "reads the paper and gathers facts with their places",
            "analyst": "finds strengths, weaknesses, questions and suggestions",
            "synthesizer": "writes the review from facts and points",
        },
        variables={"CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS": "1"},
    )
