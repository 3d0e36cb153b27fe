"""Downloading, verifying and repairing, against a host on this machine that misbehaves."""

import asyncio
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from agents_eval_core.datasets.peerread import PeerReadDataset
from agents_eval_core.errors import (
    NetworkError,
    PaperError,
    RateLimitedError,
    StorageError,
    UnknownNameError,
    UnreachableError,
    UnreadableError,
    UsageError,
)
from agents_eval_core.outgoing.policy import Limits, Policy
from agents_eval_core.ports.remote_dataset import PaperSelection
from agents_eval_core.settings import Settings
from agents_eval_core.store.folder_lock import folder_lock
from agents_eval_core.use_cases.data_folder import data_folder, download_folder
from agents_eval_core.use_cases.download import Download, TransferProgress
from agents_eval_core.use_cases.download_papers import download_papers, repair_papers
from agents_eval_core.use_cases.verify_papers import verify_papers

Answer = Callable[[str, str], bytes | Iterator[bytes]]
Serve = Callable[[Answer], Policy]
Reply = Callable[..., bytes]
GitHub = Callable[..., Callable[[str, str], bytes]]
VenueFiles = Callable[..., dict[str, bytes]]

DRIVER = Path(__file__).with_name("download_driver.py")
RAW = "raw.githubusercontent.com"
LIMITS = Limits(
    connect_seconds=5.0,
    read_seconds=5.0,
    total_seconds=10.0,
    attempts=3,
    first_wait_seconds=0.01,
    longest_wait_seconds=1.0,
)
ALL = PaperSelection(venues=("iclr_2017",), with_pdfs=True)


def _settings(home: Path = Path("root")) -> Settings:
    return Settings.model_validate({"AGENTS_EVAL_HOME": home})


async def _download(
    policy: Policy, selection: PaperSelection = ALL, *, home: Path = Path("root"), limits: Limits = LIMITS
) -> Download:
    return await download_papers(selection, settings=_settings(home), policy=policy, limits=limits)


def _on_disk(home: Path = Path("root")) -> dict[str, bytes]:
    folder = download_folder("peerread", _settings(home))
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def _papers(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {path: content for path, content in files.items() if path not in ("manifest.json", ".lock")}


async def test_a_venue_is_there_byte_for_byte_and_the_reader_finds_it(
    serve: Serve, github: GitHub, venue_files: VenueFiles
) -> None:
    files = venue_files()
    done = await _download(serve(github(files)))
    assert (done.files, done.fetched, done.kept, done.failed) == (len(files), len(files), 0, ())
    assert done.bytes == sum(map(len, files.values()))
    assert _papers(_on_disk()) == {path.removeprefix("data/"): content for path, content in files.items()}
    folder = data_folder("peerread", None, _settings())
    assert folder == done.folder
    entries = list(PeerReadDataset().entries(folder))
    assert [(entry.venue, entry.split, entry.id) for entry in entries[:4]] == [
        ("iclr_2017", "dev", "100"),
        ("iclr_2017", "dev", "101"),
        ("iclr_2017", "dev", "102"),
        ("iclr_2017", "train", "100"),
    ]
    case = PeerReadDataset().case("iclr_2017/train/101", folder)
    assert case.paper is not None
    assert case.paper.text_source == "parsed_json"
    assert verify_papers(settings=_settings()).is_sound


async def test_the_manifest_names_commit_path_size_and_digest(
    serve: Serve, github: GitHub, venue_files: VenueFiles
) -> None:
    await _download(serve(github(venue_files(papers=1))))
    manifest = json.loads(_on_disk()["manifest.json"])
    assert manifest["schema"] == "agents-eval/paper-manifest/1"
    assert manifest["dataset"] == "peerread"
    first = manifest["files"][0]
    assert first == {
        "path": "iclr_2017/README.md",
        "size": 27,
        "sha1": first["sha1"],
        "commit": "9bb37751781a900cee9e74ec3105997732c8e8e5",
    }
    assert len(manifest["files"]) == 7


async def test_splits_numbers_and_pdfs_are_as_asked_for(serve: Serve, github: GitHub, venue_files: VenueFiles) -> None:
    policy = serve(github(venue_files(papers=5, splits=("dev", "test", "train"))))
    await _download(policy, PaperSelection(venues=("iclr_2017",), splits=("dev", "train"), max_papers=2))
    kinds = Counter("/".join(path.split("/")[1:3]) for path in _papers(_on_disk()))
    assert kinds == {"README.md": 1, "dev/reviews": 2, "dev/parsed_pdfs": 2, "train/reviews": 2, "train/parsed_pdfs": 2}
    more = await _download(policy, PaperSelection(venues=("iclr_2017",), splits=("dev",), max_papers=3, with_pdfs=True))
    assert (more.kept, more.fetched) == (5, 5)
    manifest = json.loads(_on_disk()["manifest.json"])
    assert len(manifest["files"]) == 14  # those of the first download still belong there
    assert verify_papers(settings=_settings()).is_sound


async def test_all_of_a_split_means_all_of_it(serve: Serve, github: GitHub, venue_files: VenueFiles) -> None:
    """Defect D28: a full download stopped at 100 papers of each split."""
    policy = serve(github(venue_files("arxiv.cs.ai_2007-2017", papers=130, splits=("train",))))
    done = await _download(policy, PaperSelection(venues=("arxiv.cs.ai_2007-2017",)))
    assert done.fetched == 261
    assert len(list(PeerReadDataset().entries(done.folder))) == 130


async def test_a_second_download_fetches_nothing(serve: Serve, github: GitHub, venue_files: VenueFiles) -> None:
    files = venue_files()
    await _download(serve(github(files)))
    before = _on_disk()
    asked: list[str] = []
    answer = github(files)

    def counted(host: str, target: str) -> bytes:
        asked.append(host)
        return answer(host, target)

    again = await _download(serve(counted))
    assert (again.fetched, again.kept) == (0, len(files))
    assert RAW not in asked
    assert _on_disk() == before


def _misbehaving(answer: Answer, reply: Reply) -> tuple[Answer, Counter[str]]:
    """Return a host each of whose files comes in a wrong way first, all ways in turn."""
    ways = (
        "truncated",
        "silent",
        "429",
        "500",
        "lies short",
        "lies long",
        "wrong",
        "longer",
        "dropped",
        "redirect",
        "404",
    )
    seen: dict[str, int] = {}
    done: Counter[str] = Counter()
    lock = threading.Lock()

    def misbehave(host: str, target: str) -> bytes | Iterator[bytes]:
        good = answer(host, target)
        with lock:
            is_first = target not in seen
            place = seen.setdefault(target, len(seen))
        if host != RAW or not is_first:
            return good
        assert isinstance(good, bytes)
        body = good.split(b"\r\n\r\n", 1)[1]
        way = ways[place % len(ways)]
        done[way] += 1
        match way:
            case "silent":
                time.sleep(0.4)
                return b""
            case "dropped":
                return b""
            case "429":
                return reply(status=429, retry_after=0)
            case "redirect":
                return reply(status=302, location="https://evil.test/paper.json")
            case _:
                pass
        return {
            "truncated": reply(body[: len(body) // 2], length=len(body)),
            "500": reply(b"oops", status=500),
            "lies short": reply(body, length=len(body) - 5),
            "lies long": reply(body, length=len(body) + 5),
            "wrong": reply(bytes(reversed(body))),
            "longer": reply(body + b" "),
            "404": reply(status=404),
        }[way]

    return misbehave, done


async def test_a_host_that_misbehaves_in_every_way_gives_the_same_result_in_the_end(
    serve: Serve, github: GitHub, venue_files: VenueFiles, reply: Reply
) -> None:
    files = venue_files(papers=4)
    await _download(serve(github(files)), home=Path("undisturbed"))
    answer, done = _misbehaving(github(files), reply)
    policy = serve(answer)
    first = await _download(policy, limits=replace(LIMITS, read_seconds=0.3))
    assert len(done) == 11
    problems = " ".join(each.problem for each in first.failed)
    assert "evil.test" in problems
    assert "404" in problems
    assert first.fetched + len(first.failed) == len(files)
    assert set(verify_papers(settings=_settings()).missing) == {each.path for each in first.failed}
    second = await _download(policy)
    assert second.failed == ()
    assert _on_disk() == _on_disk(Path("undisturbed"))


async def test_a_file_that_never_comes_right_is_not_kept(
    serve: Serve, github: GitHub, venue_files: VenueFiles, reply: Reply
) -> None:
    answer = github(venue_files())

    def forged(host: str, target: str) -> bytes:
        good = answer(host, target)
        if not target.endswith("train/reviews/101.json"):
            return good
        return reply(b"x" * len(good.split(b"\r\n\r\n", 1)[1]))

    done = await _download(serve(forged))
    [failed] = done.failed
    assert failed.path == "iclr_2017/train/reviews/101.json"
    assert "came 3 times, but its content is not what was listed" in failed.problem
    assert not (done.folder / failed.path).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize(
    "deaths",
    [[("write", 2), ("fsync", 4), ("replace", 2)], [("request", 1), ("request", 3), ("write", 1), ("replace", 6)]],
)
async def test_a_download_that_is_killed_again_and_again_equals_an_undisturbed_one(
    deaths: list[tuple[str, int]],
    *,
    serve: Serve,
    github: GitHub,
    venue_files: VenueFiles,
    authority: Path,
    tmp_path: Path,
) -> None:
    files = venue_files()
    await _download(serve(github(files)), home=Path("undisturbed"))
    answer = github(files)
    reached = threading.Event()
    left = [0]

    def stopping(host: str, target: str) -> bytes:
        if host == RAW and left[0]:
            left[0] -= 1
            if not left[0]:
                reached.set()
                time.sleep(0.2)
        return answer(host, target)

    [(_, port)] = await serve(stopping).resolve("", 443)
    for kind, number in [*deaths, ("none", 0)]:
        left[0] = number if kind == "request" else 0
        reached.clear()
        at = (kind, str(number)) if kind != "request" else ("none", "0")
        child = subprocess.Popen(  # noqa: ASYNC220  the host answers in threads of its own
            [sys.executable, str(DRIVER), str(tmp_path / "root"), str(authority), str(port), *at]
        )
        if kind == "request":
            await asyncio.to_thread(reached.wait, 20)
            child.kill()
        code = await asyncio.to_thread(child.wait, 20)
        assert code == (0 if kind == "none" else -9)
    assert _on_disk() == _on_disk(Path("undisturbed"))


async def test_what_a_killed_download_left_is_named_by_verify(
    serve: Serve, github: GitHub, venue_files: VenueFiles
) -> None:
    done = await _download(serve(github(venue_files())))
    (done.folder / "iclr_2017/dev/reviews/.~0123456789abcdef").write_bytes(b"half")
    assert verify_papers(settings=_settings()).superfluous == ("iclr_2017/dev/reviews/.~0123456789abcdef",)
    await _download(serve(github(venue_files())))
    assert verify_papers(settings=_settings()).is_sound


async def test_without_network_a_download_says_so_at_once(venue_files: VenueFiles) -> None:
    async def offline(_host: str, _port: int) -> list[tuple[str, int]]:
        raise OSError("Network is unreachable")

    begun = time.monotonic()
    with pytest.raises(
        UnreachableError, match=r"api\.github\.com cannot be reached: Network is unreachable; this needs"
    ):
        await download_papers(
            ALL, settings=_settings(), policy=Policy(hosts=frozenset({"api.github.com"}), resolve=offline)
        )
    assert time.monotonic() - begun < 2


async def test_a_network_that_goes_away_ends_it_and_what_came_is_kept(
    serve: Serve, github: GitHub, venue_files: VenueFiles
) -> None:
    files, came = venue_files(papers=10), [0]
    answer = github(files)

    def counted(host: str, target: str) -> bytes:
        came[0] += host == RAW
        return answer(host, target).replace(b"connection: keep-alive", b"connection: close")

    policy = serve(counted)

    async def until(host: str, port: int) -> list[tuple[str, int]]:
        if came[0] >= 20:
            raise OSError("Network is unreachable")
        return list(await policy.resolve(host, port))

    with pytest.raises(UnreachableError, match=r"\d+ of 61 files are there; the same command goes on from here: "):
        await _download(replace(policy, resolve=until))
    whole = len(_papers(_on_disk()))
    assert 15 <= whole < 61
    again = await _download(policy)
    assert (again.kept, again.fetched) == (whole, 61 - whole)


async def test_the_rate_limit_of_github_is_told_clearly(serve: Serve, reply: Reply) -> None:
    reset = int(time.time()) + 1500
    limited = serve(lambda _host, _target: reply(status=403, x_ratelimit_remaining=0, x_ratelimit_reset=reset))
    with pytest.raises(RateLimitedError, match=r"api\.github\.com wants no more requests for 2\d min"):
        await _download(limited)


async def test_a_rate_limit_in_between_stops_all_requests(
    serve: Serve, github: GitHub, venue_files: VenueFiles, reply: Reply
) -> None:
    answer = github(venue_files(papers=20))
    asked: list[str] = []

    def limited(host: str, target: str) -> bytes:
        if host != RAW:
            return answer(host, target)
        asked.append(target)
        return answer(host, target) if len(asked) <= 10 else reply(status=429, retry_after=900)

    with pytest.raises(RateLimitedError, match=r"10 of 121 files are there; .*15 min"):
        await _download(serve(limited))
    assert len(asked) <= 14


async def test_verify_names_what_is_missing_damaged_and_superfluous_and_repair_fetches_it(
    serve: Serve, github: GitHub, venue_files: VenueFiles
) -> None:
    policy = serve(github(venue_files()))
    done = await _download(policy)
    before = _on_disk()
    (done.folder / "iclr_2017/dev/reviews/100.json").unlink()
    (done.folder / "iclr_2017/dev/pdfs/101.pdf").write_bytes(b"")
    changed = done.folder / "iclr_2017/train/parsed_pdfs/102.pdf.json"
    changed.write_bytes(changed.read_bytes().swapcase())
    (done.folder / "iclr_2017/notes.txt").write_text("mine")
    found = verify_papers(settings=_settings())
    assert found.missing == ("iclr_2017/dev/reviews/100.json",)
    assert found.damaged == ("iclr_2017/dev/pdfs/101.pdf", "iclr_2017/train/parsed_pdfs/102.pdf.json")
    assert found.superfluous == ("iclr_2017/notes.txt",)
    assert not found.is_sound
    repaired = await repair_papers(settings=_settings(), policy=policy, limits=LIMITS)
    assert (repaired.fetched, repaired.kept, repaired.failed) == (3, done.files - 3, ())
    assert _on_disk() == {**before, "iclr_2017/notes.txt": b"mine"}


def test_there_is_nothing_to_verify_before_the_first_download() -> None:
    with pytest.raises(PaperError, match="'agents-eval papers download iclr_2017' gets a venue"):
        verify_papers(settings=_settings())


async def test_a_manifest_that_was_tampered_with_leads_nowhere(
    serve: Serve, github: GitHub, venue_files: VenueFiles
) -> None:
    policy = serve(github(venue_files()))
    done = await _download(policy)
    manifest = done.folder / "manifest.json"
    good = manifest.read_text()
    for path in ("../../outside.json", "/etc/outside.json", "a/../../b", "a\\\\b", ".lock"):
        manifest.write_text(good.replace("iclr_2017/README.md", path))
        with pytest.raises(UnreadableError, match=r"manifest\.json"):
            verify_papers(settings=_settings())
        with pytest.raises(UnreadableError, match=r"manifest\.json"):
            await repair_papers(settings=_settings(), policy=policy, limits=LIMITS)
    assert not list(done.folder.parents[2].rglob("outside.json"))


async def test_a_link_in_place_of_a_file_is_damage_and_is_replaced_not_followed(
    serve: Serve, github: GitHub, venue_files: VenueFiles
) -> None:
    policy = serve(github(venue_files()))
    done = await _download(policy)
    place, outside = done.folder / "iclr_2017/dev/reviews/100.json", done.folder.parent / "outside.json"
    outside.write_bytes(place.read_bytes())
    place.unlink()
    place.symlink_to(outside.resolve())
    assert verify_papers(settings=_settings()).damaged == ("iclr_2017/dev/reviews/100.json",)
    before = outside.read_bytes()
    await repair_papers(settings=_settings(), policy=policy, limits=LIMITS)
    assert not place.is_symlink()
    assert outside.read_bytes() == before


async def test_two_downloads_at_once_into_one_folder_are_one_too_many(
    serve: Serve, github: GitHub, venue_files: VenueFiles
) -> None:
    with folder_lock(download_folder("peerread", _settings())), pytest.raises(StorageError, match="another process"):
        await _download(serve(github(venue_files())))


async def test_progress_rises_to_the_whole(serve: Serve, github: GitHub, venue_files: VenueFiles) -> None:
    told: list[TransferProgress] = []
    files = venue_files()
    await download_papers(
        ALL, settings=_settings(), policy=serve(github(files)), limits=LIMITS, on_progress=told.append
    )
    assert [each.files_done for each in told] == list(range(len(files) + 1))
    assert told[0].bytes_done == 0
    assert told[-1].bytes_done == told[-1].bytes_total == sum(map(len, files.values()))


async def test_a_download_can_be_broken_off_and_goes_on(serve: Serve, github: GitHub, venue_files: VenueFiles) -> None:
    files = venue_files(papers=10)
    policy = serve(github(files))
    task: list[asyncio.Task[Download]] = []

    def stop(progress: TransferProgress) -> None:
        if progress.files_done == 10:
            task[0].cancel()

    task.append(
        asyncio.create_task(download_papers(ALL, settings=_settings(), policy=policy, limits=LIMITS, on_progress=stop))
    )
    with pytest.raises(asyncio.CancelledError):
        await task[0]
    again = await _download(policy)
    assert again.kept >= 10
    assert again.kept + again.fetched == len(files)


@pytest.mark.parametrize(
    ("selection", "error", "words"),
    [
        (PaperSelection(venues=()), UsageError, "no venue was named"),
        (PaperSelection(venues=("iclr_2018",)), UnknownNameError, "did you mean 'iclr_2017'"),
        (PaperSelection(venues=("iclr_2017",), splits=("trian",)), UnknownNameError, "did you mean 'train'"),
        (
            PaperSelection(venues=("nips_2013-2017",)),
            PaperError,
            "only directions for getting them elsewhere: https://g",
        ),
        (PaperSelection(venues=("acl_2017",)), NetworkError, "no folder data/acl_2017 any more"),
    ],
)
async def test_what_cannot_be_downloaded_is_told(
    selection: PaperSelection,
    error: type[Exception],
    words: str,
    *,
    serve: Serve,
    github: GitHub,
    venue_files: VenueFiles,
) -> None:
    files = {**venue_files(), "data/nips_2013-2017/README.md": b"Papers can be obtained elsewhere."}
    with pytest.raises(error, match=words):
        await _download(serve(github(files)), selection)


async def test_a_dataset_without_a_source_cannot_be_downloaded() -> None:
    with pytest.raises(UsageError, match="'sample' has nothing to download"):
        await download_papers(ALL, settings=_settings(), dataset="sample")
