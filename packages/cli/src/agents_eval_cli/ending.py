"""How a call ends: the exit codes, and one sentence for every problem."""

import errno
import os
from typing import Final, TextIO

import typer

from agents_eval_core.errors import AgentsEvalError, UnreadableError, UsageError

DONE: Final = 0
GATE_MISSED: Final = 1
USED_WRONGLY: Final = 2
RUN_FAILED: Final = 3
INTERRUPTED: Final = 130
NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
EXIT_CODES: Final = "Exit codes: 0 done, 1 a gate was missed, 2 used wrongly, 3 a run failed, 130 interrupted."


class Interrupted(Exception):  # noqa: N818  nothing went wrong: somebody pressed Ctrl-C
    """The user stopped the call; says what is kept."""


def exit_code(problem: BaseException) -> int:
    """Return the exit code of a problem.

    >>> from agents_eval_core.errors import PaperError, StorageError
    >>> exit_code(PaperError("no such paper")), exit_code(StorageError("disk full")), exit_code(KeyboardInterrupt())
    (2, 3, 130)
    """
    if isinstance(problem, Interrupted | KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(problem, UsageError | UnreadableError | typer.TyperException):
        return USED_WRONGLY
    return RUN_FAILED


def sentence(problem: BaseException) -> str:
    """Return what went wrong and what to do, on one line.

    >>> sentence(ZeroDivisionError("division by zero"))
    'unexpected ZeroDivisionError: division by zero; run again with --debug to see where'
    """
    if isinstance(problem, KeyboardInterrupt):
        return "interrupted"
    if isinstance(problem, typer.TyperException):
        return _one_line(f"{problem.format_message().rstrip('.')}; {_where_help_is(problem)}")
    if isinstance(problem, AgentsEvalError | Interrupted):
        return _one_line(str(problem))
    if isinstance(problem, OSError) and problem.strerror:
        where = f"{problem.filename}: " if problem.filename else ""
        advice = "free some space and try again" if problem.errno in NO_ROOM else "run again with --debug to see more"
        return _one_line(f"{where}{problem.strerror}; {advice}")
    return _one_line(f"unexpected {type(problem).__name__}: {problem}; run again with --debug to see where")


def quieten(stream: TextIO) -> None:
    """Let what is still written to a stream that nobody can read any more go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _where_help_is(problem: typer.TyperException) -> str:
    context = getattr(problem, "ctx", None)
    program = context.command_path if context is not None else "agents-eval"
    return f"'{program} --help' shows what there is"


def _one_line(text: str) -> str:
    return " ".join(text.split())
