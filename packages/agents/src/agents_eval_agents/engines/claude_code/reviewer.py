"""What the engines of Claude Code share: options to invocation, and a review done or made earlier."""

from collections.abc import Mapping
from dataclasses import dataclass

from agents_eval_agents.engines.claude_code.executable import claude_absence, claude_executable
from agents_eval_agents.engines.claude_code.invocation import Invocation
from agents_eval_agents.engines.claude_code.work import ClaudeCodeWork, asked_form, new_session_id
from agents_eval_agents.engines.recorded_work import desk_of, versions
from agents_eval_agents.review_team.prompt_files import Prompts
from agents_eval_core.case import Case
from agents_eval_core.errors import UnknownNameError, UsageError
from agents_eval_core.ports.engine import EngineOptions, EngineResult
from agents_eval_core.run import System

PROMPTS = "agents_eval_agents.engines.claude_code"
LEAD = "claude-code"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeCodeReviewer:
    """Claude Code under one composition: an engine.

    Attributes:
        composition: The one composition that it has.
        task: The prompt that states the task.
        tools: What it may use.
        delegates: The agents it may give work to, and what each is for.
        variables: Experimental flags.
    """

    name: str
    composition: str
    task: str
    tools: tuple[str, ...]
    delegates: Mapping[str, str]
    variables: Mapping[str, str]
    brings_its_own_model: bool = True

    @property
    def compositions(self) -> tuple[str, ...]:
        """The one composition."""
        return (self.composition,)

    def unavailable_because(self) -> str | None:
        """Return why Claude Code cannot be started, or None."""
        return claude_absence()

    def system(self, options: EngineOptions) -> System:
        """Return what will do the work.

        Raises:
            UsageError: The options do not fit, or there is no Claude Code.
        """
        self._refuse_misfits(options)
        prompts = Prompts.load(options.prompts_dir, package=PROMPTS)
        version = None if options.made_earlier is not None else claude_executable().version
        return System(
            engine=self.name,
            composition=self.composition,
            agents=(LEAD, *self.delegates),
            tools_offered=self.tools,
            provider="claude-code",
            model=options.model,
            prompts=prompts.digest,
            versions={**versions(), **({"claude-code": version} if version else {})},
        )

    async def run(self, case: Case, options: EngineOptions) -> EngineResult:
        """Review the case's paper, or take the review of a session made earlier.

        Raises:
            UsageError: The options or the case do not fit; nothing was started.
            UnreadableError: The session made earlier cannot be read.
        """
        desk = desk_of(case.for_agents(), options)
        work = ClaudeCodeWork(
            case=case, desk=desk, options=options, system=self.system(options), expects_a_team=bool(self.delegates)
        )
        if options.made_earlier is not None:
            return await work.made_earlier(options.made_earlier)
        return await work.done(self._invocation(case, options), claude_executable())

    def _invocation(self, case: Case, options: EngineOptions) -> Invocation:
        prompts = Prompts.load(options.prompts_dir, package=PROMPTS).texts
        asked = [case.prompt, options.query and f"The user asks in addition: {options.query}"]
        form = asked_form(prompts["form"], case.rating_scale)
        return Invocation(
            prompt="\n\n".join(part for part in (prompts[self.task], *asked, form) if part),
            session_id=new_session_id(),
            tools=self.tools,
            model=options.model,
            cost_usd=options.limits.cost_usd,
            agents={
                name: {"description": purpose, "prompt": prompts[name], "tools": ["Read", "Grep", "Glob"]}
                for name, purpose in self.delegates.items()
            },
            variables=self.variables,
        )

    def _refuse_misfits(self, options: EngineOptions) -> None:
        if options.composition not in (None, self.composition):
            raise UnknownNameError(
                "composition", options.composition, [self.composition], hint=f"engine {self.name} has only this one"
            )
        if options.web_search != "off":
            raise UsageError(f"engine {self.name} has no web search of ours; --web-search is for the engine mas")
        if options.critic:
            raise UsageError(f"engine {self.name} has no critic; that is for the engine mas")
