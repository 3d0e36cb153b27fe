import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents_eval_core.errors import StorageError, UnreadableError, UsageError
from agents_eval_core.review import Flag, Point, Rating, Review, Scale
from agents_eval_core.run import Problem, Run
from agents_eval_core.score import Scorecard
from agents_eval_core.store.run_directory import RunDirectory

KEY = "sk-proj-" + "a1B2c3D4" * 4


@pytest.fixture
def finished(a_run: Callable[..., Run], tmp_path: Path, otlp_lines: bytes) -> RunDirectory:
    """Return the directory of a finished run with its trace."""
    directory = RunDirectory.create(tmp_path / "runs", a_run())
    directory.finish(a_run(), {"trace.otlp.jsonl": otlp_lines})
    return directory


def test_a_run_that_begins_is_unfinished(a_run: Callable[..., Run], tmp_path: Path) -> None:
    directory = RunDirectory.create(tmp_path / "runs", a_run())
    assert [path.name for path in directory.files()] == ["run.json"]
    assert directory.read_run() == a_run(status="unfinished", output=None)
    assert json.loads((directory.path / "run.json").read_text())["schema"] == "agents-eval/run/1"


def test_a_finished_run_is_read_back_as_it_was(finished: RunDirectory, a_run: Callable[..., Run]) -> None:
    run = RunDirectory.open(finished.path).read_run()
    assert run.changed(trace=None) == a_run()
    assert run.trace is not None
    assert len(run.trace.spans) == 3
    assert finished.read_run(with_trace=False) == a_run()
    assert [path.name for path in finished.files()] == ["review.json", "review.md", "run.json", "trace.otlp.jsonl"]


def test_a_failed_run_keeps_why_and_what_it_had(a_run: Callable[..., Run], tmp_path: Path) -> None:
    failed = a_run(status="failed", output=None, output_text="half", problem=Problem(error_type="E", message="broke"))
    directory = RunDirectory.create(tmp_path, failed)
    directory.finish(failed, {"trace.otlp.jsonl": b""})
    assert directory.read_run() == failed


def test_the_written_review_can_be_read_by_a_person(finished: RunDirectory) -> None:
    text = (finished.path / "review.md").read_text(encoding="utf-8")
    assert text.startswith("# Review of On noise\n")
    assert "## Weaknesses\n\n- No baseline.\n  None at all. (Table 1)\n" in text
    assert "- Rating: 6 on a scale of 1 to 10\n- Confidence: 2.5 on a scale of 1 to 5\n" in text
    assert "- Recommendation: weak accept" in text
    assert "- confidence: given as 'not 5, rather 2'; no number" in text


def test_the_offline_baseline_is_shown_as_no_language_model(a_run: Callable[..., Run], tmp_path: Path) -> None:
    run = a_run(system=a_run().system.changed(has_language_model=False))
    directory = RunDirectory.create(tmp_path, run)
    directory.finish(run, {})
    assert "offline-baseline (no language model)" in (directory.path / "review.md").read_text(encoding="utf-8")


def test_a_scorecard_is_read_back_as_it_was_and_can_be_replaced(
    finished: RunDirectory, a_scorecard: Callable[..., Scorecard]
) -> None:
    assert finished.read_scorecard() is None
    finished.write_scorecard(a_scorecard(), {"report.md": "# One"})
    finished.write_scorecard(a_scorecard(coverage=0.5), {"report.md": "# Two"})
    assert finished.read_scorecard() == a_scorecard(coverage=0.5)
    assert (finished.path / "report.md").read_text() == "# Two"


def test_a_finished_run_is_not_written_over(finished: RunDirectory, a_run: Callable[..., Run]) -> None:
    with pytest.raises(StorageError, match="finished already"):
        finished.finish(a_run(output=Review(summary="Another.")), {})
    assert finished.read_run(with_trace=False) == a_run()


numbers = st.floats(allow_nan=False, allow_infinity=False, width=32)
points = st.lists(st.builds(Point, text=st.text(), anchor=st.none() | st.text()), max_size=3).map(tuple)
scales = st.tuples(numbers, numbers).filter(lambda ends: ends[0] != ends[1])
ratings = scales.map(lambda ends: Rating(value=min(ends), scale=Scale(lowest=min(ends), highest=max(ends))))
reviews = st.builds(
    Review,
    summary=st.text(),
    strengths=points,
    weaknesses=points,
    rating=st.none() | ratings,
    confidence=st.none() | ratings,
    recommendation=st.sampled_from([None, "accept", "reject"]),
    flags=st.lists(st.builds(Flag, field=st.text(), given=st.text(), problem=st.text()), max_size=2).map(tuple),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(review=reviews)
def test_what_is_saved_is_what_is_read_for_any_review(
    review: Review, a_run: Callable[..., Run], tmp_path_factory: pytest.TempPathFactory
) -> None:
    run = a_run(output=review)
    directory = RunDirectory.create(tmp_path_factory.mktemp("any"), run)
    directory.finish(run, {})
    assert directory.read_run().output == review


def test_a_scale_without_end_which_could_not_be_saved_is_refused() -> None:
    with pytest.raises(ValueError, match="finite number"):
        Scale(lowest=0, highest=float("inf"))


def test_half_of_a_surrogate_pair_is_kept_as_an_unknown_letter(a_run: Callable[..., Run], tmp_path: Path) -> None:
    run = a_run(output=Review(summary="odd \ud83d letter"))
    directory = RunDirectory.create(tmp_path, run)
    directory.finish(run, {})
    assert directory.read_run().output == Review(summary="odd \ufffd letter")


def test_no_secret_reaches_any_file(
    a_run: Callable[..., Run], a_scorecard: Callable[..., Scorecard], tmp_path: Path
) -> None:
    run = a_run(
        output=Review(summary=f"I used\n{KEY}"),
        problem=Problem(error_type="E", message=f"{KEY} is wrong"),
        notes=(KEY,),
    )
    directory = RunDirectory.create(tmp_path, run)
    directory.finish(run, {"stream.jsonl": f'{{"api_key": "hidden", "x": "\\n{KEY}"}}\n'.encode()})
    card = a_scorecard()
    directory.write_scorecard(card.changed(caps=(KEY,)), {"report.md": KEY})
    assert len(directory.files()) == 6
    for path in directory.files():
        assert KEY not in path.read_text(), path.name
    assert json.loads((directory.path / "stream.jsonl").read_text())["api_key"] == "[REDACTED]"


@pytest.mark.parametrize("name", ["../outside", "a/b", "run.json", "review.json", "", "..", "/abs"])
def test_an_engines_file_has_a_plain_name_of_its_own(name: str, a_run: Callable[..., Run], tmp_path: Path) -> None:
    directory = RunDirectory.create(tmp_path / "runs", a_run())
    with pytest.raises(StorageError, match="cannot be kept beside a run"):
        directory.finish(a_run(), {name: b"x"})
    assert [path.name for path in tmp_path.iterdir()] == ["runs"]
    assert directory.read_run().status == "unfinished"


def test_what_is_no_run_directory_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path, found in (
        (tmp_path / "gone", "there is nothing"),
        (tmp_path / "file", "a file"),
        (tmp_path, "no run.json"),
    ):
        with pytest.raises(UsageError, match=f"is not a run directory.*{found}"):
            RunDirectory.open(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"schema": "agents-eval/run/2", "id": "x"}', "newer version of Agents-eval.*upgrade"),
        ('{"schema": "agents-eval/review/1"}', "is no run of Agents-eval: it has the schema 'agents-eval/review/1'"),
        ('{"id": "x"}', "it has no schema"),
        ("[1]", "it has no schema"),
        ('{"schema": "agents-eval/run/1", "id"', "is not valid JSON"),
        ("", "is not valid JSON"),
        ('{"schema": "agents-eval/run/1", "id": "x", "status": "done"}', "status does not fit"),
    ],
)
def test_a_damaged_or_foreign_file_is_told_with_its_name(finished: RunDirectory, content: str, said: str) -> None:
    (finished.path / "run.json").write_text(content)
    with pytest.raises(UnreadableError, match=rf"run\.json.*{said}"):
        finished.read_run()


def test_a_complete_run_whose_trace_is_damaged_is_not_read_as_one_without(finished: RunDirectory) -> None:
    (finished.path / "trace.otlp.jsonl").write_text("not a span")
    with pytest.raises(UnreadableError, match=r"trace\.otlp\.jsonl"):
        finished.read_run()
    assert finished.read_run(with_trace=False).status == "complete"


def test_a_full_disk_leaves_the_run_unfinished_and_says_what_to_do(
    a_run: Callable[..., Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = RunDirectory.create(tmp_path, a_run())
    before = [(path, path.read_bytes()) for path in directory.files()]
    real = os.write

    def full(descriptor: int, data: Any) -> int:
        real(descriptor, bytes(data)[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(StorageError, match=r"could not write review.json in .*: the disk is full; free some space"):
        directory.finish(a_run(), {})
    with pytest.raises(StorageError, match=r"could not write 2026.*the disk is full"):
        RunDirectory.create(tmp_path, a_run(id="another"))
    monkeypatch.undo()
    assert [(path, path.read_bytes()) for path in directory.files()] == before
    assert [path.name for path in tmp_path.iterdir()] == [directory.path.name]
    assert [path.name for path in directory.path.iterdir()] == ["run.json"]


def test_two_runs_never_share_a_directory(a_run: Callable[..., Run], tmp_path: Path) -> None:
    first = RunDirectory.create(tmp_path, a_run())
    with pytest.raises(StorageError, match="could not write 2026"):
        RunDirectory.create(tmp_path, a_run(notes=("another",)))
    assert first.read_run() == a_run(status="unfinished", output=None)
    assert [path.name for path in tmp_path.iterdir()] == [first.path.name]
