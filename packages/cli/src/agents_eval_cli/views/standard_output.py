"""Standard output, which somebody may have closed or let run full."""

import sys

from agents_eval_cli.ending import quieten
from agents_eval_core.errors import StorageError


def write_result(text: str) -> None:
    """Write a result; a reader that went away (`| head`) is no error.

    Raises:
        StorageError: It could not be written, as on a full disk.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        quieten(sys.stdout)
    except OSError as problem:
        quieten(sys.stdout)
        raise StorageError(
            f"the result could not be written to standard output: {problem.strerror}; send it to where there is room"
        ) from problem
