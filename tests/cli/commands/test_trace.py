"""`agents-eval trace`, and `agents-eval evaluate` on a file with several traces."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

Program = Callable[..., CompletedProcess[str]]

SAMPLES = Path(__file__).parents[2] / "data" / "traces"
TEAM = SAMPLES / "agents_eval_mas" / "trace.json"
SUMS = SAMPLES / "inspect_log" / "sums.eval"
ROUNDING = SAMPLES / "mini_swe_agent" / "rounding.traj.json"


HEADINGS = ["format", "traces", "agents", "steps", "calls", "failed", "deleg.", "in", "out", "cost", "$", "file"]


def parsed(done: CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_trace_is_shown_as_agents_and_steps_with_failures_marked(program: Program) -> None:
    done = program("trace", "show", TEAM)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert "steps    8; 5 calls, 1 failed, 2 delegations" in lines
    steps = lines[lines.index("Steps") + 1 : lines.index("Steps") + 9]
    assert steps[0] == "0   invoke_workflow agents-eval  [11.50 s]"
    assert steps[1].startswith("1     manager gives work to researcher by delegate_research(query=find")
    assert steps[2] == "2       agent researcher  [4.00 s]"
    assert steps[4] == "4 ✗       researcher calls get_paper_content(paper_id=77.1)  [0.25 s]  failed ToolError"


def test_tokens_and_inferred_failures_are_said(program: Program) -> None:
    done = program("trace", "show", ROUNDING)
    assert "[100 in, 10 out]" in done.stdout
    assert "failed TimeoutError (inferred)" in done.stdout
    assert "cost     $0.0600" in done.stdout


def test_the_skeleton_as_json_has_the_trace_its_figures_and_its_steps(program: Program) -> None:
    found = parsed(program("trace", "show", TEAM, "--json"))
    assert found["schema"] == "agents-eval/trace/1"
    assert found["trace"]["source"]["format"] == "agents_eval_mas"
    assert found["figures"]["delegations"] == 2
    assert [(step["id"], step["depth"]) for step in found["steps"]][:4] == [("0", 0), ("1", 1), ("2", 2), ("3", 3)]
    assert found["total"] == 8


def test_a_long_trace_is_shown_in_pages(program: Program) -> None:
    first = program("trace", "show", ROUNDING, "--limit", "3")
    assert "10 more steps: --skip 3 shows the next, --limit 0 all." in " ".join(first.stdout.split())
    rest = parsed(program("trace", "show", ROUNDING, "--skip", "11", "--limit", "0", "--json"))
    assert [step["id"] for step in rest["steps"]] == ["11", "12"]


def test_one_step_is_shown_whole(program: Program) -> None:
    done = program("trace", "show", ROUNDING, "--span", "8")
    assert done.returncode == 0
    assert '"command": "pytest -q"' in done.stdout
    assert "<returncode>1</returncode>" in done.stdout
    found = parsed(program("trace", "show", ROUNDING, "--span", "8", "--json"))
    assert found["schema"] == "agents-eval/span/1"
    assert found["span"]["tool"]["arguments"] == {"command": "pytest -q"}


def test_of_a_file_with_several_traces_the_list_is_shown_and_one_can_be_chosen(program: Program) -> None:
    found = parsed(program("trace", "show", SUMS, "--json"))
    assert found["schema"] == "agents-eval/traces/1"
    assert [(trace["id"], trace["outcome"]) for trace in found["traces"]] == [
        ("sum_epoch_1", "success, C"),
        ("sum_epoch_2", "failure, I"),
    ]
    assert "sum_epoch_2" in program("trace", "show", SUMS).stdout
    chosen = parsed(program("trace", "show", SUMS, "--trace", "sum_epoch_2", "--json"))
    assert chosen["trace"]["id"] == "sum_epoch_2"


def test_evaluate_says_which_traces_there_are_and_takes_one(program: Program) -> None:
    refused = program("evaluate", SUMS, "--tiers", "3")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "holds 2 traces (sum_epoch_1, sum_epoch_2); choose one with --trace ID" in refused.stderr
    done = parsed(program("evaluate", SUMS, "--trace", "sum_epoch_1", "--tiers", "3", "--json"))
    assert done["run"]["id"] == "sum_epoch_1"


def test_stats_have_one_row_a_file_and_the_reason_where_there_is_no_trace(program: Program) -> None:
    rows = parsed(program("trace", "stats", SAMPLES / "mini_swe_agent", TEAM, "--json"))
    assert rows["schema"] == "agents-eval/trace-stats/1"
    by_name = {Path(row["path"]).name: row for row in rows["files"]}
    assert set(by_name) == {"greeting_v2.traj.json", "labels.json", "rounding.traj.json", "trace.json"}
    row = by_name["rounding.traj.json"]
    assert (row["format"], row["tool_calls"], row["failed_calls"]) == ("mini_swe_agent", 4, 2)
    assert (row["input_tokens"], row["cost_usd"], row["reason"]) == (1000, pytest.approx(0.06), None)
    assert by_name["trace.json"]["input_tokens"] is None
    assert by_name["labels.json"]["reason"] == "it is read as part of greeting_v2.traj.json"


def test_stats_are_shown_one_line_a_file(program: Program, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("nothing", encoding="utf-8")
    done = program("trace", "stats", SAMPLES / "mini_swe_agent", SUMS, tmp_path, "--limit", "2")
    lines = done.stdout.splitlines()
    assert lines[0].split() == HEADINGS
    assert sum("mini_swe_agent" in line for line in lines) == 2
    assert "3 files with traces. Those from 1 to 2 are shown" in done.stdout
    assert "notes.md: it is text without any trace" in done.stdout


@pytest.mark.parametrize("to", ["otlp", "native"])
def test_a_trace_is_converted_and_comes_back_with_the_same_figures(to: str, program: Program, tmp_path: Path) -> None:
    out = tmp_path / "converted.jsonl"
    done = parsed(program("trace", "convert", SUMS, "--to", to, "--out", out, "--json"))
    assert (done["traces"], done["format"]) == (2, to)
    before, after = (parsed(program("trace", "stats", path, "--json"))["files"][0] for path in (SUMS, out))
    assert (after.pop("format"), before.pop("format")) == (to, "inspect_log")
    assert {**after, "path": ""} == {**before, "path": ""}
    assert [path.name for path in tmp_path.iterdir()] == ["converted.jsonl"]


def test_a_converted_trace_goes_to_standard_output_and_is_without_secrets(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "secret.traj.json"
    path.write_bytes(ROUNDING.read_bytes().replace(b"look around", b"use sk-proj-abcdefgh12345678"))
    done = program(
        "trace", "convert", path, "--to", "native", "--trace", "example__rounding-1", "--format", "mini_swe_agent"
    )
    assert done.returncode == 0
    assert done.stdout.startswith('{"schema":"agents-eval/trace/1"')
    assert "sk-proj" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", "nowhere.json"], "nowhere.json cannot be read"),
        (["show", str(SUMS), "--trace", "sum_epoch_3"], "did you mean 'sum_epoch_2'?"),
        (["show", str(TEAM), "--span", "99"], "no step named '99'"),
        (["show", str(TEAM), "--format", "atif"], "cannot be read as atif"),
        (["stats", "nowhere"], "there is no file or folder nowhere"),
        (["convert", str(TEAM), "--to", "atif"], "can be read only; to write there is: native, otlp"),
        (["convert", str(TEAM), "--to", "naitve"], "did you mean 'native'?"),
        (["convert", str(SUMS), "--to", "native", "--trace", "x"], "holds no trace 'x'"),
        (["convert", str(SUMS), "--to", "native", "--out", "no/such/folder/x"], "see that the folder is there"),
    ],
)
def test_what_cannot_be_is_one_sentence(arguments: list[str], words: str, program: Program) -> None:
    done = program("trace", *arguments)
    assert (done.returncode in (2, 3), done.stdout) == (True, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_hostile_texts_do_not_steer_the_terminal(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "loud.traj.json"
    document = json.loads(ROUNDING.read_text(encoding="utf-8"))
    document["messages"][1]["content"] = "\x1b[2J\x1b]0;owned\x07 \u202e backwards"
    path.write_text(json.dumps(document), encoding="utf-8")
    for arguments in (["show", path], ["show", path, "--span", "2"]):
        shown = program("trace", *arguments).stdout
        assert "owned" in shown
        assert not any(letter in shown for letter in "\x1b\x07\u202e")


def test_of_a_folder_of_files_the_traces_are_listed_in_pages_with_their_files(program: Program) -> None:
    folder = SAMPLES / "openai_messages"
    found = parsed(program("trace", "show", folder, "--json"))
    assert found["total"] == 4
    assert {one["file"] for one in found["traces"]} == {path.name for path in folder.iterdir()}
    [third] = parsed(program("trace", "show", folder, "--skip", "2", "--limit", "1", "--json"))["traces"]
    assert third == found["traces"][2]
    one = parsed(program("trace", "show", folder, "--trace", third["id"], "--json"))
    assert one["trace"]["id"] == third["id"]
    assert "4 traces. 1 of them are shown" in program("trace", "show", folder, "--limit", "1").stdout


def test_a_damaged_file_of_a_folder_is_told_of_and_the_others_are_listed(program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "traces"
    folder.mkdir()
    for name in ("a.json", "b.json"):
        (folder / name).write_bytes(ROUNDING.read_bytes())
    (folder / "cut.eval").write_bytes(SUMS.read_bytes()[:-200])
    done = program("trace", "show", folder, "--json")
    assert {one["file"] for one in parsed(done)["traces"]} == {"a.json", "b.json"}
    assert "cut.eval is refused" in done.stderr
    assert program("trace", "show", folder, "--json", "--quiet").stderr == ""


def test_a_folder_without_any_trace_is_refused(program: Program, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Nothing.", encoding="utf-8")
    assert "is in no trace format that is known" in program("trace", "show", tmp_path).stderr.replace("\n", " ")


def test_stats_of_a_folder_are_shown_in_pages(program: Program) -> None:
    folder = SAMPLES / "otel_dump"
    first = program("trace", "stats", folder, "--limit", "2").stdout
    second = program("trace", "stats", folder, "--skip", "2", "--limit", "2").stdout
    assert "Those from 1 to 2 are shown; --skip 2 shows the next" in " ".join(first.split())
    assert "Those from 3 to 4 are shown; --skip 4 shows the next" in " ".join(second.split())
    rows = [line for line in (first + second).splitlines() if line.startswith("otel_dump")]
    assert len(set(rows)) == 4


def test_agents_are_shown_by_name_and_those_of_one_name_are_told_apart(program: Program) -> None:
    shown = program("trace", "show", SAMPLES / "claude_code_session" / "5e55-0010.jsonl").stdout
    agents = " ".join(shown[shown.index("agents ") : shown.index("steps ")].split())
    assert "claude-code (orchestrator)" in agents
    assert "aaa1" not in agents
    names = [name.partition(" (")[0] for name in agents.removeprefix("agents ").split(", ")]
    assert len(set(names)) == len(names) == 6
