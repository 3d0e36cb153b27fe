"""Cases that people write: YAML or JSON, and clear words for what does not fit."""

from pathlib import Path

import pytest

from agents_eval_core.case_file import read_case
from agents_eval_core.errors import UnreadableError, UsageError


def written(text: str, name: str = "booking.yaml") -> Path:
    file = Path(name)
    file.write_text(text, encoding="utf-8")
    return file


def test_yaml_and_json_give_the_same_case() -> None:
    yaml = written("id: b\nexpected_calls:\n- {name: book, arguments: {seats: 2, window: true}}\nneeds_tools: true\n")
    json = written(
        '{"id": "b", "expected_calls": [{"name": "book", "arguments": {"seats": 2, "window": true}}],'
        ' "needs_tools": true}',
        "booking.json",
    )
    assert read_case(yaml) == read_case(json)


def test_words_and_dates_stay_what_they_are_in_a_trace() -> None:
    case = read_case(written("expected_calls: [{name: a, arguments: {on: 2026-05-01, sure: yes, n: 1, no: null}}]"))
    assert case.expected_calls[0].arguments == {"on": "2026-05-01", "sure": "yes", "n": 1, "no": None}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("expected_call: []", "did you mean 'expected_calls'"),
        ("expected_calls: [{nam: book}]", "expected_calls.0"),
        ("budget_seconds: soon", "budget_seconds"),
    ],
)
def test_a_field_that_does_not_fit_is_named(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        read_case(written(text))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- a\n- b", "holds list"),
        ("a: [", "neither YAML nor JSON"),
        ("prompt: &p x\ntask: *p", "alias"),
        ("prompt: a\nprompt: b", "'prompt' twice, in line 2"),
        ("!!python/object/apply:os.system [ls]", "neither YAML nor JSON"),
    ],
)
def test_what_is_no_plain_mapping_is_refused(text: str, says: str) -> None:
    with pytest.raises(UnreadableError, match=says):
        read_case(written(text))


def test_a_file_that_is_not_there_is_said_so() -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_case(Path("none.yaml"))
