"""PeerRead's public repository: which files it has, by git's own lists of folders."""

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Final, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Struct
from pydantic import ValidationError

from agents_eval_core.errors import NetworkError, PaperError, UnknownNameError
from agents_eval_core.ports.remote_dataset import Fetcher, PaperSelection
from agents_eval_core.remote_file import RemoteFile

T = TypeVar("T")
API: Final = "api.github.com"
RAW: Final = "raw.githubusercontent.com"
HOSTS: Final = frozenset({API, RAW})
REPOSITORY: Final = "allenai/PeerRead"
BRANCH: Final = "master"
DATA: Final = "data"
VENUES: Final = (
    "acl_2017",
    "arxiv.cs.ai_2007-2017",
    "arxiv.cs.cl_2007-2017",
    "arxiv.cs.lg_2007-2017",
    "conll_2016",
    "iclr_2017",
    "nips_2013-2017",
)
FILE_MODES: Final = ("100644", "100755")
FOLDER_MODE: Final = "040000"
PDFS: Final = "pdfs"
ENDINGS: Final = {"reviews": ".json", "parsed_pdfs": ".pdf.json", PDFS: ".pdf"}
TERMS: Final = ("LICENSE", "LICENSE.txt", "LICENSE.md", "README.md")
PAPER_LEVELS: Final = 4
LARGEST_LIST: Final = 16 * 1024 * 1024  # GitHub gives at most 7 MB
MOST_FILES: Final = 200_000
LARGEST_TOTAL: Final = 8 * 1024**3
DEEPEST: Final = 2  # below a venue: splits, and kinds of files
MOST_FOLDERS: Final = 20
OUTSIDE: Final = frozenset({"", ".", ".."})


class Commit(Struct, frozen=True):
    """What is read of GitHub's answer about a commit."""

    sha: str


class Entry(Struct, frozen=True):
    """A line of a folder's list."""

    path: str
    mode: str
    sha: str
    size: int = 0


class Tree(Struct, frozen=True):
    """A folder's list; `truncated` means that GitHub found it too long to give whole."""

    tree: tuple[Entry, ...]
    truncated: bool = False


async def list_papers(fetcher: Fetcher, selection: PaperSelection) -> tuple[RemoteFile, ...]:
    """Return the files of the wanted papers, by path.

    Raises:
        UnknownNameError: PeerRead has no such venue, or a venue no such split.
        PaperError: A venue has no papers in the repository.
        NetworkError: A list did not come or has something in it that no list of papers should have.
    """
    venues = dict.fromkeys(selection.venues)
    for venue in venues:
        if venue not in VENUES:
            raise UnknownNameError("venue", venue, VENUES)
    commit = _decoded(await fetcher.get(_api(f"commits/{BRANCH}"), largest_bytes=LARGEST_LIST), Commit).sha
    root = await _folders(fetcher, commit)
    data = await _folders(fetcher, root[DATA]) if DATA in root else {}
    found: list[RemoteFile] = []
    for venue in venues:
        if venue not in data:
            raise NetworkError(f"{REPOSITORY} has no folder {DATA}/{venue} any more; try another venue")
        entries = await _entries(fetcher, data[venue])
        found += _wanted(venue, list(_files(venue, entries, commit)), selection)
    return _sane(found)


def file_url(file: RemoteFile) -> str:
    """Return where the repository gives a file.

    >>> file_url(RemoteFile(path="acl_2017/dev/pdfs/a b.pdf", size=1, sha1="0" * 40, commit="1" * 40))[-33:]
    '/data/acl_2017/dev/pdfs/a%20b.pdf'
    """
    return f"https://{RAW}/{REPOSITORY}/{file.commit}/{DATA}/{quote(file.path)}"


async def _entries(fetcher: Fetcher, sha: str, prefix: str = "", depth: int = 0) -> list[Entry]:
    """Return the files under a folder; where its whole list is too long for GitHub, folder by folder."""
    whole = await _tree(fetcher, sha, recursive=True)
    if not whole.truncated:
        return [entry for entry in _checked(whole, prefix) if entry.mode != FOLDER_MODE]
    own = await _tree(fetcher, sha, recursive=False)
    entries = list(_checked(own, prefix))
    folders = [entry for entry in entries if entry.mode == FOLDER_MODE]
    if own.truncated or depth == DEEPEST or len(folders) > MOST_FOLDERS:
        raise NetworkError(f"GitHub gives no whole list of {DATA}/…/{prefix} of {REPOSITORY}: it is too long")
    files = [entry for entry in entries if entry.mode != FOLDER_MODE]
    for folder in folders:
        files += await _entries(fetcher, folder.sha, f"{folder.path}/", depth + 1)
    return files


def _checked(tree: Tree, prefix: str) -> Iterator[Entry]:
    if len(tree.tree) > MOST_FILES:
        raise NetworkError(
            f"the list of {REPOSITORY} has {len(tree.tree):,} lines, more than can be; nothing is fetched"
        )
    for entry in tree.tree:
        path = prefix + entry.path
        problem = None
        if OUTSIDE.intersection(path.split("/")) or "\\" in path or not path.isprintable():
            problem = "leads out of its folder"
        elif entry.mode not in (*FILE_MODES, FOLDER_MODE):
            problem = f"is no file or folder (mode {entry.mode[:10]!r}) but a link or a part of another repository"
        if problem is not None:
            raise NetworkError(f"the list of {REPOSITORY} names {path[:120]!r}, which {problem}; nothing is fetched")
        yield Entry(path=path, mode=entry.mode, sha=entry.sha, size=entry.size)


def _files(venue: str, entries: Iterable[Entry], commit: str) -> Iterator[RemoteFile]:
    """Yield the files that belong to PeerRead's layout, in a venue's list of whatever was put there."""
    for entry in entries:
        parts = entry.path.split("/")
        if any(part.startswith(".") for part in parts):
            continue
        is_paper = len(parts) == PAPER_LEVELS - 1 and parts[1] in ENDINGS
        if not is_paper and entry.path not in TERMS:
            continue
        try:
            yield RemoteFile(path=f"{venue}/{entry.path}", size=entry.size, sha1=entry.sha, commit=commit)
        except ValidationError as problem:
            first = problem.errors()[0]
            raise NetworkError(
                f"the list of {REPOSITORY} has {entry.path[:120]!r} with a {first['loc'][0]} that cannot be: "
                f"{first['msg']}; nothing is fetched"
            ) from problem


def _wanted(venue: str, files: list[RemoteFile], selection: PaperSelection) -> Iterator[RemoteFile]:
    """Yield the files of the wanted papers of a venue, and its terms of use."""
    papers = {(file.parts[1], paper_id): file for file in files if (paper_id := _paper_id(file, "reviews"))}
    if not papers:
        raise PaperError(
            f"the repository of PeerRead holds no papers of {venue}, only directions for getting them elsewhere: "
            f"https://github.com/{REPOSITORY}/tree/{BRANCH}/{DATA}/{venue}"
        )
    splits = {split for split, _ in papers}
    for split in selection.splits:
        if split not in splits:
            raise UnknownNameError(f"split of {venue}", split, splits)
    chosen = _chosen(papers, selection)
    kinds = [kind for kind in ENDINGS if kind != PDFS or selection.with_pdfs]
    for file in files:
        split = file.parts[1]
        if split in TERMS or any((split, _paper_id(file, kind)) in chosen for kind in kinds):
            yield file


def _chosen(papers: Iterable[tuple[str, str]], selection: PaperSelection) -> set[tuple[str, str]]:
    wanted = sorted(place for place in papers if not selection.splits or place[0] in selection.splits)
    by_split = groupby(wanted, key=lambda place: place[0])
    return {place for _, group in by_split for place in islice(group, selection.max_papers)}


def _paper_id(file: RemoteFile, kind: str) -> str:
    """Return the id of the paper that a file of `<venue>/<split>/<kind>/` is of; none for any other file."""
    if len(file.parts) != PAPER_LEVELS or file.parts[2] != kind or not file.parts[3].endswith(ENDINGS[kind]):
        return ""
    return file.parts[3].removesuffix(ENDINGS[kind])


def _sane(files: list[RemoteFile]) -> tuple[RemoteFile, ...]:
    total = sum(file.size for file in files)
    if len(files) > MOST_FILES or total > LARGEST_TOTAL:
        raise NetworkError(f"the list of {REPOSITORY} has {len(files):,} files of {total:,} bytes, more than can be")
    if len({file.path.casefold() for file in files}) < len(files):
        raise NetworkError(f"the list of {REPOSITORY} names one file twice, which cannot be; nothing is fetched")
    return tuple(sorted(files, key=lambda file: file.path))


async def _folders(fetcher: Fetcher, sha: str) -> dict[str, str]:
    tree = await _tree(fetcher, sha, recursive=False)
    return {entry.path: entry.sha for entry in tree.tree if entry.mode == FOLDER_MODE}


async def _tree(fetcher: Fetcher, sha: str, *, recursive: bool) -> Tree:
    query = "?recursive=1" if recursive else ""
    return _decoded(
        await fetcher.get(_api(f"git/trees/{quote(sha, safe='')}{query}"), largest_bytes=LARGEST_LIST), Tree
    )


def _api(path: str) -> str:
    return f"https://{API}/repos/{REPOSITORY}/{path}"


def _decoded(content: bytes, shape: type[T]) -> T:
    try:
        return msgspec.json.decode(content, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise NetworkError(f"{API} did not answer with a list of {REPOSITORY}: {problem}; try again later") from problem
