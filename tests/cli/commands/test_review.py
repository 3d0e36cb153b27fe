"""`agents-eval review`."""

import json
import resource
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.ports.engine import EngineOptions, EngineResult
from agents_eval_core.run import Problem, Run, System
from scripted_server.server import ScriptedServer

Program = Callable[..., CompletedProcess[str]]
SAMPLE = ("review", "--dataset", "sample", "--paper", "sparse-gates")


def test_a_review_ends_with_its_scorecard_and_the_files_written(program: Program, clean_place: Path) -> None:
    done = program(*SAMPLE, "--composition", "manager")
    assert done.returncode == 0
    assert "manager: " in done.stderr
    assert "manager: " not in done.stdout
    assert "no language model" in done.stdout
    absent = next(line for line in " ".join(done.stdout.split()).split(" - ") if "no judge configured" in line)
    assert "planning_rationality" in absent.split(" (not measured): no judge configured")[0]
    directory, *files = done.stdout.partition("\nFiles in\n")[2].split()
    assert directory.startswith("_Agents-eval/runs/")
    assert all((clean_place / directory / file).is_file() for file in files)
    assert {"run.json", "review.md", "scorecard.json", "report.md", "trace.otlp.jsonl"} <= set(files)


def test_as_json_it_is_one_object_and_nothing_else(program: Program) -> None:
    done = program(*SAMPLE, "--composition", "researcher+manager", "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert found["schema"] == "agents-eval/review/1"
    run = found["run"]
    assert run["status"] == "complete"
    assert (run["engine"], run["composition"]) == ("mas", "manager+researcher")
    assert (run["dataset"], run["paper"], run["provider"]) == ("sample", "sparse-gates", "offline")
    assert sorted(run["agents"]) == ["manager", "researcher"]
    assert Path(run["dir"], "run.json").is_file()
    assert 0 < found["scorecard"]["coverage"] < 1
    tier_2 = [score for score in found["scorecard"]["scores"] if score["tier"] == 2]
    assert [score["reason"] for score in tier_2] == ["not_measured"] * len(tier_2) != []
    assert all(Path(file).is_file() for file in found["files"])


def test_limits_and_models_that_take_over_are_given_on_the_command_line(
    program: Program, scripted_server: ScriptedServer, reached: Callable[[str], str]
) -> None:
    live = [*SAMPLE, "--composition", "manager", "--provider", reached("openai"), "--model", "gpt-6-luna"]
    roomy = ["--token-limit", "9000000", "--request-limit", "60", "--cost-limit", "50", "--time-limit", "100"]
    done = program(*live, *roomy, "--fallback", f"{reached('anthropic')}:claude-haiku-5-5")
    assert (done.returncode, done.stderr.count("error")) == (0, 0)
    done = program(*live, "--request-limit", "1")
    assert done.returncode == 3
    assert "error: the run reached its limit: The next request would exceed the request_limit of 1" in done.stderr


def test_every_option_of_a_review_has_an_effect_or_is_refused(program: Program, clean_place: Path) -> None:
    prompts = clean_place / "prompts"
    prompts.mkdir()
    (prompts / "manager.md").write_text("Lead the review.")
    options = ["--composition", "manager", "--engine", "mas", "--provider", "offline", "--critic", "--query", "Errors?"]
    done = program(*SAMPLE, *options, "--prompts", prompts, "--no-evaluate", "--quiet", "--home", "kept", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["scorecard"] is None
    assert "critic" in found["run"]["agents"]
    assert Path(found["run"]["dir"]).resolve().is_relative_to(clean_place / "kept")
    judged = program(*SAMPLE, "--judge", "offline")
    assert (judged.returncode, judged.stdout) == (2, "")
    unknown = program(*SAMPLE, "--model", "no-such-model")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "no-such-model" in unknown.stderr


def test_without_evaluation_it_says_how_to_get_a_scorecard(program: Program) -> None:
    done = program(*SAMPLE, "--composition", "manager", "--no-evaluate", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Not evaluated" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--paper", "sparse-gate", "--dataset", "sample"], ["sparse-gate", "did you mean 'sparse-gates'?"]),
        (["--paper", "x", "--dataset", "smaple"], ["no dataset named 'smaple'", "did you mean 'sample'?"]),
        ([*SAMPLE[1:], "--composition", "manger"], ["no composition named 'manger'", "did you mean 'manager'?"]),
        ([*SAMPLE[1:], "--provider", "ofline"], ["no provider named 'ofline'", "did you mean 'offline'?"]),
        ([*SAMPLE[1:], "--web-search"], ["provider 'offline' cannot search the web"]),
        ([*SAMPLE[1:], "--engine", "max"], ["no engine named 'max'", "did you mean 'mas'?"]),
        ([*SAMPLE[1:], "--prompts", "nowhere"], ["nowhere"]),
        ([*SAMPLE[1:], "--judge", "nobody"], ["no provider named 'nobody'"]),
        (["--paper", "304"], ["--data-dir"]),
        (["--paper", "304", "--data-dir", "nowhere"], ["there is no folder nowhere"]),
        (["--paper", "304", "--data-dir", "."], ["is not a PeerRead folder"]),
        (["--dataset", "sample"], ["none was named", "--paper"]),
        (["304.json", "--paper", "304"], ["two were named"]),
        (["304.json"], ["there is no file 304.json"]),
    ],
)
def test_what_cannot_be_reviewed_is_one_sentence_and_leaves_nothing_behind(
    arguments: list[str], words: list[str], program: Program, clean_place: Path
) -> None:
    done = program("review", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert all(word in done.stderr for word in words)
    assert not list(clean_place.glob("_Agents-eval/runs/*"))


def test_an_unknown_setting_is_refused_with_the_right_name(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_TIER1_MAX_SECOND", "1")
    done = program(*SAMPLE)
    assert done.returncode == 2
    assert "did you mean JUDGE_TIER1_MAX_SECONDS?" in done.stderr


def test_a_paper_can_be_named_by_its_file(program: Program, peerread: Path) -> None:
    file = min((peerread / "iclr_2017").glob("*/reviews/*.json"))
    done = program("review", file, "--composition", "manager", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["run"]["case"] == f"iclr_2017/{file.stem}"


def test_a_paper_of_ones_own_is_reviewed_from_its_file(program: Program, real_data: Path) -> None:
    done = program("review", real_data / "peerread" / "pdfs" / "2412.11948.pdf", "--provider", "offline", "--json")
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout)["run"]
    assert run["dataset"] == "file"
    assert run["paper"].startswith("2412.11948-")
    paper = json.loads(Path(run["dir"], "run.json").read_text())["case"]["paper"]
    assert paper["title"].startswith("OpenReviewer: A Specialized Large Language Model")
    assert paper["text_source"] == "pdf"


def test_references_of_ones_own_paper_are_given_with_an_option(program: Program, clean_place: Path) -> None:
    (clean_place / "draft.md").write_text("# On Rivers\n\n## Abstract\nWe measure rivers with RiverNet.\n")
    (clean_place / "one.txt").write_text("RiverNet is measured on few rivers.")
    (clean_place / "two.json").write_text('{"comments": "The paper on rivers is clear."}')
    references = ("--reference", "one.txt", "--reference", "two.json")
    done = program("review", "draft.md", *references, "--composition", "manager", "--json")
    assert done.returncode == 0, done.stderr
    run = json.loads(Path(json.loads(done.stdout)["run"]["dir"], "run.json").read_text())
    assert [review["text"] for review in run["case"]["references"]] == [
        "RiverNet is measured on few rivers.",
        "The paper on rivers is clear.",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["notes.txt"], "notes.txt has no text to review, only a title"),
        (["notes.txt", "--dataset", "sample"], "leave out --dataset"),
        (["draft.txt", "--reference", "none.txt"], "there is no file none.txt"),
        (["--paper", "sparse-gates", "--dataset", "sample", "--reference", "notes.txt"], "which has its own"),
        (["page.pdf"], "page.pdf is no PDF: it is a web page"),
    ],
)
def test_a_file_that_is_no_paper_is_refused(
    arguments: list[str], words: str, program: Program, clean_place: Path
) -> None:
    (clean_place / "notes.txt").write_text("text")
    (clean_place / "draft.txt").write_text("On Rivers\n\nAbstract\nWe measure rivers.\n")
    (clean_place / "page.pdf").write_text("<!DOCTYPE html><html><body>Log in</body></html>")
    done = program("review", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert not list(clean_place.glob("_Agents-eval/runs/*"))


def test_unreadable_json_names_the_file(program: Program, clean_place: Path) -> None:
    folder = clean_place / "iclr_2017" / "train" / "reviews"
    folder.mkdir(parents=True)
    (folder / "304.json").write_text('{"title": ')
    done = program("review", "--paper", "304", "--data-dir", clean_place)
    assert (done.returncode, done.stdout) == (2, "")
    assert "304.json" in done.stderr


class FailingEngine:
    brings_its_own_model = False

    def unavailable_because(self) -> None:
        """Return None."""

    """An engine whose runs fail."""

    name = "failing"
    compositions = ("alone",)

    def system(self, _: EngineOptions) -> System:
        return System(engine=self.name, agents=("alone",))

    async def run(self, case: Case, options: EngineOptions) -> EngineResult:
        from datetime import UTC, datetime

        run = Run(
            id=options.run_id,
            status="failed",
            case=case,
            system=self.system(options),
            created_at=datetime.now(UTC),
            problem=Problem(error_type="ModelHTTPError", message="the model answered 429; try again later"),
        )
        return EngineResult(run=run, files={})


def test_a_run_that_fails_is_kept_shown_and_exit_code_3(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def engine(_: str) -> FailingEngine:
        return FailingEngine()

    monkeypatch.setattr(registry, "engine", engine)
    done = program(*SAMPLE, "--json")
    assert done.returncode == 3
    assert done.stderr == "error: the model answered 429; try again later\n"
    found = json.loads(done.stdout)
    assert found["run"]["status"] == "failed"
    assert Path(found["run"]["dir"], "run.json").is_file()


@pytest.mark.parametrize(("room", "words"), [(4096, "disk I/O error"), (150_000, "File too large; free some space")])
def test_a_full_disk_is_one_sentence(
    room: int, words: str, command: tuple[str, ...], environment: dict[str, str], clean_place: Path
) -> None:
    def only_small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    line = [*command, *SAMPLE, "--quiet"]
    done = subprocess.run(
        line, capture_output=True, encoding="utf-8", env=environment, check=False, preexec_fn=only_small_files
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert words in done.stderr
    kept = [json.loads(file.read_text()) for file in clean_place.glob("_Agents-eval/runs/*/run.json")]
    assert all("unfinished" in json.dumps(run) for run in kept)


def test_ctrl_c_keeps_what_was_done_and_says_where(
    command: tuple[str, ...], environment: dict[str, str], clean_place: Path
) -> None:
    with subprocess.Popen(
        [*command, *SAMPLE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", env=environment
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stderr.readline()
        running.send_signal(signal.SIGINT)
        errors = running.stderr.read()
        assert running.stdout.read() == ""
    assert running.returncode == 130
    assert "Traceback" not in errors
    last = errors.splitlines()[-1]
    assert last.startswith("error: interrupted; what was done until then is kept as interrupted in _Agents-eval/runs/")
    directory = clean_place / last.partition(" in ")[2].partition(";")[0]
    assert json.loads((directory / "run.json").read_text())["status"] == "interrupted"
    assert (directory / "trace.otlp.jsonl").is_file()


def test_a_session_of_claude_code_made_earlier_is_kept_and_scored(program: Program, clean_place: Path) -> None:
    answer = json.dumps({"summary": "The paper gates layers.", "weaknesses": ["No baseline in Section 4."]})
    message = {"id": "m", "role": "assistant", "model": "x", "content": [{"type": "text", "text": answer}]}
    events = [
        {"type": "system", "subtype": "init", "model": "x"},
        {"type": "assistant", "message": message, "parent_tool_use_id": None},
        {"type": "result", "subtype": "success", "is_error": False, "result": answer},
    ]
    lines = [json.dumps({"session_id": "s", "uuid": str(place), **event}) for place, event in enumerate(events)]
    (clean_place / "stream.jsonl").write_text("\n".join(lines) + "\n")
    asked = ("review", "--paper", "sparse-gates", "--dataset", "sample", "--engine", "cc-solo", "--json")
    done = program(*asked, "--from", "stream.jsonl")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["run"]["engine"] == "cc-solo"
    assert any(file.endswith("stream.jsonl") for file in told["files"])
    missing = program(*asked, "--from", "nowhere.jsonl")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "nowhere.jsonl is not a file" in missing.stderr
