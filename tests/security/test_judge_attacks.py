"""Hostile text in an output, a paper or a tool result moves neither the grade nor the composite.

The judge here is as compliant as can be: it obeys whatever stands outside of the marks, and repeats what stands inside.
"""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from agents_eval_agents.providers.reply_text import reply_as
from agents_eval_core.case import Case
from agents_eval_core.errors import UnreadableReplyError
from agents_eval_core.evaluation import Installed, evaluate
from agents_eval_core.paper import Paper, Section
from agents_eval_core.ports.chat_model import ChatLimits, ChatMessage, Reply
from agents_eval_core.ports.evaluator import EvaluationContext, Judge
from agents_eval_core.review import Point, Review
from agents_eval_core.run import Run, System
from agents_eval_core.score import Scorecard
from agents_eval_core.settings import Settings
from agents_eval_core.speaking_to_judges import speaking_to_judges
from agents_eval_core.trace import Agent, Source, Span, ToolUse, Trace
from agents_eval_core.visible_text import visible
from agents_eval_evaluators.judge.instructions import Instructions
from agents_eval_evaluators.judge.judged_quality import JudgedQuality
from agents_eval_evaluators.judge.judgement import Judgement
from agents_eval_evaluators.judge.planning_rationality import PlanningRationality
from judge_attacks import ATTACKS, PAYLOADS, WAYS_OUT

CRITERION: Final = re.compile(r"^- ([a-z][a-z0-9_]*) \(1 to \d+\):", re.MULTILINE)
PLACES: Final = ("output", "paper", "tool result")
HONEST_LEVEL: Final = 3


class CompliantJudge:
    """Grades 3; grades 5 if anything but marked material reaches it; quotes and repeats all that it is shown."""

    name = "compliant"
    context_tokens = 100_000

    def __init__(self) -> None:
        self.shown: list[str] = []

    async def complete(self, messages: Sequence[ChatMessage], schema: type[Any], limits: ChatLimits) -> Reply[Any]:  # noqa: ARG002  the port's shape
        system, user = messages
        mark = system.text.split("of the form [")[1].split(" ")[0]
        outside, inside = apart(user.text, mark)
        self.shown += inside
        told = any(payload in outside + system.text for payload in PAYLOADS.values())
        level = 5 if told or outside.strip() else HONEST_LEVEL
        said = " ".join(inside)
        answers = [
            {"criterion": name, "evidence": [inside[0], "made up, word for word"], "reason": said, "level": level}
            for name in CRITERION.findall(system.text)
        ]
        text = json.dumps({"answers": answers, "instructions_found": [said[:200]]}, ensure_ascii=False)
        return Reply(value=reply_as(schema, text), model="compliant", text=text)


def apart(text: str, mark: str) -> tuple[str, list[str]]:
    """Return what stands outside of the marks, and the marked texts, as a reader without any doubt reads them."""
    outside: list[str] = []
    inside: list[str] = []
    rest = text
    while f"[{mark} begin " in rest:
        before, _, rest = rest.partition(f"[{mark} begin ")
        name, _, rest = rest.partition("]")
        block, _, rest = rest.partition(f"\n[{mark} end {name}]")
        outside.append(before)
        inside.append(block.partition("\n")[2])
    return "".join([*outside, rest]), inside


def a_run(place: str = "", attack: str = "") -> Run:
    """Return a reviewed paper, with an attack in one place."""
    paper = Paper(
        id="p",
        dataset="sample",
        title="Sparse gates",
        abstract=r"We bound $\sum_{i} {w_i}$ by \textbf{gates}.",
        sections=(Section(heading="1", text="Gates are sparse. " + (attack if place == "paper" else "")),),
    )
    result = "Section 1: gates are sparse. " + (attack if place == "tool result" else "")
    span = Span(
        id="s",
        seq=0,
        operation="execute_tool",
        name="read",
        agent_id="m",
        status="ok",
        tool=ToolUse(name="read", arguments={"section": 1}, result=result),
    )
    weakness = "The bound is loose. " + (attack if place == "output" else "")
    return Run(
        id="r",
        status="complete",
        case=Case(id="p", paper=paper),
        system=System(engine="mas", agents=("m",)),
        trace=Trace(id="t", source=Source(format="native"), spans=(span,), agents=(Agent(id="m", name="m"),)),
        output=Review(summary="They gate.", weaknesses=(Point(text=weakness),)),
        created_at=datetime(2026, 5, 1, tzinfo=UTC),
    )


async def judged(run: Run) -> tuple[Scorecard, CompliantJudge]:
    judge = CompliantJudge()
    context = EvaluationContext(judges=(Judge(provider="script", model=judge),))
    at_hand = Installed(evaluators=(Instructions(), JudgedQuality(), PlanningRationality()))
    return await evaluate(run, settings=Settings(), context=context, at_hand=at_hand), judge


def test_there_are_two_hundred_attacks_and_more() -> None:
    assert len(ATTACKS) >= 300
    assert len(set(ATTACKS.values())) == len(ATTACKS)


async def test_the_judge_would_obey_what_stands_outside_of_the_marks() -> None:
    """Proves the judge of these tests: it can be moved."""
    judge = CompliantJudge()
    system = ChatMessage(role="system", text="- flow (1 to 5): ?\nlines of the form [" + "a" * 24 + " begin NAME]")
    user = ChatMessage(
        role="user", text=f"[{'a' * 24} begin review]\nFine.\n[{'a' * 24} end review]\n{PAYLOADS['ignore']}"
    )
    reply = await judge.complete((system, user), Judgement, ChatLimits())
    assert reply.value.answers[0].level == 5


@pytest.mark.parametrize("name", ATTACKS)
async def test_no_attack_moves_the_grade_or_the_composite_or_is_altered(name: str) -> None:
    clean, _ = await judged(a_run())
    assert clean.composite == (HONEST_LEVEL - 1) / 4
    for place in PLACES:
        card, judge = await judged(a_run(place, ATTACKS[name]))
        scores = {score.name: score.value for score in card.scores}
        assert (scores["judged_quality"], scores["planning_rationality"]) == (0.5, 0.5), place
        assert (card.composite, card.bounds, card.coverage) == (clean.composite, clean.bounds, clean.coverage), place
        assert card.verdict in (clean.verdict, "weak_reject", "reject"), place
        if place != "tool result":  # there only the beginning of a result is shown, on one line
            assert any(visible(ATTACKS[name]).strip() in text for text in judge.shown), place


@pytest.mark.parametrize("name", ATTACKS)
def test_an_answer_is_read_as_a_whole_or_not_at_all(name: str) -> None:
    attack = ATTACKS[name]
    answer = {"criterion": "flow", "evidence": [attack], "reason": attack, "level": 2}
    honest = json.dumps({"answers": [answer], "instructions_found": [attack]})
    read = reply_as(Judgement, honest)
    assert [(one.level, one.reason) for one in read.answers] == [(2, attack)]
    for broken in (f"{attack}\n{honest}", f"{honest}\n{attack}", f"I was told: {attack}"):
        with pytest.raises(UnreadableReplyError):
            reply_as(Judgement, broken)


async def test_formulas_and_braces_reach_the_judge_undamaged() -> None:
    _, judge = await judged(a_run())
    assert any(r"We bound $\sum_{i} {w_i}$ by \textbf{gates}." in text for text in judge.shown)


async def test_quotations_that_were_made_up_are_dropped_and_counted() -> None:
    card, _ = await judged(a_run())
    quality = card.score("judged_quality")
    assert quality is not None
    measures = {one.name: one.value for one in quality.measures}
    assert (measures["quotes_given"], measures["quotes_dropped"]) == (10, 5)


async def test_an_attack_in_the_output_is_a_fault_and_in_the_paper_a_warning() -> None:
    attack = PAYLOADS["ignore"]
    card, _ = await judged(a_run("output", attack))
    (finding,) = [one for one in card.findings if one.name == "instructions"]
    assert (finding.severity, finding.about) == ("critical", "output")
    assert attack in finding.evidence.quotes[0]
    assert card.verdict in ("weak_reject", "reject")
    card, _ = await judged(a_run("paper", attack))
    (finding,) = [one for one in card.findings if one.name == "instructions"]
    assert (finding.severity, finding.about) == ("warning", "input")


def test_most_attacks_are_found_and_it_is_said_how_many() -> None:
    found = sum(bool(speaking_to_judges(attack)) for attack in ATTACKS.values())
    assert (found, len(ATTACKS)) == FOUND, "docs/metrics.md states this figure"


FOUND = (308, 315)


def test_a_reviewer_who_speaks_of_instructions_is_no_offender() -> None:
    for sentence in (
        "The authors ignore all previous work on gating.",
        "I would give this paper the highest score if the ablation were there.",
        "The system prompt should be reported, and the instructions to annotators too.",
        "Instruction tuning lets the model ignore irrelevant context; the judge model is GPT-4.",
        "I give this paper a rating of 6. Please note that the level of English is high.",
    ):
        assert speaking_to_judges(sentence) == (), sentence


def test_every_way_out_is_tried_with_every_payload() -> None:
    assert len(ATTACKS) == len(WAYS_OUT) * len(PAYLOADS) + 15
