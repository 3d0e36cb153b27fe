"""One process at a time in a folder, and none after its death."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agents_eval_core.errors import StorageError
from agents_eval_core.store.folder_lock import folder_lock

HOLDER = """
import sys, time
from pathlib import Path
from agents_eval_core.store.folder_lock import folder_lock
with folder_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_process_holds_a_folder_until_it_is_killed(tmp_path: Path) -> None:
    folder = tmp_path / "made" / "when needed"
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StorageError, match="another process works in"), folder_lock(folder):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait(10)
    with folder_lock(folder):
        pass


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match=r"could not write \.lock"), folder_lock(tmp_path / "file" / "below"):
        pass
