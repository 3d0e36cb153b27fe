"""Downloads as commands make them: with a bar on standard error, and with Ctrl-C."""

from agents_eval_cli.interruptible import finished
from agents_eval_cli.session import Session
from agents_eval_cli.views.transfer_bar import TransferBar
from agents_eval_core.ports.remote_dataset import PaperSelection
from agents_eval_core.use_cases import download_papers as use_case
from agents_eval_core.use_cases.download import Download


def downloaded(session: Session, selection: PaperSelection) -> Download:
    """Return what a download came to, when it is at its end."""
    with session.line(TransferBar) as bar:
        return finished(use_case.download_papers(selection, settings=session.settings, on_progress=bar))


def repaired(session: Session) -> Download:
    """Return what fetching again what is missing or damaged came to."""
    with session.line(TransferBar) as bar:
        return finished(use_case.repair_papers(settings=session.settings, on_progress=bar))
