"""Work in the background: it outlives the page, several go on at once, and it can be cancelled."""

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from agents_eval_core.errors import UsageError
from agents_eval_dashboard.background import MOST_LINES, Background, Job, background

Draw = Callable[..., AppTest]


def ended(job: Job, seconds: float = 30.0) -> Job:
    deadline = time.monotonic() + seconds
    while job.state == "running" and time.monotonic() < deadline:
        time.sleep(0.01)
    return job


def test_several_go_on_at_once_and_give_their_results() -> None:
    meeting = threading.Barrier(2)

    async def work(job: Job) -> str:
        await asyncio.to_thread(meeting.wait, 10)
        job.tell("manager", "meets the other")
        return job.title

    works = Background()
    jobs = [works.start("review", title, work) for title in ("one", "two")]
    assert [ended(job).result for job in jobs] == ["one", "two"]
    assert [job.title for job in works.jobs("review")] == ["two", "one"]
    assert jobs[0].lines[0].action == "meets the other"
    assert works.jobs("sweep") == ()


def test_a_cancelled_one_ends_at_once() -> None:
    begun = threading.Event()

    async def work(_: Job) -> None:
        begun.set()
        await asyncio.sleep(60)

    job = Background().start("review", "endless", work)
    assert begun.wait(10)
    job.cancel()
    assert ended(job).state == "cancelled"
    job.cancel()  # once more does nothing


@pytest.mark.parametrize("problem", [UsageError("no such paper"), RuntimeError("a mistake of ours")])
def test_whatever_goes_wrong_is_told(problem: Exception) -> None:
    async def work(_: Job) -> None:
        raise problem

    job = ended(Background().start("review", "bad", work))
    assert job.state == "failed"
    assert str(problem) in job.problem


def test_a_long_log_keeps_its_end() -> None:
    async def work(job: Job) -> None:
        for number in range(MOST_LINES + 10):
            job.tell("", str(number))

    job = ended(Background().start("review", "long", work))
    assert len(job.lines) == MOST_LINES
    assert job.lines[-1].action == str(MOST_LINES + 9)


@pytest.mark.filterwarnings("default")
def test_a_review_that_was_started_is_there_for_another_session_too(
    draw: Draw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENTS_EVAL_HOME", str(tmp_path / "root"))
    page = draw("review")
    next(button for button in page.button if button.label == "Start the review").click().run()
    job_id = str(page.query_params["job"])
    job = background().find(job_id)
    assert job is not None
    assert ended(job).state == "done"
    other = draw("review", job=job_id)
    assert not other.exception
    assert any(link.label == "Scorecard" for link in other.page_link)
    assert any("Agents and what they did" in heading.value for heading in other.subheader)
    assert list((tmp_path / "root/runs").iterdir())
