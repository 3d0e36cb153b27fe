"""The folder of a batch."""

from pathlib import Path
from typing import ClassVar

from agents_eval_core.batch import BatchOrder
from agents_eval_core.data_root import DataRoot
from agents_eval_core.use_cases.work_folder import WorkFolder


class BatchFolder(WorkFolder[BatchOrder]):
    """`<data root>/batches/<name>`."""

    kind: ClassVar[str] = "batch"
    listed_by: ClassVar[str] = "agents-eval batch report"
    order_shape = BatchOrder

    @classmethod
    def place(cls, root: DataRoot) -> Path:
        """Return where all of them lie."""
        return root.batches
