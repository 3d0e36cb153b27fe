"""The folder of a sweep: its order, beside the journal and the workshop."""

from typing import Final

from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UnknownNameError, UsageError
from agents_eval_core.settings import Settings
from agents_eval_core.store.document import read_document, write_document
from agents_eval_core.sweep import SweepOrder
from agents_eval_core.use_cases.work_folder import WorkFolder

ORDER: Final = "sweep.json"


class SweepFolder(WorkFolder):
    """`<data root>/sweeps/<name>`."""

    @classmethod
    def named(cls, name: str, root: DataRoot) -> "SweepFolder":
        """Return the folder of a sweep that was begun.

        Raises:
            UnknownNameError: There is none of that name.
        """
        folder = cls(root.sweeps / name)
        if not (folder.path / ORDER).is_file():
            raise UnknownNameError("sweep", name, sweep_names(root), hint="'agents-eval sweep status' lists all")
        return folder

    @classmethod
    def begin(cls, order: SweepOrder, root: DataRoot) -> "SweepFolder":
        """Return the folder of a sweep that begins, with its order in it.

        Raises:
            UsageError: There is one of that name already.
        """
        folder = cls(root.sweeps / order.plan.name)
        if (folder.path / ORDER).is_file():
            raise UsageError(
                f"there is a sweep {order.plan.name!r} already; 'agents-eval sweep resume {order.plan.name}' goes on "
                "with it, and --name gives a new one a name of its own"
            )
        folder.path.mkdir(parents=True, exist_ok=True)
        write_document(folder.path / ORDER, "sweep", order)
        return folder

    def order(self) -> SweepOrder:
        """Return what the sweep was begun with."""
        return read_document(self.path / ORDER, "sweep", SweepOrder)

    def settings(self, order: SweepOrder) -> Settings:
        """Return the settings that the sweep was begun with, in the data root where it lies now."""
        return Settings.model_validate(order.settings | {"AGENTS_EVAL_HOME": self.root.path})


def sweep_names(root: DataRoot) -> tuple[str, ...]:
    """Return the names of the sweeps that were begun."""
    return tuple(sorted(path.parent.name for path in root.sweeps.glob(f"*/{ORDER}")))
