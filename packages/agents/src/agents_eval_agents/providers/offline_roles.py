"""What each agent does next without a model: its role follows from the tools and the answer it is offered."""

from collections.abc import Sequence
from typing import Any, Final

from pydantic import BaseModel
from pydantic_ai.messages import ModelResponsePart, ToolCallPart

from agents_eval_agents.providers.extractive.assessor import assess
from agents_eval_agents.providers.extractive.objector import object_to
from agents_eval_agents.providers.extractive.reader import read_paper
from agents_eval_agents.providers.extractive.writer import write_review
from agents_eval_agents.providers.offline_conversation import Conversation
from agents_eval_agents.providers.offline_reading import next_reading_calls, reading_of
from agents_eval_agents.providers.offline_revision import revised
from agents_eval_agents.review_team.outputs import Analysis, Critique, ResearchSummary, ReviewDraft
from agents_eval_core.errors import UsageError

Calls = Sequence[tuple[str, dict[str, Any]]]
NO_RESEARCH: Final = "Nothing was handed over about the paper."


def next_parts(talk: Conversation, offered: frozenset[str]) -> list[ModelResponsePart]:
    """Return the next tool calls of an agent, or its answer."""
    calls = _next_calls(talk, offered)
    return [ToolCallPart(tool_name=name, args=arguments) for name, arguments in calls]


def _next_calls(talk: Conversation, offered: frozenset[str]) -> Calls:
    if "give_research" in offered:
        return next_reading_calls(talk) or [_answer("give_research", reading_of(talk).summary())]
    if "give_analysis" in offered:
        return [_answer("give_analysis", assess(_handed_research(talk)))]
    if "give_critique" in offered:
        return [_answer("give_critique", _critique(talk))]
    if "give_review" in offered:
        return _manage(talk, offered) if _has_tools(offered) else [_answer("give_review", _synthesis(talk))]
    raise UsageError(
        f"model 'offline-baseline' knows only the parts of the review team; it was offered {', '.join(sorted(offered))}"
    )


def _manage(talk: Conversation, offered: frozenset[str]) -> Calls:
    """Return the manager's next step: facts, points, draft, objections, hand in."""
    if "read_section" in offered and (calls := next_reading_calls(talk)):
        return calls
    for step in (_ask_researcher, _ask_analyst, _ask_synthesizer, _ask_critic, _ask_for_revision):
        if calls := step(talk, offered):
            return calls
    return _hand_in(talk)


def _ask_researcher(talk: Conversation, offered: frozenset[str]) -> Calls:
    if not _is_due("researcher", talk, offered):
        return ()
    return [("delegate_to_researcher", {"task": "Gather what is claimed, measured and missing, each with its place."})]


def _ask_analyst(talk: Conversation, offered: frozenset[str]) -> Calls:
    if not _is_due("analyst", talk, offered):
        return ()
    task = "Weigh the facts: strengths, weaknesses, questions and suggestions, each with its place in the paper."
    return [("delegate_to_analyst", {"task": task, **_own_findings(talk)})]


def _ask_synthesizer(talk: Conversation, offered: frozenset[str]) -> Calls:
    if not _is_due("synthesizer", talk, offered):
        return ()
    own: dict[str, Any] = {} if _answered_analysis(talk) else {"analysis": _dumped(_analysis(talk))}
    findings = {} if talk.called("delegate_to_analyst") else _own_findings(talk)
    return [("delegate_to_synthesizer", {"task": "Write the review from the material.", **findings, **own})]


def _ask_critic(talk: Conversation, offered: frozenset[str]) -> Calls:
    if not _is_due("critic", talk, offered):
        return ()
    own = {} if _written_draft(talk) else {"draft": _dumped(_draft(talk))}
    return [("delegate_to_critic", {"task": "Challenge the draft before it is handed in.", **own})]


def _ask_for_revision(talk: Conversation, offered: frozenset[str]) -> Calls:
    written = sum(1 for exchange in talk.calls("delegate_to_synthesizer") if exchange.answered)
    draft = _draft(talk)
    if written != 1 or "delegate_to_synthesizer" not in offered or revised(draft, _objections(talk)) == draft:
        return ()
    return [("delegate_to_synthesizer", {"task": "Revise the draft where the objections are right."})]


def _hand_in(talk: Conversation) -> Calls:
    if _written_draft(talk):
        return [("hand_on_draft", {"reason": "It rests on the facts that were gathered."})]
    return [_answer("give_review", revised(_draft(talk), _objections(talk)))]


def _is_due(name: str, talk: Conversation, offered: frozenset[str]) -> bool:
    return f"delegate_to_{name}" in offered and not talk.called(f"delegate_to_{name}")


def _own_findings(talk: Conversation) -> dict[str, Any]:
    """Return the manager's own findings as an argument, unless the researcher's lie on the desk."""
    return {} if _answered_research(talk) else {"findings": _dumped(_research(talk))}


def _answered_research(talk: Conversation) -> ResearchSummary | None:
    return talk.answer("delegate_to_researcher", ResearchSummary)


def _answered_analysis(talk: Conversation) -> Analysis | None:
    return talk.answer("delegate_to_analyst", Analysis)


def _written_draft(talk: Conversation) -> ReviewDraft | None:
    return talk.answer("delegate_to_synthesizer", ReviewDraft)


def _research(talk: Conversation) -> ResearchSummary:
    return _answered_research(talk) or reading_of(talk).summary()


def _analysis(talk: Conversation) -> Analysis:
    return _answered_analysis(talk) or assess(_research(talk))


def _draft(talk: Conversation) -> ReviewDraft:
    return _written_draft(talk) or _review(talk, _research(talk), _analysis(talk))


def _objections(talk: Conversation) -> Critique:
    return talk.answer("delegate_to_critic", Critique) or Critique()


def _synthesis(talk: Conversation) -> ReviewDraft:
    draft, objections = talk.material("draft", ReviewDraft), talk.material("objections", Critique)
    if draft is not None and objections is not None:
        return revised(draft, objections)
    research = _handed_research(talk)
    analysis = talk.material("analysis", Analysis) or assess(research)
    return _review(talk, research, analysis)


def _critique(talk: Conversation) -> Critique:
    draft = talk.material("draft", ReviewDraft)
    return object_to(draft) if draft else Critique()


def _handed_research(talk: Conversation) -> ResearchSummary:
    handed = talk.material("research", ResearchSummary)
    if handed is not None:
        return handed
    pages = [page for item in talk.quoted("section") if (page := item.text.partition("\n\n"))[1]]
    if not pages:
        return ResearchSummary(overview=NO_RESEARCH)
    paper = reading_of(talk)
    return read_paper(paper.title, paper.abstract, [(heading, text) for heading, _, text in pages])


def _review(talk: Conversation, research: ResearchSummary, analysis: Analysis) -> ReviewDraft:
    lowest, highest = talk.scale
    return write_review(research, analysis, lowest=lowest, highest=highest)


def _has_tools(offered: frozenset[str]) -> bool:
    return any(name == "read_section" or name.startswith("delegate_to_") for name in offered)


def _answer(tool: str, value: BaseModel) -> tuple[str, dict[str, Any]]:
    return tool, _dumped(value)


def _dumped(value: BaseModel) -> dict[str, Any]:
    return value.model_dump(mode="json", exclude_defaults=True)
