"""GitHub's lists of PeerRead's files: long ones, and such as nobody honest would send."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from agents_eval_core.datasets import peerread_repository
from agents_eval_core.datasets.peerread_repository import list_papers
from agents_eval_core.errors import NetworkError
from agents_eval_core.ports.remote_dataset import PaperSelection
from agents_eval_core.remote_file import RemoteFile

COMMIT = "9bb37751781a900cee9e74ec3105997732c8e8e5"
SHA = "0123456789abcdef0123456789abcdef01234567"
ICLR = PaperSelection(venues=("iclr_2017",), with_pdfs=True)


class Host:
    """Gives what a host of `https://api.github.com` would, without a network."""

    def __init__(self, answer: Callable[[str, str], bytes]) -> None:
        self.answer = answer
        self.asked: list[str] = []

    async def get(self, url: str, *, largest_bytes: int) -> bytes:
        self.asked.append(url)
        body = self.answer("api.github.com", url.removeprefix("https://api.github.com")).split(b"\r\n\r\n", 1)[1]
        assert len(body) <= largest_bytes
        return body


def _listing(*entries: dict[str, Any], **more: Any) -> Host:
    """Return a host whose list of the venue has these entries."""
    answers = {
        "commits/master": {"sha": COMMIT},
        f"git/trees/{COMMIT}": {"tree": [{"path": "data", "mode": "040000", "sha": "d" * 40}]},
        f"git/trees/{'d' * 40}": {"tree": [{"path": "iclr_2017", "mode": "040000", "sha": "e" * 40}]},
        f"git/trees/{'e' * 40}?recursive=1": {"tree": entries, **more},
    }

    def answer(_host: str, target: str) -> bytes:
        return b"\r\n\r\n" + json.dumps(answers[target.removeprefix("/repos/allenai/PeerRead/")]).encode()

    return Host(answer)


def _entry(path: str = "train/reviews/1.json", **more: Any) -> dict[str, Any]:
    return {"path": path, "mode": "100644", "type": "blob", "sha": SHA, "size": 10, **more}


async def test_an_honest_list_is_understood() -> None:
    found = await list_papers(_listing(_entry(), _entry("train", mode="040000", type="tree")), ICLR)
    assert found == (RemoteFile(path="iclr_2017/train/reviews/1.json", size=10, sha1=SHA, commit=COMMIT),)


@pytest.mark.parametrize(
    "path",
    [
        "../outside.json",
        "train/reviews/../../../outside.json",
        "train/../../outside.json",
        "..",
        ".",
        "/etc/passwd",
        "//etc/passwd",
        "train//reviews/1.json",
        "train/reviews/",
        "train\\reviews\\1.json",
        "..\\outside.json",
        "C:\\outside.json",
        "train/reviews/1\n.json",
        "train/reviews/\u202e1.json",
        "train/reviews/\x00.json",
        "",
    ],
)
async def test_a_list_that_leads_out_of_the_folder_is_refused_whole(path: str) -> None:
    with pytest.raises(NetworkError, match="leads out of its folder; nothing is fetched"):
        await list_papers(_listing(_entry(), _entry(path)), ICLR)


@pytest.mark.parametrize(
    "path", ["train/reviews/C:1.json", "train/reviews/NUL.json", "train/reviews/a|b.json", "con/reviews/1.json"]
)
async def test_a_name_that_some_system_reads_as_something_else_is_refused(path: str) -> None:
    with pytest.raises(NetworkError, match="with a path that cannot be"):
        await list_papers(_listing(_entry(), _entry(path)), ICLR)


@pytest.mark.parametrize("mode", ["120000", "160000", "100000", "", "x" * 1000])
async def test_a_list_with_links_is_refused_whole(mode: str) -> None:
    with pytest.raises(NetworkError, match="a link or a part of another repository; nothing is fetched"):
        await list_papers(_listing(_entry(), _entry("train/reviews/2.json", mode=mode)), ICLR)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (_entry(size=-1), "with a size that cannot be"),
        (_entry(size=10**15), "with a size that cannot be"),
        (_entry(sha="../../x"), "with a sha1 that cannot be"),
        (_entry(sha="g" * 40), "with a sha1 that cannot be"),
        (_entry(size="10"), "did not answer with a list"),
        ({"path": "x"}, "did not answer with a list"),
    ],
)
async def test_impossible_sizes_and_digests_are_refused(entry: dict[str, Any], words: str) -> None:
    with pytest.raises(NetworkError, match=words):
        await list_papers(_listing(entry), ICLR)


async def test_more_files_or_bytes_than_can_be_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [_entry(f"train/reviews/{number}.json", size=90_000_000) for number in range(100)]
    with pytest.raises(NetworkError, match=r"100 files of 9,000,000,000 bytes, more than can be"):
        await list_papers(_listing(*many), ICLR)
    monkeypatch.setattr(peerread_repository, "MOST_FILES", 99)
    with pytest.raises(NetworkError, match="has 100 lines, more than can be"):
        await list_papers(_listing(*many), ICLR)


async def test_two_names_that_are_one_on_some_systems_are_refused() -> None:
    with pytest.raises(NetworkError, match="names one file twice"):
        await list_papers(_listing(_entry("train/reviews/a.json"), _entry("train/reviews/A.json")), ICLR)


@pytest.mark.parametrize("answer", [b"", b"<html>", b"[]", b'{"sha": 1}', b'{"sha": null}', b"\xff", b"[" * 100_000])
async def test_an_answer_that_is_no_list_is_told(answer: bytes) -> None:
    with pytest.raises(NetworkError, match=r"api\.github\.com did not answer with a list of allenai/PeerRead"):
        await list_papers(Host(lambda _host, _target: b"\r\n\r\n" + answer), ICLR)


async def test_what_lies_beside_the_papers_is_left_alone() -> None:
    beside = ("train/.DS_Store", "train/reviews/.1.json.swp", "train/notes.txt", "train/reviews/old/1.json", "a.py")
    orphans = ("train/parsed_pdfs/9.pdf.json", "train/pdfs/9.pdf", "train/reviews/1.txt", "train/parsed_pdfs/1.json")
    others = [_entry(path) for path in (*beside, *orphans)]
    found = await list_papers(_listing(_entry(), _entry("LICENSE.txt"), *others), ICLR)
    assert [file.path for file in found] == ["iclr_2017/LICENSE.txt", "iclr_2017/train/reviews/1.json"]


@pytest.mark.parametrize(
    "truncated",
    [
        {"data/iclr_2017"},
        {"data/iclr_2017", "data/iclr_2017/train"},
        {"data/iclr_2017", "data/iclr_2017/train", "data/iclr_2017/dev"},
    ],
)
async def test_a_list_that_is_too_long_for_github_is_asked_for_folder_by_folder(
    truncated: set[str],
    github: Callable[..., Callable[[str, str], bytes]],
    venue_files: Callable[..., dict[str, bytes]],
) -> None:
    files = venue_files()
    whole = Host(github(files))
    expected = await list_papers(whole, ICLR)
    assert len(expected) == len(files)
    assert len(whole.asked) == 4
    assert await list_papers(Host(github(files, truncated=frozenset(truncated))), ICLR) == expected


async def test_a_folder_whose_own_list_is_cut_off_is_an_error_not_a_smaller_venue() -> None:
    cut_off = json.dumps({"tree": [_entry()], "truncated": True}).encode()
    lists = _listing()

    def answer(_host: str, target: str) -> bytes:
        return b"\r\n\r\n" + cut_off if "e" * 40 in target else lists.answer("", target)

    with pytest.raises(NetworkError, match="GitHub gives no whole list"):
        await list_papers(Host(answer), ICLR)


@pytest.mark.parametrize("folders", [1, 21])
async def test_a_list_that_never_comes_whole_is_not_asked_for_without_end(folders: int) -> None:
    endless = {
        "tree": [{"path": f"train{number}", "mode": "040000", "sha": "e" * 40} for number in range(folders)],
        "truncated": True,
    }
    lists = _listing()

    def answer(_host: str, target: str) -> bytes:
        if "e" * 40 not in target:
            return lists.answer("", target)
        return b"\r\n\r\n" + json.dumps({**endless, "truncated": "recursive" in target}).encode()

    host = Host(answer)
    with pytest.raises(NetworkError, match="GitHub gives no whole list"):
        await list_papers(host, ICLR)
    assert len(host.asked) <= 9


async def test_a_repository_without_papers_is_told() -> None:
    def answer(_host: str, target: str) -> bytes:
        return b"\r\n\r\n" + json.dumps({"sha": COMMIT} if "commits" in target else {"tree": []}).encode()

    with pytest.raises(NetworkError, match="has no folder data/iclr_2017 any more"):
        await list_papers(Host(answer), ICLR)
