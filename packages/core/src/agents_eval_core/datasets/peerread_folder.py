"""Where the files of PeerRead lie: `<venue>/<split>/reviews/<id>.json` and `…/parsed_pdfs/<id>.pdf.json`."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agents_eval_core.errors import PaperError, UnknownNameError

NAMES_SHOWN: Final = 8
LONGEST_ID: Final = 200
ID_LEVELS: Final = 3
HINT: Final = "'agents-eval papers list' shows all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """One split of one venue: `train`, `dev` or `test`; for some venues, years."""

    venue: str
    name: str
    folder: Path

    def paper_ids(self) -> list[str]:
        """Return the ids of the papers in a stable order."""
        files = (self.folder / "reviews").iterdir()
        return sorted(file.stem for file in files if file.suffix == ".json" and not file.name.startswith("."))

    def reviews_file(self, paper_id: str) -> Path:
        """Return where a paper's title, abstract and reviews are."""
        return self.folder / "reviews" / f"{paper_id}.json"

    def parsed_pdf(self, paper_id: str) -> Path:
        """Return where a paper's full text is, if there is any."""
        return self.folder / "parsed_pdfs" / f"{paper_id}.pdf.json"

    def pdf(self, paper_id: str) -> Path:
        """Return where a paper's PDF is, if there is any; it is read where there is no parsed text."""
        return self.folder / "pdfs" / f"{paper_id}.pdf"


def find_splits(data_dir: Path | None) -> tuple[Split, ...]:
    """Return the splits under a folder of venues, a copy of PeerRead, one venue or one split, in a stable order.

    Raises:
        PaperError: No folder was given, or it is none of these.
    """
    if data_dir is None:
        raise PaperError(
            "the peerread dataset is read from a folder, and none was given; "
            "give --data-dir or set AGENTS_EVAL_DATA_DIR, get papers with 'agents-eval papers download iclr_2017', "
            "or take --dataset sample"
        )
    try:
        return _splits_under(data_dir)
    except OSError as problem:
        raise PaperError(f"{data_dir} cannot be read: {problem.strerror}; check --data-dir") from problem


def find_paper(splits: tuple[Split, ...], paper_id: str) -> tuple[Split, str]:
    """Return the split that has a paper, and the paper's id in it.

    Args:
        splits: Where to look.
        paper_id: `<id>`, `<venue>/<id>` or `<venue>/<split>/<id>`. Anything else is no paper's id: no id leads out of
            the folder.

    Raises:
        UnknownNameError: No paper has that id.
        PaperError: Several have.
    """
    *place, stem = paper_id.split("/")
    matches: list[Split] = []
    if _is_id(paper_id):
        matches = [split for split in splits if _is_in(split, place) and split.reviews_file(stem).is_file()]
    if not matches:
        levels = len(place)
        known = {"/".join((*_place(split)[:levels], name)) for split in splits for name in split.paper_ids()}
        raise UnknownNameError("paper", paper_id[:LONGEST_ID], known, hint=HINT)
    if len(matches) > 1:
        levels = 1 if len({split.venue for split in matches}) == len(matches) else 2
        places = _listed("/".join((*_place(split)[:levels], stem)) for split in matches)
        raise PaperError(f"{len(matches)} papers have the id {stem!r}: {places}; give one of these")
    return matches[0], stem


def _splits_under(data_dir: Path) -> tuple[Split, ...]:
    if not data_dir.is_dir():
        raise PaperError(f"there is no folder {data_dir}; give the one that holds the venues with --data-dir")
    folder = data_dir.resolve()
    splits = _splits(folder) or _splits_of_venues(folder) or _splits_of_venues(folder / "data")
    if not splits:
        raise PaperError(
            f"{data_dir} is not a PeerRead folder: looked for <venue>/<train|dev|test>/reviews, "
            f"found {_listed(file.name for file in folder.iterdir())}; "
            "give the folder that holds the venues with --data-dir"
        )
    return splits


def _splits(folder: Path) -> tuple[Split, ...]:
    if (folder / "reviews").is_dir():
        return (Split(venue=folder.parent.name, name=folder.name, folder=folder),)
    return tuple(
        Split(venue=folder.name, name=child.name, folder=child)
        for child in _folders(folder)
        if (child / "reviews").is_dir()
    )


def _splits_of_venues(folder: Path) -> tuple[Split, ...]:
    return tuple(split for venue in _folders(folder) if not (venue / "reviews").is_dir() for split in _splits(venue))


def _folders(folder: Path) -> list[Path]:
    return sorted(child for child in folder.iterdir() if child.is_dir()) if folder.is_dir() else []


def _is_id(paper_id: str) -> bool:
    parts = paper_id.split("/")
    harmless = paper_id.isprintable() and len(paper_id.encode()) <= LONGEST_ID and "\\" not in paper_id
    return harmless and len(parts) <= ID_LEVELS and all(part.strip(". ") for part in parts)


def _place(split: Split) -> tuple[str, str]:
    return split.venue, split.name


def _is_in(split: Split, place: list[str]) -> bool:
    return list(_place(split)[: len(place)]) == place


def _listed(names: Iterable[str]) -> str:
    every = sorted(names)
    shown = ", ".join(every[:NAMES_SHOWN]) + (", …" if len(every) > NAMES_SHOWN else "")
    return shown or "nothing"
