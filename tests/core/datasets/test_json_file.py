import os
from pathlib import Path

import pytest

from agents_eval_core.datasets.json_file import read_json
from agents_eval_core.errors import UnreadableError


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'\xef\xbb\xbf{"title": "\xc3\xa4"}\n')
    assert read_json(tmp_path / "a.json", dict[str, str]) == {"title": "ä"}


def test_a_file_over_the_limit_is_refused_before_it_is_understood(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"[" * 101)
    with pytest.raises(UnreadableError, match=r"a\.json is larger than 100 bytes"):
        read_json(tmp_path / "a.json", list[int], largest_bytes=100)


def test_a_file_at_the_limit_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"[" + b" " * 98 + b"]")
    assert read_json(tmp_path / "a.json", list[int], largest_bytes=100) == []


@pytest.mark.parametrize("content", [b"[" * 200_000, b'{"a":' * 200_000, b'"\\ud800"', b"\xff", b"{]", b""])
def test_what_is_not_json_names_the_file(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(UnreadableError, match=r"a\.json is not JSON of the expected shape"):
        read_json(tmp_path / "a.json", object)


def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.json")
    with pytest.raises(UnreadableError, match=r"a\.json is not there or is not a file"):
        read_json(tmp_path / "a.json", object)
