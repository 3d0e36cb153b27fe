"""Builders of papers, reviews, traces and runs, and one way to ask an evaluator."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agents_eval_core.case import Case
from agents_eval_core.paper import Paper, Section
from agents_eval_core.ports.evaluator import EvaluationContext, Evaluator
from agents_eval_core.review import HumanReview, Point, Rating, Review, Scale
from agents_eval_core.run import Run, System
from agents_eval_core.score import Evaluation, Score
from agents_eval_core.trace import Agent, Source, Span, Status, ToolUse, Trace

NO_JUDGE = EvaluationContext()
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
FIRST_HUMAN = """The paper proposes dropout on the attention weights of a dependency parser. The treebank experiments
are limited to English, and the biaffine baseline is missing, so the gain of 0.4 LAS is hard to judge.
Please report the variance."""
SECOND_HUMAN = """Attention dropout for parsing is a simple idea. However the comparison with a biaffine parser is
absent because only a transition baseline is used. Could the authors test other treebanks and give error bars over
seeds?"""
THIRD_HUMAN = """I like the simplicity of regularising attention in parsers. The LAS gain on the English treebank is
small; without variance over seeds and a biaffine baseline I am not convinced. The writing is clear."""
HUMANS = (FIRST_HUMAN, SECOND_HUMAN, THIRD_HUMAN)
GOOD_REVIEW = Review(
    summary="The authors apply dropout to the attention weights of a dependency parser and report LAS on a treebank.",
    strengths=(
        Point(text="Attention dropout is simple and adds no parameters to the graph parser.", anchor="Section 2"),
    ),
    weaknesses=(
        Point(text="The biaffine baseline is missing, because only a transition parser is compared.", anchor="Table 1"),
        Point(text="The LAS gain of 0.4 comes without variance over seeds, so it may be noise.", anchor="Section 3"),
    ),
    questions=(Point(text="Could the authors report the attachment score for another treebank?"),),
    suggestions=(Point(text="Please add error bars over seeds to the labelled attachment score."),),
    rating=Rating(value=5, scale=Scale(lowest=1, highest=10)),
    confidence=Rating(value=4, scale=Scale(lowest=1, highest=5)),
    recommendation="weak_reject",
)


@pytest.fixture
def paper() -> Paper:
    return Paper(
        id="p1",
        dataset="sample",
        venue="iclr_2017",
        title="Attention dropout for dependency parsers",
        abstract=(
            "We regularise the attention weights of a graph dependency parser with dropout. On an English treebank the "
            "labelled attachment score rises by 0.4 points over a transition baseline without any new parameters."
        ),
        sections=(
            Section(heading="1 Introduction", text="Parsers overfit small treebanks. We study dropout of attention."),
            Section(
                heading="2 Method", text="Each attention weight is set to zero with probability p during training."
            ),
            Section(heading="3 Results", text="Table 1 shows the labelled attachment score for three dropout rates."),
        ),
        text_source="sample",
    )


@pytest.fixture
def case(paper: Paper) -> Case:
    references = tuple(HumanReview(id=str(number), text=text) for number, text in enumerate(HUMANS))
    return Case(id="p1", dataset="sample", paper=paper, references=references, needs_tools=True)


@pytest.fixture
def good_review() -> Review:
    return GOOD_REVIEW


@pytest.fixture
def a_run(case: Case) -> Callable[..., Run]:
    def build(*, agents: Sequence[str] = ("manager",), text: str | None = None, **changes: Any) -> Run:
        system = System(engine="mas", agents=tuple(agents), **changes.pop("system", {}))
        output = {} if text is not None else {"output": GOOD_REVIEW}
        fields: dict[str, Any] = {
            "id": "r1",
            "status": "complete",
            "case": case,
            "system": system,
            "output_text": text,
            "created_at": NOON,
            **output,
        }
        return Run(**(fields | changes))

    return build


@pytest.fixture
def a_trace() -> Callable[..., Trace]:
    def build(*spans: Span, agents: Sequence[str] = (), **changes: Any) -> Trace:
        names = agents or tuple(dict.fromkeys(span.agent_id for span in spans if span.agent_id))
        numbered = tuple(_renumbered(span, place) for place, span in enumerate(spans))
        people = tuple(Agent(id=name, name=name) for name in names)
        return Trace(id="t1", source=Source(format="native"), spans=numbered, agents=people, **changes)

    return build


def _renumbered(span: Span, place: int) -> Span:
    fields: dict[str, Any] = {name: getattr(span, name) for name in span.__struct_fields__}
    fields |= {"seq": place, "id": span.id or f"s{place}"}
    return Span(**fields)


@pytest.fixture
def call() -> Callable[..., Span]:
    """Build a tool call: `call("read", {"section": 1}, "text")`."""

    def build(
        name: str,
        arguments: Any = None,
        result: str | None = "",
        status: Status = "ok",
        *,
        by: str = "manager",
        **changes: Any,
    ) -> Span:
        fields: dict[str, Any] = {
            "id": "",
            "seq": 0,
            "operation": "execute_tool",
            "name": f"execute_tool {name}",
            "agent_id": by,
            "status": status,
            "tool": ToolUse(name=name, arguments={} if arguments is None else arguments, result=result),
        }
        return Span(**(fields | changes))

    return build


@pytest.fixture
def delegate(call: Callable[..., Span]) -> Callable[..., Span]:
    """Build a delegating tool call: `delegate("researcher", "read it", "it says ...")`."""

    def build(to: str, request: str = "please help", answer: str | None = "done", **changes: Any) -> Span:
        return call(f"ask_{to}", {"request": request}, answer, to_agent_id=to, **changes)

    return build


@pytest.fixture
def timed() -> Callable[..., Span]:
    """Build a span from one second to another."""

    def build(agent: str, start: float, end: float, **changes: Any) -> Span:
        fields: dict[str, Any] = {
            "id": "",
            "seq": 0,
            "operation": "chat",
            "name": "chat",
            "agent_id": agent,
            "started_at": NOON + timedelta(seconds=start),
            "ended_at": NOON + timedelta(seconds=end),
        }
        return Span(**(fields | changes))

    return build


@pytest.fixture
def ask() -> Callable[..., Awaitable[Evaluation]]:
    """Evaluate a run, by default without a judge."""

    async def evaluate(evaluator: Evaluator, run: Run, context: EvaluationContext = NO_JUDGE) -> Evaluation:
        return await evaluator.evaluate(run, context)

    return evaluate


@pytest.fixture
def score_of(ask: Callable[..., Awaitable[Evaluation]]) -> Callable[..., Awaitable[Score]]:
    """Return the one score an evaluator gives."""

    async def evaluate(evaluator: Evaluator, run: Run, context: EvaluationContext = NO_JUDGE) -> Score:
        (score,) = (await ask(evaluator, run, context)).scores
        return score

    return evaluate
