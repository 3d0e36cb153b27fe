"""The folder of a batch: its order, beside the journal and the workshop."""

from typing import Final

from agents_eval_core.batch import BatchOrder
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UnknownNameError, UsageError
from agents_eval_core.settings import Settings
from agents_eval_core.store.document import read_document, write_document
from agents_eval_core.use_cases.work_folder import WorkFolder

ORDER: Final = "batch.json"


class BatchFolder(WorkFolder):
    """`<data root>/batches/<name>`."""

    @classmethod
    def named(cls, name: str, root: DataRoot) -> "BatchFolder":
        """Return the folder of a batch that was begun.

        Raises:
            UnknownNameError: There is none of that name.
        """
        folder = cls(root.batches / name)
        if not (folder.path / ORDER).is_file():
            raise UnknownNameError("batch", name, batch_names(root), hint="'agents-eval batch report' lists all")
        return folder

    @classmethod
    def begin(cls, order: BatchOrder, root: DataRoot) -> "BatchFolder":
        """Return the folder of a batch that begins, with its order in it.

        Raises:
            UsageError: There is one of that name already.
        """
        folder = cls(root.batches / order.name)
        if (folder.path / ORDER).is_file():
            raise UsageError(
                f"there is a batch {order.name!r} already; 'agents-eval batch resume {order.name}' goes on with it, "
                "and --name gives a new one a name of its own"
            )
        folder.path.mkdir(parents=True, exist_ok=True)
        folder.keep_order(order)
        return folder

    def keep_order(self, order: BatchOrder) -> None:
        """Write down what the batch is begun with."""
        write_document(self.path / ORDER, "batch", order)

    def order(self) -> BatchOrder:
        """Return what the batch was begun with."""
        return read_document(self.path / ORDER, "batch", BatchOrder)

    def settings(self, order: BatchOrder) -> Settings:
        """Return the settings that the batch was begun with, in the data root where it lies now."""
        return Settings.model_validate(order.settings | {"AGENTS_EVAL_HOME": self.root.path})


def batch_names(root: DataRoot) -> tuple[str, ...]:
    """Return the names of the batches that were begun."""
    return tuple(sorted(path.parent.name for path in root.batches.glob(f"*/{ORDER}")))
