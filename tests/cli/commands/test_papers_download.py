"""`agents-eval papers search`, `download` and `verify`."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from agents_eval_core.outgoing.policy import Limits, Policy
from agents_eval_core.use_cases import download_papers as use_case

Program = Callable[..., CompletedProcess[str]]
Answer = Callable[[str, str], bytes]
Serve = Callable[[Answer], Policy]
GitHub = Callable[..., Answer]
VenueFiles = Callable[..., dict[str, bytes]]
Reply = Callable[..., bytes]
LIMITS = Limits(read_seconds=0.5, attempts=2, first_wait_seconds=0.01)
FOLDER = Path("_Agents-eval/datasets/peerread")


@pytest.fixture
def reached(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Callable[[Answer], None]:
    """Return a function that lets the commands reach a host on this machine in place of GitHub."""

    def reach(answer: Answer) -> None:
        policy = serve(answer)
        for name in ("download_papers", "repair_papers"):
            real = getattr(use_case, name)
            monkeypatch.setattr(use_case, name, partial(getattr(real, "func", real), policy=policy, limits=LIMITS))

    return reach


def test_papers_are_downloaded_listed_searched_and_verified(
    program: Program, reached: Callable[[Answer], None], github: GitHub, venue_files: VenueFiles
) -> None:
    reached(github(venue_files()))
    done = program("papers", "download", "iclr_2017", "--split", "train", "--max-papers", "2")
    assert done.returncode == 0
    assert f"5 of 5 files are in {FOLDER}" in done.stdout
    assert "5 of 5 files, 0.1 of 0.1 MB" in done.stderr
    listed = json.loads(program("papers", "list", "--json").stdout)
    assert [paper["id"] for paper in listed["papers"]] == ["100", "101"]
    shown = program("papers", "show", "100")
    assert "Made-up paper 0 of train" in shown.stdout
    found = json.loads(program("papers", "search", "paper 1", "--json").stdout)
    assert found["schema"] == "agents-eval/paper-search/1"
    assert found["total"] == 2
    assert found["papers"][0]["paper"]["id"] == "101"
    verified = program("papers", "verify")
    assert (verified.returncode, verified.stderr) == (0, "")
    assert "All 5 files" in verified.stdout


def test_a_downloaded_paper_is_reviewed_without_saying_where_it_lies(
    program: Program, reached: Callable[[Answer], None], github: GitHub, venue_files: VenueFiles
) -> None:
    reached(github(venue_files()))
    program("papers", "download", "iclr_2017", "--split", "dev", "--max-papers", "1")
    done = program("review", "--paper", "100", "--provider", "offline", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["run"]["paper"] == "100"


def test_the_download_is_one_json_object_without_progress(
    program: Program, reached: Callable[[Answer], None], github: GitHub, venue_files: VenueFiles
) -> None:
    reached(github(venue_files()))
    done = program("papers", "download", "iclr_2017", "--with-pdfs", "--json")
    assert done.stderr == ""
    assert json.loads(done.stdout) == {
        "schema": "agents-eval/paper-download/1",
        "folder": str(FOLDER),
        "files": 19,
        "bytes": sum(map(len, venue_files().values())),
        "fetched": 19,
        "kept": 0,
        "failed": [],
    }


def test_damage_is_named_with_exit_code_1_and_repaired(
    program: Program, reached: Callable[[Answer], None], github: GitHub, venue_files: VenueFiles
) -> None:
    reached(github(venue_files()))
    program("papers", "download", "iclr_2017")
    (FOLDER / "iclr_2017/dev/reviews/100.json").unlink()
    (FOLDER / "iclr_2017/dev/reviews/101.json").write_text("{}")
    found = program("papers", "verify")
    assert found.returncode == 1
    assert "Missing (1)" in found.stdout
    assert "iclr_2017/dev/reviews/101.json" in found.stdout
    assert "--repair" in found.stdout
    told = json.loads(program("papers", "verify", "--json").stdout)
    assert (told["is_sound"], told["missing"]) == (False, ["iclr_2017/dev/reviews/100.json"])
    repaired = program("papers", "verify", "--repair")
    assert repaired.returncode == 0
    assert "All 13 files" in repaired.stdout


def test_a_file_that_did_not_come_is_named_with_exit_code_3(
    program: Program, reached: Callable[[Answer], None], github: GitHub, venue_files: VenueFiles, *, reply: Reply
) -> None:
    answer = github(venue_files())
    reached(lambda host, target: reply(status=404) if target.endswith("101.json") else answer(host, target))
    done = program("papers", "download", "iclr_2017")
    assert done.returncode == 3
    assert "11 of 13 files" in done.stdout
    assert "it answered 404 Not Found" in done.stdout
    assert program("papers", "verify", "--repair").returncode == 3
    assert program("papers", "verify").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["download", "iclr_2018"], 2, "did you mean 'iclr_2017'?"),
        (["download", "nips_2013-2017"], 2, "only directions for getting them elsewhere"),
        (["download", "iclr_2017", "--split", "tset"], 2, "no split of iclr_2017 named 'tset'"),
        (["download", "iclr_2017", "--max-papers", "0"], 2, "max-papers"),
        (["download"], 2, "VENUE"),
        (["verify"], 2, "nothing was downloaded into"),
        (["search", "..."], 2, "no word to search for"),
        (["search", "graphs"], 2, "papers download iclr_2017"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    arguments: list[str],
    code: int,
    words: str,
    *,
    program: Program,
    reached: Callable[[Answer], None],
    github: GitHub,
    venue_files: VenueFiles,
) -> None:
    reached(github({**venue_files(), "data/nips_2013-2017/README.md": b"Elsewhere."}))
    done = program("papers", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_without_network_it_is_one_sentence_and_exit_code_3(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    async def offline(_host: str, _port: int) -> list[tuple[str, int]]:
        raise OSError("Name or service not known")

    policy = Policy(hosts=frozenset({"api.github.com"}), resolve=offline)
    monkeypatch.setattr(use_case, "download_papers", partial(use_case.download_papers, policy=policy))
    done = program("papers", "download", "iclr_2017")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("error: api.github.com cannot be reached: Name or service not known")
    assert done.stderr.count("\n") == 1
    assert "papers download" in program("papers", "list").stderr


def test_a_download_without_network_does_not_keep_one_waiting(process: Program) -> None:
    """The program itself, where there may be a network or none: an unknown venue is told before any request."""
    done = process("papers", "download", "nowhere")
    assert done.returncode == 2
    assert "no venue named 'nowhere'" in done.stderr


def test_listing_papers_loads_nothing_for_the_network(process: Program) -> None:
    done = process("papers", "list", "--dataset", "sample", PYTHONPROFILEIMPORTTIME="1")
    assert done.returncode == 0
    loaded = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "agents_eval_core.use_cases.search_papers" in loaded
    assert not {"httpcore2", "anyio", "h11"} & loaded
