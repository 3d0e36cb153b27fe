from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.case import Case
from agents_eval_core.run import Run
from agents_eval_core.store.directory_name import directory_name, readable
from agents_eval_core.store.run_directory import RunDirectory

HOSTILE = [
    *(
        "../../etc/passwd",
        "..",
        "",
        "a\x00b",
        "x" * 5000,
        "ü" * 300,
        "論文 12",
        "CON",
        "nul.txt",
        'a:b|c?*<>"',
        "C:\\x",
    ),
    *("/abs/olute", "~/.ssh", "-rf", "a\nb", "\ud800", "e\u0301", "\u202egpj.exe", " . ", "%2e%2e%2f"),
]


def test_a_name_says_when_with_what_and_about_what(a_run: Callable[..., Run]) -> None:
    assert directory_name(a_run()) == "20260102T030405Z_mas_p-1_0a1b2c3d"


def test_the_time_is_utc(a_run: Callable[..., Run]) -> None:
    here = datetime(2026, 1, 2, 1, 0, tzinfo=timezone(timedelta(hours=5)))
    assert directory_name(a_run(created_at=here)).startswith("20260101T200000Z_")


@pytest.mark.parametrize("case_id", HOSTILE, ids=ascii)
def test_a_hostile_paper_id_stays_inside_and_can_be_read_back(
    case_id: str, a_run: Callable[..., Run], tmp_path: Path
) -> None:
    run = a_run(case=Case(id=case_id), id=f"strange {case_id[:9]}/..")
    directory = RunDirectory.create(tmp_path / "runs", run)
    assert directory.path.parent == tmp_path / "runs"
    assert directory.path.resolve().parent == (tmp_path / "runs").resolve()
    assert [path.name for path in tmp_path.iterdir()] == ["runs"]
    assert RunDirectory.open(directory.path).read_run().case.id == case_id.replace("\ud800", "\ufffd")


@given(st.text(max_size=200))
def test_a_part_of_a_name_is_one_that_every_file_system_takes(text: str) -> None:
    part = readable(text, 80)
    assert part
    assert len(part.encode()) <= 80
    assert not set(part) & set('/\\:*?"<>|_ \x00\n')
    assert part.strip("-.") == part
    assert ".." not in part


def test_a_key_in_a_papers_id_is_not_written_into_the_name(a_run: Callable[..., Run]) -> None:
    assert "abc123" not in directory_name(a_run(case=Case(id="api_key=abc123xyz")))
