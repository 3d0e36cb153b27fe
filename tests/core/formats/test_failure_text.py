import pytest

from agents_eval_core.formats.building.failure_text import failure_in


@pytest.mark.parametrize(
    ("text", "error_type"),
    [
        ("Error: user not found", "ToolError"),
        ("ERROR - no route", "ToolError"),
        ("Error executing tool read: no file", "ToolError"),
        ("Traceback (most recent call last):\n  File x\nKeyError: 'a'", "KeyError"),
        ("requests.exceptions.ReadTimeout: slow\nReadTimeoutError", None),
        ("ValueError: bad", "ValueError"),
        ("json.decoder.JSONDecodeError: Expecting value", "JSONDecodeError"),
        ("exitcode: 1 (execution failed)\nsomething", "exit code 1"),
        ("exitcode: 124 (execution failed)\n", "TimeoutError"),
        ("exitcode: 0 (execution succeeded)\nTraceback (most recent call last):", None),
        ("The script ran, then exited with Unix exit code: 2\n", "exit code 2"),
        ("The script ran but produced no output to console. The Unix exit code was: 0.", None),
        ("Error: the call was cancelled", "CancelledError"),
        ("Error: KeyError('a')\n Please fix your mistakes.", "ToolRetryError"),
        ("Error: request timed out", "TimeoutError"),
        ('{"error": {"code": 4}}', "ToolError"),
        ('{"error": ""}', None),
        ('{"errors": []}', None),
        ("Errors and how to avoid them", None),
        ("Error handling in Python", None),
        ("There was no error", None),
        ("", None),
        (None, None),
    ],
)
def test_texts_are_failures_by_their_beginning_only(text: str | None, error_type: str | None) -> None:
    failure = failure_in(text)
    assert (failure.error_type if failure else None) == error_type


@pytest.mark.parametrize("unit", ["a.", "Aa", "error ", " ", "exit code ", "{", "A" * 60 + "Erro "])
def test_long_texts_take_no_time(unit: str) -> None:
    text = unit * 200_000
    assert failure_in(text) is None or failure_in(text) is not None
    assert failure_in("Error: " + text) is not None
