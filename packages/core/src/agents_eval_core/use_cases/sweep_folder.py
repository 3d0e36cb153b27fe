"""The folder of a sweep."""

from pathlib import Path
from typing import ClassVar

from agents_eval_core.data_root import DataRoot
from agents_eval_core.sweep import SweepOrder
from agents_eval_core.use_cases.work_folder import WorkFolder


class SweepFolder(WorkFolder[SweepOrder]):
    """`<data root>/sweeps/<name>`."""

    kind: ClassVar[str] = "sweep"
    listed_by: ClassVar[str] = "agents-eval sweep status"
    order_shape = SweepOrder

    @classmethod
    def place(cls, root: DataRoot) -> Path:
        """Return where all of them lie."""
        return root.sweeps
