"""Which paper is meant: an id in a dataset, a file in a PeerRead folder, or a file of the user's own."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agents_eval_core.errors import UsageError

ENDINGS: Final = {"reviews": ".json", "parsed_pdfs": ".pdf.json"}
PEERREAD: Final = "peerread"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPaper:
    """A paper's id, with the dataset and the folder to look for it, or a file of the user's own, with no dataset."""

    paper: str | Path
    dataset: str | None
    data_dir: Path | None = None


def named_paper(paper: str | None, file: Path | None, dataset: str | None, data_dir: Path | None) -> NamedPaper:
    """Return the paper that the arguments name.

    A file in a PeerRead folder (`<venue>/<split>/reviews/<id>.json`, `…/parsed_pdfs/<id>.pdf.json`) is the paper of
    that id with its human reviews; any other file is one of the user's own.

    >>> named_paper("304", None, None, None)
    NamedPaper(paper='304', dataset='peerread', data_dir=None)
    >>> named_paper(None, Path("draft.pdf"), None, None).dataset is None
    True

    Raises:
        UsageError: None or two are named, or a dataset is named for a file.
    """
    if (paper is None) == (file is None):
        found = "none was named" if paper is None else "two were named"
        raise UsageError(
            f"{found}: give one paper, its file, or its id with --paper; 'agents-eval papers list' shows the ids"
        )
    if file is None:
        return NamedPaper(paper=str(paper), dataset=dataset or PEERREAD, data_dir=data_dir)
    place = file.resolve()
    ending = ENDINGS.get(place.parent.name)
    if ending is not None and place.name.endswith(ending) and place.is_file():
        name = place.name.removesuffix(ending)
        return NamedPaper(paper=name, dataset=dataset or PEERREAD, data_dir=place.parent.parent)
    if dataset is not None:
        raise UsageError(
            f"{file} is a file of its own and in no dataset; leave out --dataset, or give an id with --paper"
        )
    return NamedPaper(paper=file, dataset=None)
