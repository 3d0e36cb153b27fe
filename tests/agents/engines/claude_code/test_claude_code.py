"""Reviews by Claude Code: what it is started with, what is kept however it ends, and how its answer is read."""

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.errors import UsageError
from agents_eval_core.ports.engine import Limits, Progress
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from agents_eval_core.use_cases.run_review import run_review

Install = Callable[[str], None]
Printed = Callable[[Sequence[dict[str, Any]]], str]
REVIEW = {
    "summary": "The paper gates layers.",
    "weaknesses": ["No baseline in Section 4.", {"text": "One data set only.", "anchor": "Section 5"}],
    "rating": "7/10",
    "recommendation": "weak accept",
}
INIT = {"type": "system", "subtype": "init", "model": "m-1", "tools": ["Read"]}
READ = {"type": "tool_use", "id": "c1", "name": "Read", "input": {"file_path": "paper.md"}}


def said(content: list[dict[str, Any]], place: int = 0) -> dict[str, Any]:
    message = {"id": f"m{place}", "role": "assistant", "model": "m-1", "content": content, "usage": {"input_tokens": 5}}
    return {"type": "assistant", "message": message, "parent_tool_use_id": None}


def whole(answer: str) -> list[dict[str, Any]]:
    result = {"type": "tool_result", "tool_use_id": "c1", "content": "# Paper"}
    return [
        INIT,
        said([READ]),
        {"type": "user", "message": {"role": "user", "content": [result]}, "parent_tool_use_id": None},
        said([{"type": "text", "text": answer}], 1),
        {"type": "result", "subtype": "success", "is_error": False, "result": answer, "total_cost_usd": 0.01},
    ]


def is_running(process_id: int) -> bool:
    """Whether a process runs; one that ended and that nobody has buried does not."""
    try:
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def review(engine: str = "cc-solo", **options: Any) -> EvaluatedRun:
    return await run_review("sparse-gates", dataset="sample", settings=Settings(), engine=engine, **options)


async def test_a_review_is_read_out_of_prose_and_its_stream_and_trace_are_kept(
    install: Install, printed: Printed
) -> None:
    install(printed(whole(f"Here it is:\n```json\n{json.dumps(REVIEW)}\n```\nThanks.")))
    heard: list[Progress] = []
    done = await review(on_progress=heard.append)
    assert done.run.status == "complete"
    assert done.run.output is not None
    assert [point.anchor for point in done.run.output.weaknesses] == [None, "Section 5"]
    assert done.run.output.rating is not None
    assert done.run.output.rating.value == 7
    assert done.run.output.recommendation == "weak_accept"
    assert done.run.system.model == "m-1"
    assert done.run.system.versions["claude-code"] == "9.9.9"
    assert {"stream.jsonl", "trace.otlp.jsonl"} <= {file.name for file in done.files}
    assert any(progress.action == "calls Read" for progress in heard)
    assert done.scorecard is not None
    tool_efficiency = done.scorecard.score("tool_efficiency")
    assert tool_efficiency is not None
    assert tool_efficiency.value == 1.0


async def test_it_may_only_read_and_sees_the_paper_and_no_key_but_its_own(
    install: Install, printed: Printed, clean_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = clean_place / "seen.json"
    told = "{'argv': argv, 'env': dict(os.environ), 'files': os.listdir()}"
    note = f"open({str(seen)!r}, 'w').write(json.dumps({told}))\n"
    install(note + printed(whole(json.dumps(REVIEW))))
    monkeypatch.setenv("OPENAI_API_KEY", "not-for-claude")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
    await review(model="opus", limits=Limits(cost_usd=0.5))
    started = json.loads(seen.read_text())
    argv = started["argv"]
    assert argv[argv.index("--tools") + 1] == "Read,Grep,Glob"
    assert argv[argv.index("--model") + 1] == "opus"
    assert argv[argv.index("--max-budget-usd") + 1] == "0.5"
    assert "--strict-mcp-config" in argv
    assert started["files"] == ["paper.md"]
    assert "OPENAI_API_KEY" not in started["env"]
    assert started["env"]["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:1"


async def test_text_without_the_form_is_kept_and_flagged(install: Install, printed: Printed) -> None:
    install(printed(whole("A fine paper, but there is no baseline.")))
    done = await review()
    assert done.run.output is not None
    assert done.run.output.summary == "A fine paper, but there is no baseline."
    assert "form" in done.run.output.flags[0].problem


async def test_a_grade_within_a_sentence_is_flagged_and_none_is_made_up(install: Install, printed: Printed) -> None:
    install(printed(whole(json.dumps({**REVIEW, "rating": "not 5, rather 2"}))))
    done = await review()
    assert done.run.output is not None
    assert done.run.output.rating is None
    assert [(flag.field, flag.given) for flag in done.run.output.flags] == [("rating", "not 5, rather 2")]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("print('no json'); sys.stderr.write('bad things'); sys.exit(3)\n", "bad things"),
        ("sys.exit(0)\n", "without a word"),
    ],
)
async def test_a_failure_is_a_failed_run_that_says_why(install: Install, body: str, told: str) -> None:
    install(body)
    done = await review()
    assert done.run.status == "failed"
    assert done.run.problem is not None
    assert told in done.run.problem.message


async def test_an_error_result_is_told_with_its_words(install: Install, printed: Printed) -> None:
    refused = {"type": "result", "subtype": "success", "is_error": True, "result": "Credit balance is too low"}
    install(printed([INIT, refused]))
    done = await review()
    assert done.run.problem is not None
    assert "Credit balance is too low" in done.run.problem.message


async def test_at_the_end_of_its_time_the_whole_group_is_ended_and_the_stream_is_kept(
    install: Install, printed: Printed, clean_place: Path
) -> None:
    child = clean_place / "child"
    fork = f"if os.fork() == 0:\n    open({str(child)!r}, 'w').write(str(os.getpid()))\n    time.sleep(300)\n"
    install(printed([INIT, said([READ])]) + fork + "time.sleep(300)\n")
    begun = time.monotonic()
    done = await review(limits=Limits(seconds=2))
    assert time.monotonic() - begun < 20
    assert done.run.problem is not None
    assert done.run.problem.error_type == "TimeoutError"
    assert done.run.trace is not None
    assert not is_running(int(child.read_text()))


async def test_being_cancelled_keeps_what_was_done_as_interrupted(
    install: Install, printed: Printed, clean_place: Path
) -> None:
    install(printed([INIT, said([READ])]) + "time.sleep(300)\n")
    heard = asyncio.Event()

    def hear(progress: Progress) -> None:
        if progress.agent:
            heard.set()

    task = asyncio.create_task(review(on_progress=hear))
    await asyncio.wait_for(heard.wait(), 20)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    (run,) = (clean_place / "_Agents-eval" / "runs").iterdir()
    assert json.loads((run / "run.json").read_text())["status"] == "interrupted"
    assert (run / "stream.jsonl").stat().st_size > 0


async def test_without_a_team_the_run_says_so(install: Install, printed: Printed) -> None:
    install(printed(whole(json.dumps(REVIEW))))
    done = await review("cc-teams")
    assert any("no team was formed" in note for note in done.run.notes)
    assert done.scorecard is not None
    coordination = done.scorecard.score("coordination_quality")
    assert coordination is not None
    assert coordination.value == 0.0


async def test_a_session_made_earlier_takes_the_place_of_new_work(printed: Printed, clean_place: Path) -> None:
    stream = clean_place / "earlier.jsonl"
    events = whole(json.dumps(REVIEW))
    stream.write_text("".join(json.dumps({"session_id": "s", "uuid": "u", **event}) + "\n" for event in events))
    done = await review(made_earlier=stream)
    assert done.run.status == "complete"
    assert done.run.output is not None
    assert done.run.output.summary == REVIEW["summary"]


async def test_what_does_not_fit_is_refused_before_anything_starts(install: Install, printed: Printed) -> None:
    install(printed(whole("x")))
    with pytest.raises(UsageError, match="brings its own model"):
        await review(provider="offline")
    with pytest.raises(UsageError, match="has only this one"):
        await review(composition="full")
    with pytest.raises(UsageError, match="no critic"):
        await review(critic=True)
    with pytest.raises(UsageError, match="does its work anew"):
        await review("mas", made_earlier=Path("x"))


async def test_without_claude_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UsageError, match="npm install"):
        await review()
