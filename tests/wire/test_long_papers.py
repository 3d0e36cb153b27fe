"""Papers that are longer than the model can read at once: read in parts or cut, never more than it takes, and told."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from scripted_server.exchange import Ask, Fault, Say
from scripted_server.script import capable, in_shape
from scripted_server.server import ScriptedServer

Review = Callable[..., Awaitable[EvaluatedRun]]
Reached = Callable[[str], str]
CONTEXT = 8_000
LONGEST = "neurips_2025/GgD01U3Y0H"
FACT = {"kind": "measurement", "text": "It is measured.", "anchor": "1 Introduction", "quote": ""}


@pytest.fixture
def small_model(scripted_server: ScriptedServer) -> ScriptedServer:
    """A server whose model refuses what is longer than its context, as real ones do."""

    def script(ask: Ask) -> Say | Fault:
        if len(json.dumps(ask.body, ensure_ascii=False)) / 4 > CONTEXT:
            return Fault(status=400, code="context_length_exceeded", message="too long")
        if "give_research" in ask.tools and "read_section" not in ask.tools:
            return in_shape(ask, overview=f"Part with {ask.prompt.count('<section-')} stretches.", facts=[FACT])
        return capable(ask)

    scripted_server.script = script
    return scripted_server


async def reviewed(review: Review, provider: str, peerread: Path, **asked: Any) -> EvaluatedRun:
    return await review(
        provider,
        paper=LONGEST,
        dataset="peerread",
        data_dir=peerread,
        **{"AGENTS_EVAL_CONTEXT_TOKENS": CONTEXT, **asked},
    )


async def test_one_question_becomes_one_for_each_part_and_one_for_the_whole(
    small_model: ScriptedServer, reached: Reached, review: Review, peerread: Path, told: list[str]
) -> None:
    done = await reviewed(review, reached("openai"), peerread, engine="direct")
    assert (done.run.status, done.run.problem) == ("complete", None)
    *parts, whole = small_model.asked
    assert len(parts) == 6
    assert [set(ask.tools) for ask in small_model.asked] == [{"give_research"}] * 6 + [{"give_review"}]
    abstract = done.run.case.paper.abstract.strip() if done.run.case.paper else ""
    assert all(abstract in ask.prompt for ask in small_model.asked)
    assert "[TRUNCATED: " in parts[0].prompt
    assert whole.prompt.count('"kind": "measurement"') == 6
    (note,) = done.run.notes
    assert "counted by an estimate, characters / 4" in note
    assert "the model reads 8,000 at once: the whole text was given to it in 6 parts, the abstract whole" in note
    assert note in told
    assert done.run.output is not None
    assert done.run.output.reading == note
    files = {file.name: file.read_text(encoding="utf-8") for file in done.files if file.suffix == ".md"}
    assert note in files["review.md"]


async def test_every_character_of_the_paper_is_in_some_part(
    small_model: ScriptedServer, reached: Reached, review: Review, peerread: Path
) -> None:
    done = await reviewed(review, reached("openai"), peerread, engine="direct", evaluate=False)
    paper = done.run.case.paper
    assert paper is not None
    seen = " ".join(" ".join(ask.prompt for ask in small_model.asked).split())
    sentences = [line for section in paper.sections for line in section.text.split(". ") if len(line) > 40]
    missing = [line for line in sentences if " ".join(line.split()) not in seen]
    assert len(sentences) > 300
    assert len(missing) <= 6  # those that a boundary between two parts goes through


async def test_a_paper_is_cut_by_relevance_where_that_is_set(
    small_model: ScriptedServer, reached: Reached, review: Review, peerread: Path
) -> None:
    done = await reviewed(review, reached("openai"), peerread, engine="direct", AGENTS_EVAL_LONG_PAPER="truncate")
    (ask,) = small_model.asked
    assert done.run.status == "complete"
    assert " left out, " in ask.prompt
    assert "[TRUNCATED: " in ask.prompt
    assert "characters was given to it by relevance, the abstract whole" in done.run.notes[0]
    trace = done.run.trace
    assert trace is not None
    known = next(span.attributes for span in trace.spans if span.operation == "invoke_workflow")
    assert known["agents_eval.paper.parts"] == 1
    assert known["agents_eval.paper.tokens_counted_by"] == "characters / 4"
    assert 0 < known["agents_eval.paper.characters_read"] < known["agents_eval.paper.characters"]


@pytest.mark.parametrize("composition", ["full", "manager", "manager+analyst"])
async def test_a_team_never_asks_more_than_the_model_takes(
    composition: str, small_model: ScriptedServer, reached: Reached, review: Review, peerread: Path
) -> None:
    done = await reviewed(review, reached("openai"), peerread, composition=composition)
    assert (done.run.status, done.run.problem) == ("complete", None)
    assert max(len(json.dumps(ask.body, ensure_ascii=False)) / 4 for ask in small_model.asked) <= CONTEXT
    assert done.run.output is not None
    assert done.run.output.reading == done.run.notes[0]
    how = " in 7 parts" if composition == "full" else " by relevance"
    assert how in done.run.output.reading
    assert done.scorecard is not None
    assert not [finding for finding in done.scorecard.findings if "the same result" in finding.sentence]
    said = json.dumps([ask.body for ask in small_model.asked])
    assert "[TRUNCATED: the paper is too long to be read at once; listed is " in said


async def test_a_paper_that_fits_is_read_at_once(small_model: ScriptedServer, reached: Reached, review: Review) -> None:
    parted = await review(reached("openai"), engine="direct", AGENTS_EVAL_CONTEXT_TOKENS=1_500)
    assert len(small_model.asked) > 1
    assert parted.run.notes
    small_model.asked.clear()
    done = await review(reached("openai"), engine="direct", AGENTS_EVAL_CONTEXT_TOKENS=CONTEXT)
    assert len(small_model.asked) == 1
    assert done.run.notes == ()
    assert done.run.output is not None
    assert done.run.output.reading == ""


async def test_a_model_without_room_for_the_abstract_is_named(
    small_model: ScriptedServer, reached: Reached, review: Review, peerread: Path
) -> None:
    done = await reviewed(review, reached("openai"), peerread, engine="direct", AGENTS_EVAL_CONTEXT_TOKENS=900)
    assert small_model.asked == []
    assert done.run.problem is not None
    assert "reads 900 tokens at once has no room for this paper's abstract" in done.run.problem.message


async def test_the_count_of_the_provider_goes_before_the_estimate(
    small_model: ScriptedServer, reached: Reached, review: Review, peerread: Path
) -> None:
    small_model.characters_a_token = 2
    done = await reviewed(review, reached("google"), peerread, engine="direct", AGENTS_EVAL_LONG_PAPER="truncate")
    assert done.run.status == "complete"
    assert "tokens (counted by the provider)" in done.run.notes[0]
    paper = done.run.case.paper
    assert paper is not None
    assert f"the paper has {len(paper.text) // 2:,} tokens" in done.run.notes[0]


async def test_a_replay_reads_in_the_same_parts(
    small_model: ScriptedServer, reached: Reached, review: Review, peerread: Path
) -> None:
    first = await reviewed(review, reached("openai"), peerread, engine="direct")
    asked = len(small_model.asked)
    again = await review(
        "replay", model=str(first.directory), paper=LONGEST, dataset="peerread", data_dir=peerread, engine="direct"
    )
    assert len(small_model.asked) == asked
    assert again.run.output == first.run.output
    assert again.run.notes == first.run.notes
