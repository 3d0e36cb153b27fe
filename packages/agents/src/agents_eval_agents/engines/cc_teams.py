"""The engine `cc-teams`: Claude Code with a team of three agents."""

from dataclasses import dataclass

from agents_eval_agents.engines.claude_code.executable import claude_absence
from agents_eval_agents.engines.claude_code.reviewer import ClaudeCodeReviewer
from agents_eval_core.case import Case
from agents_eval_core.ports import EngineOptions, EngineResult
from agents_eval_core.run import System

REVIEWER = ClaudeCodeReviewer(
    engine="cc-teams",
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CcTeamsEngine:
    """Reviews a paper with Claude Code as the lead of a researcher, an analyst and a synthesizer."""

    name: str = "cc-teams"
    compositions: tuple[str, ...] = ("teams",)
    brings_its_own_model: bool = True

    def unavailable_because(self) -> str | None:
        """Return why Claude Code cannot be started, or None."""
        return claude_absence()

    def system(self, options: EngineOptions) -> System:
        """Return what will do the work; see the port."""
        return REVIEWER.system(options)

    async def run(self, case: Case, options: EngineOptions) -> EngineResult:
        """Review the case's paper; see the port."""
        return await REVIEWER.run(case, options)
