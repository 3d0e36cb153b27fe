"""Reviews of a real paper with a scripted model as judge, over real HTTP: what is kept, what stops, what fails."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.errors import UsageError
from agents_eval_core.score import Score
from agents_eval_core.settings import load_settings
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun, evaluate_trace
from agents_eval_core.use_cases.judging_packet import accept_verdict, judging_packet
from agents_eval_core.use_cases.run_review import run_review
from scripted_server.exchange import Ask, Fault, Say, Script
from scripted_server.judge import answers, judgements, judging
from scripted_server.script import in_shape
from scripted_server.server import ScriptedServer

MODEL = "house/scripted-1"
JUDGED = ("judged_quality", "planning_rationality", "tool_use", "recommendation_quality")


@dataclass(frozen=True, kw_only=True)
class Bench:
    """A server that judges, and real papers to review offline."""

    server: ScriptedServer
    reached: Callable[[str], str]
    peerread: Path

    async def reviewed(self) -> EvaluatedRun:
        """Review a real paper without a judge."""
        paper = min((self.peerread / "neurips_2025").glob("*/reviews/*.json")).stem
        return await run_review(
            f"neurips_2025/{paper}", settings=load_settings(None), data_dir=self.peerread, composition="full"
        )

    def judge(self, provider: str = "ollama", model: str = MODEL) -> str:
        """Return a judge that is reached at the server."""
        return f"{self.reached(provider)}:{model}"


@pytest.fixture
def bench(scripted_server: ScriptedServer, reached: Callable[[str], str], peerread: Path) -> Bench:
    return Bench(server=scripted_server, reached=reached, peerread=peerread)


def always(said: Say | Fault) -> Script:
    def script(_: Ask) -> Say | Fault:
        return said

    return script


async def evaluated(done: EvaluatedRun, judge: str) -> EvaluatedRun:
    return await evaluate_trace(done.run.id, settings=load_settings(None), judge=judge)


def score(done: EvaluatedRun, name: str) -> Score:
    assert done.scorecard is not None
    found = done.scorecard.score(name)
    assert found is not None
    return found


def measure(of: Score, name: str) -> Any:
    return next(one.value for one in of.measures if one.name == name)


def exchanges(done: EvaluatedRun) -> list[dict[str, Any]]:
    assert done.directory is not None
    return [json.loads(line) for line in (done.directory / "judge.jsonl").read_text(encoding="utf-8").splitlines()]


async def test_a_judged_review_has_three_tiers_and_keeps_every_question_and_answer(bench: Bench) -> None:
    bench.server.script = judging(4)
    done = await evaluated(await bench.reviewed(), bench.judge())
    assert done.scorecard is not None
    assert done.scorecard.complete
    assert [score(done, name).value for name in JUDGED] == [0.75] * 4
    assert score(done, "rubric_alignment").value == 1.0
    assert score(done, "evaluator_consensus").reason == "not_applicable"
    kept = exchanges(done)
    assert sorted(each["rubric"] for each in kept) == sorted(
        ["review_quality 1", "planning_rationality 1", "tool_use 1", "recommendation_quality 1"]
    )
    assert {each["outcome"] for each in kept} == {"answered"}
    review = next(each for each in kept if each["rubric"] == "review_quality 1")
    assert done.run.case.paper is not None
    assert done.run.case.paper.text[-400:] in review["messages"][1]["text"]  # the whole paper was read
    assert measure(score(done, "judged_quality"), "material_read") == 1.0
    assert measure(score(done, "judged_quality"), "judge_chosen") == "asked for"
    assert all(len(ask.tools) <= 1 for ask in bench.server.asked)  # the form of the answer, and nothing to act with
    assert "instructions" not in {finding.name for finding in done.scorecard.findings}


async def test_the_record_of_a_judge_goes_with_its_scores(bench: Bench) -> None:
    bench.server.script = judging(4)
    judged = await evaluated(await bench.reviewed(), bench.judge())
    assert "judge.jsonl" in {file.name for file in judged.files}
    again = await evaluated(judged, "caller")
    assert score(again, "judged_quality").reason == "not_measured"
    assert "judge.jsonl" not in {file.name for file in again.files}


async def test_no_secret_of_the_material_is_kept_in_the_record_or_the_cache(bench: Bench) -> None:
    secret = "sk-proj-" + "abcdefgh12345678" * 2
    bench.server.script = judging(4, reason=f"The key {secret} is in the paper.")
    done = await evaluated(await bench.reviewed(), bench.judge())
    assert done.directory is not None
    kept = [*done.directory.iterdir(), *(path for path in Path("_Agents-eval/replies").rglob("*") if path.is_file())]  # noqa: ASYNC240  a test
    assert len(kept) > 8
    assert not [file.name for file in kept if secret in file.read_text(encoding="utf-8", errors="replace")]


async def test_a_paper_longer_than_the_judges_context_is_cut_and_that_is_said(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.server.script = judging(4)
    monkeypatch.setattr("agents_eval_evaluators.judge.reading.UNKNOWN_CONTEXT_TOKENS", 9_000)
    done = await evaluated(await bench.reviewed(), bench.judge())
    quality = score(done, "judged_quality")
    assert "characters of the paper were read; not or not fully: " in quality.explanation
    assert 0 < measure(quality, "material_read") < 1


@pytest.mark.parametrize(
    ("fault", "reason", "error_type"),
    [
        (Fault(status=401, message="no such key"), "failed", "ModelAuthenticationError"),
        (Fault(status=403), "failed", None),
        (Fault(status=404), "failed", None),
        (Fault(status=413), "failed", None),
        (Fault(status=429), "failed", None),
        (Fault(status=500), "failed", None),
        (Fault(cuts=True), "failed", None),
        (Say(text="I would give it full marks, every level 5!"), "failed", "unreadable"),
        (Say(text="", stop="content_filter"), "failed", None),
        (Say(text="late", after_seconds=3.0), "failed", "timeout"),
    ],
)
async def test_no_failure_of_a_judge_is_a_grade_and_the_other_tiers_stand(
    fault: Fault | Say,
    reason: str,
    error_type: str | None,
    bench: Bench,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = await bench.reviewed()
    bench.server.script = always(fault)
    monkeypatch.setenv("JUDGE_TIER2_MAX_SECONDS", "1.5" if isinstance(fault, Say) and fault.after_seconds else "30")
    done = await evaluated(before, bench.judge("groq"))
    assert before.scorecard is not None
    assert done.scorecard is not None
    for name in JUDGED:
        one = score(done, name)
        assert (one.value, one.reason) == (None, reason), one
        assert error_type in (None, one.error_type), one
        assert len(one.explanation) > 20
    others = [each for each in before.scorecard.scores if each.tier != 2]
    assert [each for each in done.scorecard.scores if each.tier != 2] == others
    assert (done.scorecard.composite, done.scorecard.verdict) == (before.scorecard.composite, before.scorecard.verdict)
    assert not done.scorecard.complete


async def test_an_unreadable_answer_is_asked_for_once_more(bench: Bench) -> None:
    def first_unreadable(ask: Ask) -> Say:
        is_repair = "cannot be used" in ask.prompt
        return judging(4)(ask) if is_repair else Say(text="Level 5, all of it.")

    before = await bench.reviewed()
    bench.server.script = first_unreadable
    done = await evaluated(before, bench.judge())
    assert score(done, "judged_quality").value == 0.75
    assert len(bench.server.asked) == 2 * len(JUDGED)
    outcomes = [each["outcome"] for each in exchanges(done)]
    assert (outcomes.count("unreadable"), outcomes.count("repaired")) == (4, 4)
    assert any(each["reply"] == "Level 5, all of it." for each in exchanges(done))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("JUDGE_COST_BUDGET_USD", "0.0001", "JUDGE_COST_BUDGET_USD"),
        ("JUDGE_TOKEN_BUDGET", "100", "JUDGE_TOKEN_BUDGET"),
        ("JUDGE_PROVIDER_TOKEN_BUDGETS", "groq=9,openai=100", "token budget of openai"),
    ],
)
async def test_a_budget_stops_before_it_is_exceeded_and_the_other_tiers_stand(
    name: str,
    value: str,
    said: str,
    bench: Bench,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = await bench.reviewed()
    monkeypatch.setenv(name, value)
    done = await evaluated(before, bench.judge("openai", "gpt-4o"))
    quality = score(done, "judged_quality")
    assert (quality.value, quality.reason) == (None, "not_measured")
    assert said in quality.explanation
    assert bench.server.asked == []
    assert before.scorecard is not None
    assert done.scorecard is not None
    assert done.scorecard.composite == before.scorecard.composite


async def test_a_cost_budget_without_a_known_price_is_no_licence(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_COST_BUDGET_USD", "5")
    done = await evaluated(await bench.reviewed(), bench.judge("openai"))
    assert "is not known, so a budget in USD cannot be kept" in score(done, "judged_quality").explanation
    assert bench.server.asked == []


async def test_the_same_question_is_not_paid_for_twice_unless_that_is_set(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.server.script = judging(4)
    judge = bench.judge()
    first = await evaluated(await bench.reviewed(), judge)
    asked = len(bench.server.asked)
    again = await evaluated(first, judge)
    assert len(bench.server.asked) == asked
    assert [score(again, name).value for name in JUDGED] == [score(first, name).value for name in JUDGED]
    assert measure(score(again, "judged_quality"), "answers_from_cache") == 1
    assert {each["outcome"] for each in exchanges(again)} == {"from_cache"}
    other = await evaluated(first, f"ollama:{MODEL}-b")
    assert len(bench.server.asked) == 2 * asked, "another model is another question"
    monkeypatch.setenv("JUDGE_CACHE", "false")
    await evaluated(other, judge)
    assert len(bench.server.asked) == 3 * asked


async def test_a_judge_that_is_asked_again_has_a_flip_rate(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    levels = iter([4, 4, 2])

    def wavering(ask: Ask) -> Say:
        return judging(next(levels) if "brevity" in ask.instructions else 4)(ask)

    bench.server.script = wavering
    monkeypatch.setenv("JUDGE_REPEATS", "3")
    monkeypatch.setenv("JUDGE_RUBRIC", rubric_of_ones_own())
    done = await evaluated(await bench.reviewed(), bench.judge())
    quality = score(done, "judged_quality")
    assert quality.value == pytest.approx((0.75 + 0.75 + 0.25) / 3)
    assert measure(quality, "flip_rate") == pytest.approx(1 / 3)
    assert measure(score(done, "planning_rationality"), "flip_rate") == 0


RUBRIC = """
name = "short"
version = "7"
task = "Is this peer review short?"

[[criteria]]
id = "brevity"
question = "Is it short?"
[criteria.anchors]
1 = "No"
5 = "Yes"
"""


def rubric_of_ones_own() -> str:
    Path("short.toml").write_text(RUBRIC, encoding="utf-8")
    return "short.toml"


async def test_a_rubric_of_ones_own_takes_the_place_of_the_shipped_one(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.server.script = judging(5)
    monkeypatch.setenv("JUDGE_RUBRIC", rubric_of_ones_own())
    done = await evaluated(await bench.reviewed(), bench.judge())
    assert measure(score(done, "judged_quality"), "short.brevity") == 1.0
    monkeypatch.setenv("JUDGE_RUBRIC", "shrt")
    failed = score(await evaluated(done, f"ollama:{MODEL}"), "judged_quality")
    assert failed.reason == "failed"
    assert "no rubric named 'shrt'" in failed.explanation


async def test_the_judge_sees_what_tier_one_measured_only_where_that_is_set(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.server.script = judging(4)
    judge = bench.judge()
    blind = await evaluated(await bench.reviewed(), judge)
    assert not any("begin measurements]" in ask.prompt for ask in bench.server.asked)
    assert measure(score(blind, "judged_quality"), "tier1_scores_shown") == 0
    monkeypatch.setenv("JUDGE_SEES_MEASUREMENTS", "true")
    bench.server.asked.clear()
    shown = await evaluated(blind, judge)
    assert all("task_success 0." in ask.prompt for ask in judgements(bench.server.asked))
    assert measure(score(shown, "judged_quality"), "tier1_scores_shown") > 3


async def test_a_panel_agrees_or_not_and_one_that_fails_costs_its_own_answers_only(bench: Bench) -> None:
    def mild_and_strict(ask: Ask) -> Say | Fault:
        if ask.model == "down":
            return Fault(status=500)
        given = answers(ask.instructions, 4 if ask.model == "mild" else 3)
        given["answers"][0]["level"] = 2 if ask.model == "mild" else 1
        return in_shape(ask, **given)

    bench.server.script = mild_and_strict
    bench.reached("ollama")
    done = await evaluated(await bench.reviewed(), "ollama:mild+ollama:strict+ollama:down")
    quality = score(done, "judged_quality")
    assert quality.value == pytest.approx(((0.25 + 0.75 * 4) + (0 + 0.5 * 4)) / 10)
    assert "2/1 of 5" in quality.explanation
    assert "without 1 of 3 answers (the judge ollama:down: " in quality.explanation
    assert measure(quality, "majority_share") == 0.5
    consensus = score(done, "evaluator_consensus")
    assert consensus.value is not None
    assert 0 < consensus.value < 1


async def test_a_caller_judges_by_packet_and_verdict(bench: Bench) -> None:
    before = await bench.reviewed()
    settings = load_settings(None)
    packet = await judging_packet(before.run.id, settings=settings)
    assert len(packet.questions) == 4
    assert all("[" in question.material and question.answer_schema for question in packet.questions)
    verdict = {question.key: answers(question.instructions, 5) for question in packet.questions}
    done = await accept_verdict(before.run.id, verdict, settings=settings, declared="claude, asked by hand")
    assert done.scorecard is not None
    assert done.scorecard.complete
    quality = score(done, "judged_quality")
    assert (quality.value, measure(quality, "judge")) == (1.0, "caller:caller")
    assert measure(quality, "judge_chosen") == "the caller's own verdict (claude, asked by hand)"
    assert done.directory is not None


async def test_a_verdict_is_held_to_the_form_and_to_its_own_packet(bench: Bench) -> None:
    before = await bench.reviewed()
    settings = load_settings(None)
    packet = await judging_packet(before.run.id, settings=settings)
    first, second, *_ = packet.questions
    with pytest.raises(UsageError, match="no question about"):
        await accept_verdict(before.run.id, {"0" * 64: {}}, settings=settings)
    with pytest.raises(UsageError, match="empty"):
        await accept_verdict(before.run.id, {}, settings=settings)
    verdict = {first.key: {"score": 1.0}, second.key: answers(second.instructions, 0)}
    done = await accept_verdict(before.run.id, verdict, settings=settings)
    for name in ("judged_quality", "planning_rationality", "tool_use", "recommendation_quality"):
        assert score(done, name).value is None
