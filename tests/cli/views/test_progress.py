"""The progress line."""

import pytest

from agents_eval_cli.views.progress import ProgressLine
from agents_eval_core.ports.engine import Progress


def show(line: ProgressLine) -> None:
    with line:
        line(Progress(agent="", action="no human review"))
        line(Progress(agent="researcher", action="searches for 'baseline'"))
        line(Progress(agent="researcher", action="searches for 'baseline'"))


def test_without_a_terminal_each_step_is_a_line_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    show(ProgressLine("x", quiet=False, plain_lines=True))
    shown = capsys.readouterr()
    assert shown.err == "x: no human review\nx: researcher: searches for 'baseline'\n"
    assert shown.out == ""


@pytest.mark.parametrize(("quiet", "plain_lines"), [(True, True), (False, False)])
def test_it_can_be_silent(quiet: bool, plain_lines: bool, capsys: pytest.CaptureFixture[str]) -> None:
    show(ProgressLine("", quiet=quiet, plain_lines=plain_lines))
    assert capsys.readouterr().err == ""


def test_on_a_terminal_it_is_one_live_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    show(ProgressLine("", quiet=False, plain_lines=False))
    shown = capsys.readouterr().err
    assert "researcher: searches for 'baseline'" in shown
    assert "no human review" in shown
    assert "\x1b[?25h" in shown  # the cursor is there again
