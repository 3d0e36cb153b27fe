"""`agents-eval judge`, and the options that name a judge."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from scripted_server.exchange import Ask, Fault, Say
from scripted_server.judge import answers, judging
from scripted_server.script import in_shape
from scripted_server.server import ScriptedServer

Program = Callable[..., CompletedProcess[str]]
Reached = Callable[[str], str]
MODEL = "house/scripted-1"


def labels(count: int, labelled: int) -> Path:
    """Write made-up reviews: "good N" is said to be worth N of 4 by people."""
    lines: list[str] = []
    for number in range(count):
        worth = number % 5
        text = f"This review is worth {worth}. " + "The baseline is missing. " * (1 + number % 7)
        line = {"id": f"r{number}", "text": text, "title": "Sparse gates", "abstract": "We gate."}
        if number < labelled:
            line |= {"label": worth / 4}
        lines.append(json.dumps(line))
    file = Path("labels.jsonl")
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def lenient(ask: Ask) -> Say:
    """Give a level more than people do, where there is one."""
    worth = int(ask.prompt.split("is worth ")[1][0])
    return in_shape(ask, **answers(ask.instructions, min(5, worth + 2)))


def test_a_judge_is_certified_against_labels(
    program: Program, scripted_server: ScriptedServer, reached: Reached
) -> None:
    scripted_server.script = lenient
    reached("ollama")
    done = program(
        "judge", "certify", "--labels", labels(40, 25), "--judge-provider", "ollama", "--judge-model", MODEL, "--json"
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["certificate"]
    assert (found["items"], found["labelled"], found["failures"]) == (40, 25, 0)
    assert found["bias"]["value"] == pytest.approx(0.2)
    assert found["corrected_mean"]["value"] == pytest.approx(0.5, abs=0.02)
    assert found["naive_mean"]["value"] == pytest.approx(0.7)
    shown = program("judge", "certify", "--labels", "labels.jsonl", "--judge", f"ollama:{MODEL}", "--repeats", "2")
    assert f"Certificate of ollama:{MODEL}" in shown.stdout
    assert "the judge gives more than people do" in shown.stdout
    assert "flip rate          0.000" in shown.stdout
    assert len(list(Path("_Agents-eval/certificates").iterdir())) == 1


def test_a_score_names_the_certificate_of_its_judge(
    program: Program, scripted_server: ScriptedServer, reached: Reached
) -> None:
    scripted_server.script = lenient
    judge = f"{reached('ollama')}:{MODEL}"
    certified = program("judge", "certify", "--labels", labels(12, 12), "--judge", judge, "--rubric", "review_quality")
    assert certified.returncode == 0, certified.stderr
    scripted_server.script = judging(4)
    done = program("review", "--dataset", "sample", "--paper", "sparse-gates", "--judge", judge, "--json")
    scores = {score["name"]: score for score in json.loads(done.stdout)["scorecard"]["scores"]}
    measures = {one["name"]: one["value"] for one in scores["judged_quality"]["measures"]}
    assert measures["judge_certificate"].startswith("kappa 0.")
    planning = {one["name"]: one["value"] for one in scores["planning_rationality"]["measures"]}
    assert planning["judge_certificate"] == "none", "it is certified for another rubric"


def test_a_judge_that_grades_nothing_has_no_certificate(
    program: Program, scripted_server: ScriptedServer, reached: Reached
) -> None:
    def refusing(_: Ask) -> Fault:
        return Fault(status=401)

    scripted_server.script = refusing
    done = program("judge", "certify", "--labels", labels(3, 3), "--judge", f"{reached('ollama')}:{MODEL}")
    assert done.returncode == 3
    assert "graded none of 3 texts" in done.stderr
    assert not Path("_Agents-eval/certificates").exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "has no line"),
        ('{"id": "a", "text": "x", "label": 7}', "line 1: label"),
        ('{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}', "more than once"),
        ('{"id": "a", "text": "x"}\n{"id": "b", "text": "y", "task": "other"}', "mixes reviews with other tasks"),
        ("nonsense", "line 1"),
    ],
)
def test_labels_that_cannot_be_used_are_refused(content: str, said: str, program: Program) -> None:
    Path("labels.jsonl").write_text(content, encoding="utf-8")
    done = program("judge", "certify", "--labels", "labels.jsonl")
    assert done.returncode == 2
    assert said in done.stderr


def test_without_a_judge_there_is_nothing_to_certify(program: Program) -> None:
    done = program("judge", "certify", "--labels", labels(3, 3))
    assert done.returncode == 2
    assert "name one with --judge" in done.stderr


@pytest.fixture
def two_runs(program: Program) -> tuple[str, str]:
    """Review one sample paper in two ways."""
    found: list[str] = []
    for composition in ("manager", "full"):
        done = program(
            "review", "--dataset", "sample", "--paper", "sparse-gates", "--composition", composition, "--json"
        )
        found.append(json.loads(done.stdout)["run"]["id"])
    (review,) = Path("_Agents-eval/runs").glob(f"*{found[1].split('-')[1]}/review.json")
    review.write_text(review.read_text().replace('"summary": "', '"summary": "It has more to say. '), encoding="utf-8")
    return found[0], found[1]


def test_two_runs_are_compared_in_both_orders(
    program: Program, scripted_server: ScriptedServer, reached: Reached, two_runs: tuple[str, str]
) -> None:
    def likes_the_longer(ask: Ask) -> Say:
        first, second = (
            len(ask.prompt.split(f" begin {name}]")[1].split(f" end {name}]")[0]) for name in ("first", "second")
        )
        return in_shape(ask, **answers(ask.instructions, 1 if first > second else 5))

    scripted_server.script = likes_the_longer
    reached("ollama")
    done = program("judge", "prefer", *two_runs, "--judge", f"ollama:{MODEL}", "--json")
    score = json.loads(done.stdout)["preference"]
    assert score["value"] in (0.0, 1.0)
    assert {one["name"]: one["value"] for one in score["measures"]}["lean_to_first_place"] == 0
    swapped = program(
        "judge", "prefer", *reversed(two_runs), "--judge-provider", "ollama", "--judge-model", MODEL, "--json"
    )
    assert json.loads(swapped.stdout)["preference"]["value"] == 1 - score["value"]


def test_a_judge_that_follows_the_order_has_no_preference(
    program: Program, scripted_server: ScriptedServer, reached: Reached, two_runs: tuple[str, str]
) -> None:
    scripted_server.script = judging(1)
    done = program("judge", "prefer", *two_runs, "--judge", f"{reached('ollama')}:{MODEL}")
    assert done.returncode == 0
    assert "No preference." in done.stdout
    assert "prefers whatever stands first" in " ".join(done.stdout.split())


def test_whoever_calls_may_judge(program: Program, two_runs: tuple[str, str]) -> None:
    done = program("judge", "packet", two_runs[0], "--context-tokens", "9000")
    packet = json.loads(done.stdout)
    verdict = {one["key"]: answers(one["instructions"], 4) for one in packet["questions"]}
    Path("verdict.json").write_text(json.dumps(verdict), encoding="utf-8")
    accepted = program(
        "judge", "accept", two_runs[0], "verdict.json", "--declared", "me", "--context-tokens", "9000", "--json"
    )
    assert accepted.returncode == 0, accepted.stderr
    scores = {score["name"]: score["value"] for score in json.loads(accepted.stdout)["scorecard"]["scores"]}
    assert scores["judged_quality"] == 0.75
    other = program("judge", "accept", two_runs[1], "verdict.json")
    assert other.returncode == 2
    assert "no question about" in other.stderr


def test_a_verdict_that_is_no_object_is_refused(program: Program, two_runs: tuple[str, str]) -> None:
    Path("verdict.json").write_text("[1]", encoding="utf-8")
    assert program("judge", "accept", two_runs[0], "verdict.json").returncode == 2


def test_a_review_and_an_evaluation_take_the_long_options(
    program: Program, scripted_server: ScriptedServer, reached: Reached
) -> None:
    scripted_server.script = judging(4)
    options = ["--judge-provider", reached("ollama"), "--judge-model", MODEL, "--json"]
    done = program("review", "--dataset", "sample", "--paper", "sparse-gates", *options)
    found = json.loads(done.stdout)
    assert {score["name"]: score["value"] for score in found["scorecard"]["scores"]}["judged_quality"] == 0.75
    again = program("evaluate", found["run"]["id"], *options)
    assert json.loads(again.stdout)["scorecard"]["composite"] == found["scorecard"]["composite"]
    both = program("evaluate", found["run"]["id"], "--judge", "ollama", *options)
    assert both.returncode == 2
    assert "short for" in both.stderr
