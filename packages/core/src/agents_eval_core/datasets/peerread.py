"""PeerRead: papers with human peer reviews, scores and decisions (Kang et al., NAACL 2018, arXiv 1804.09635)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, field

from agents_eval_core.case import Case
from agents_eval_core.datasets.human_reviews import count_human_reviews, human_reviews, repaired
from agents_eval_core.datasets.json_file import read_json
from agents_eval_core.datasets.peerread_folder import Split, find_paper, find_splits
from agents_eval_core.datasets.peerread_repository import HOSTS, file_url, list_papers
from agents_eval_core.datasets.venues import venue_of
from agents_eval_core.errors import PaperError
from agents_eval_core.paper import Paper, Section, TextSource
from agents_eval_core.paper_files.outline import Outline
from agents_eval_core.paper_files.pdf import read_pdf
from agents_eval_core.ports.dataset import PaperEntry, PaperText
from agents_eval_core.ports.remote_dataset import Fetcher, PaperSelection
from agents_eval_core.remote_file import RemoteFile
from agents_eval_core.review import HumanReview


class ReviewsFile(Struct, frozen=True):
    """What is read of `reviews/<id>.json`; venues leave out what they do not have."""

    title: str | None = None
    abstract: str | None = None
    authors: str | list[Any] | None = None
    keywords: str | list[Any] | None = None
    subjects: str | None = field(name="SUBJECTS", default=None)
    accepted: Any = None
    reviews: list[dict[str, Any]] | None = None


class ParsedSection(Struct, frozen=True):
    """A section as science-parse gives it."""

    heading: str | None = None
    text: str | None = None


class ParsedMetadata(Struct, frozen=True):
    """What is read of a parsed PDF; the sections are null where science-parse failed."""

    title: str | None = None
    authors: list[Any] | None = None
    sections: list[ParsedSection | None] | None = None
    abstract: str | None = field(name="abstractText", default=None)


class ParsedPdf(Struct, frozen=True):
    """`parsed_pdfs/<id>.pdf.json`."""

    metadata: ParsedMetadata | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerReadDataset:
    """Reads PeerRead's layout on disk, and that of collections in the same shape."""

    name: str = "peerread"

    def entries(self, data_dir: Path | None) -> Iterator[PaperEntry]:
        """Yield the papers by venue, split and id.

        Raises:
            PaperError: The folder is not PeerRead's.
            UnreadableError: A file of reviews cannot be understood.
        """
        return (text.entry for text in self.texts(data_dir))

    def texts(self, data_dir: Path | None) -> Iterator[PaperText]:
        """Yield titles and abstracts by venue, split and id; full texts are not read.

        Raises:
            PaperError: The folder is not PeerRead's.
            UnreadableError: A file of reviews cannot be understood.
        """
        for split in find_splits(data_dir):
            venue = venue_of(split.venue)
            for paper_id in split.paper_ids():
                file = read_json(split.reviews_file(paper_id), ReviewsFile)
                entry = PaperEntry(
                    id=paper_id,
                    venue=split.venue,
                    split=split.name,
                    title=_clean(file.title),
                    usable_references=count_human_reviews(file.reviews or [], venue),
                    has_full_text=split.parsed_pdf(paper_id).is_file() or split.pdf(paper_id).is_file(),
                )
                yield PaperText(entry=entry, abstract=_clean(file.abstract))

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts of PeerRead's public repository."""
        return HOSTS

    async def listing(self, fetcher: Fetcher, selection: PaperSelection) -> tuple[RemoteFile, ...]:
        """Return the files of the wanted papers as the public repository lists them now.

        Raises:
            UnknownNameError: PeerRead has no such venue, or a venue no such split.
            PaperError: A venue has no papers in the repository.
            NetworkError: The list did not come, or has something in it that no list of papers should have.
        """
        return await list_papers(fetcher, selection)

    def url(self, file: RemoteFile) -> str:
        """Return where a file is, in the state in which it was listed."""
        return file_url(file)

    def case(self, paper_id: str, data_dir: Path | None) -> Case:
        """Return a paper with its human reviews; a paper without usable ones has no references.

        Args:
            paper_id: `<id>`, `<venue>/<id>` or `<venue>/<split>/<id>`.
            data_dir: The folder of venues, one venue or one split.

        Raises:
            PaperError: The folder is not PeerRead's, several papers have that id, or the paper has no text.
            UnknownNameError: No paper has that id.
            UnreadableError: A file of the paper cannot be understood.
        """
        split, stem = find_paper(find_splits(data_dir), paper_id)
        file = read_json(split.reviews_file(stem), ReviewsFile)
        venue = venue_of(split.venue)
        return Case(
            id=f"{split.venue}/{stem}",
            dataset=self.name,
            paper=self._paper(split, stem, file),
            references=human_reviews(file.reviews or [], venue),
            rating_scale=venue.rating,
            decision=_decision(file.accepted),
            needs_tools=True,
        )

    def references(self, paper_id: str, data_dir: Path | None) -> tuple[HumanReview, ...]:
        """Return a paper's usable human reviews, also where the paper itself has no text.

        Raises:
            PaperError: The folder is not PeerRead's, or several papers have that id.
            UnknownNameError: No paper has that id.
            UnreadableError: The file of reviews cannot be understood.
        """
        split, stem = find_paper(find_splits(data_dir), paper_id)
        file = read_json(split.reviews_file(stem), ReviewsFile)
        return human_reviews(file.reviews or [], venue_of(split.venue))

    def _paper(self, split: Split, stem: str, file: ReviewsFile) -> Paper:
        parsed = _parsed(split.parsed_pdf(stem))
        sections = _sections(parsed.sections or ())
        source: TextSource = "parsed_json"
        read = Outline()
        if not _has_text(sections):
            read = _of_pdf(split.pdf(stem))
            sections, source = read.sections, "pdf" if _has_text(read.sections) else "abstract"
        abstract = _clean(file.abstract) or _clean(parsed.abstract) or read.abstract
        if source == "abstract" and not abstract:
            raise PaperError(
                f"paper {split.venue}/{stem} has no text to review: its abstract is empty, "
                f"{split.parsed_pdf(stem)} has no text or is not there, and {_why_no_pdf(split.pdf(stem), read)}; "
                "add one of these files or choose another paper"
            )
        return Paper(
            id=stem,
            dataset=self.name,
            venue=split.venue,
            title=_clean(file.title) or _clean(parsed.title) or read.title,
            abstract=abstract,
            authors=_names(file.authors) or _names(parsed.authors) or read.authors,
            keywords=_names(file.keywords) or tuple((file.subjects or "").split()),
            sections=() if source == "abstract" else sections,
            text_source=source,
            notes=read.notes,
        )


def _parsed(path: Path) -> ParsedMetadata:
    metadata = read_json(path, ParsedPdf).metadata if path.is_file() else None
    return metadata or ParsedMetadata()


def _of_pdf(path: Path) -> Outline:
    """Return what a paper's PDF says; where there is none, or it cannot be read, nothing, and why in the notes."""
    if not path.is_file():
        return Outline()
    try:
        return read_pdf(path)
    except PaperError as problem:
        return Outline(notes=(f"the PDF could not be read: {problem}",))


def _why_no_pdf(path: Path, read: Outline) -> str:
    return read.notes[0] if read.notes else f"{path} is not there"


def _has_text(sections: Iterable[Section]) -> bool:
    return any(section.text for section in sections)


def _sections(parsed: Iterable[ParsedSection | None]) -> tuple[Section, ...]:
    cleaned = (Section(heading=_clean(part.heading), text=_clean(part.text)) for part in parsed if part is not None)
    return tuple(section for section in cleaned if section.heading or section.text)


def _clean(text: str | None) -> str:
    return repaired(text or "").strip()


def _names(given: str | list[Any] | None) -> tuple[str, ...]:
    every = given.split(",") if isinstance(given, str) else given or []
    cleaned = (_clean(name) for name in every if isinstance(name, str))
    return tuple(name for name in cleaned if name)


def _decision(accepted: object) -> Literal["accepted", "rejected"] | None:
    if not isinstance(accepted, bool):
        return None
    return "accepted" if accepted else "rejected"
