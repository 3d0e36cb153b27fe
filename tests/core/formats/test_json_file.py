import json
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.json_text.json_file import open_json
from agents_eval_core.formats.json_text.json_sketch import sketch


def values_of(data: bytes) -> tuple[list[Any], dict[str, int]]:
    path = Path("file.json")
    path.write_bytes(data)
    file = open_json(path)
    return list(file.values()), dict(file.unread)


def test_objects_lists_and_lines_are_told_apart_however_they_are_laid_out() -> None:
    entries = [{"a": 1, "b": [1]}, {"a": 2}]
    lines = b"\n".join(json.dumps(entry).encode() for entry in entries)
    for data in (
        json.dumps(entries).encode(),
        json.dumps(entries, indent=1).encode(),
        b"[" + lines.replace(b"\n", b",\n") + b"]",
        lines,
        lines.replace(b"\n", b"\r\n\r\n"),
        b"\xef\xbb\xbf" + lines,
        lines.decode().encode("utf-16"),
    ):
        assert values_of(data) == (entries, {})
    assert values_of(json.dumps({"x": entries}, indent=1).encode()) == ([{"x": entries}], {})


def test_a_line_that_is_damaged_or_half_written_is_read_as_far_as_it_goes() -> None:
    values, unread = values_of(b'{"a": 1}\n{"b": [1, 2, {"c": \n{"d": 4, "e": "half')
    assert values == [{"a": 1}, {"b": [1, 2, {}]}, {"d": 4}]
    assert unread == {"damaged line": 2}


def test_the_first_problem_is_named_with_its_place() -> None:
    path = Path("file.json")
    path.write_bytes(b'{"a": 1}\n{"b"\n')
    file = open_json(path)
    assert list(file.values()) == [{"a": 1}, {}]
    with pytest.raises(UnreadableError, match=r"file\.json holds no message: line 2: damaged line"):
        list(file.closing(iter([]), "message"))


def test_a_sketch_of_a_head_that_breaks_off_says_so() -> None:
    data = json.dumps([{"role": "user", "content": "x" * 50}] * 5).encode()
    seen = sketch(data[:200])
    assert seen is not None
    assert seen.is_cut
    assert all(entry == {"role": "user", "content": "x" * 50} for entry in seen.whole(seen.value))
    assert sketch(b"PK\x03\x04") is None
