"""The files of a sweep's report, beside its journal."""

from pathlib import Path

from agents_eval_core.data_root import DataRoot
from agents_eval_core.report.sweep_html import sweep_html
from agents_eval_core.report.sweep_markdown import sweep_markdown
from agents_eval_core.store.atomic_file import write_atomically
from agents_eval_core.sweep_outcome import SweepReport
from agents_eval_core.use_cases.sweep_cells import cells_csv, sweep_cells
from agents_eval_core.use_cases.sweep_folder import SweepFolder

FILES = {"markdown": "report.md", "html": "report.html", "csv": "results.csv"}


def keep_sweep_report(report: SweepReport, root: DataRoot) -> dict[str, tuple[Path, str]]:
    """Write the report of a sweep as Markdown, as a page and as a table; return files and contents by view.

    Raises:
        StorageError: A file could not be written.
    """
    folder = SweepFolder.named(report.order.plan.name, root)
    contents = {
        "markdown": sweep_markdown(report),
        "html": sweep_html(report),
        "csv": cells_csv(sweep_cells(folder)),
    }
    for view, text in contents.items():
        write_atomically(folder.path / FILES[view], text.encode("utf-8", "replace"))
    return {view: (folder.path / FILES[view], text) for view, text in contents.items()}
