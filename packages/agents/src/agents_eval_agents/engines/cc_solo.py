"""The engine `cc-solo`: Claude Code by itself."""

from dataclasses import dataclass

from agents_eval_agents.engines.claude_code.executable import claude_absence
from agents_eval_agents.engines.claude_code.reviewer import ClaudeCodeReviewer
from agents_eval_core.case import Case
from agents_eval_core.ports import EngineOptions, EngineResult
from agents_eval_core.run import System

REVIEWER = ClaudeCodeReviewer(
    engine="cc-solo", composition="solo", task="solo", tools=("Read", "Grep", "Glob"), delegates={}, variables={}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CcSoloEngine:
    """Reviews a paper with Claude Code in print mode, one agent that may only read."""

    name: str = "cc-solo"
    compositions: tuple[str, ...] = ("solo",)
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
