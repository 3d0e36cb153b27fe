import pytest

from agents_eval_cli.views.transfer_bar import TransferBar
from agents_eval_core.use_cases.download import TransferProgress


def _show(capsys: pytest.CaptureFixture[str], *, quiet: bool = False, plain_lines: bool = True) -> list[str]:
    with TransferBar(quiet=quiet, plain_lines=plain_lines) as bar:
        for done in range(101):
            bar(TransferProgress(files_done=done, files_total=100, bytes_done=done * 100_000, bytes_total=10_000_000))
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()


def test_without_a_terminal_each_tenth_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    lines = _show(capsys)
    assert len(lines) == 11
    assert lines[0] == "0 of 100 files, 0.0 of 10.0 MB"
    assert lines[-1] == "100 of 100 files, 10.0 of 10.0 MB"


@pytest.mark.parametrize(("quiet", "plain_lines"), [(True, True), (False, False)])
def test_nothing_is_shown_where_nothing_is_wanted(
    quiet: bool, plain_lines: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _show(capsys, quiet=quiet, plain_lines=plain_lines) == []


def test_on_a_terminal_there_is_a_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    shown = "\n".join(_show(capsys))
    assert "100 of 100 files" in shown
    assert "━" in shown


def test_a_download_of_nothing_is_no_division_by_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with TransferBar(quiet=False, plain_lines=True) as bar:
        bar(TransferProgress(files_done=0, files_total=0, bytes_done=0, bytes_total=0))
    assert capsys.readouterr().err == "0 of 0 files, 0.0 of 0.0 MB\n"
