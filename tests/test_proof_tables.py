"""The tables under docs are true: what they name exists, and nothing that they should name is missing."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from agents_eval_core import registry
from agents_eval_core.ports.evaluator import Evaluator, GroupEvaluator
from agents_eval_core.registry import BrokenPlugin

ROOT = Path(__file__).parents[1]
PRIOR_ART = ROOT / "docs" / "proof" / "prior-art.md"
METRICS = ROOT / "docs" / "metrics.md"
DEFECTS = [f"D{number}" for number in range(1, 32)]
NAMED_TEST = re.compile(r"(tests/[\w/]+\.py)::(\w+)")


def rows() -> dict[str, str]:
    found = re.findall(r"^\| (D\d+) \| .+? \| (.+) \|$", PRIOR_ART.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(found) == len(dict(found)), "a defect has two rows"
    return dict(found)


@cache
def names_of_tests_in(file: Path) -> frozenset[str]:
    if not file.is_file():
        return frozenset()
    body = ast.parse(file.read_text(encoding="utf-8")).body
    functions = [node.name for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return frozenset(name for name in functions if name.startswith("test_"))


def test_every_defect_has_its_row_in_order() -> None:
    assert list(rows()) == DEFECTS


def test_every_defect_has_a_test_and_nothing_is_put_off() -> None:
    for defect, guard in rows().items():
        assert NAMED_TEST.search(guard), defect
        assert "not yet" not in guard, defect


@pytest.mark.parametrize("document", sorted(ROOT.glob("docs/**/*.md")), ids=lambda file: file.name)
def test_every_test_that_a_document_names_exists(document: Path) -> None:
    named = NAMED_TEST.findall(document.read_text(encoding="utf-8"))
    assert [f"{file}::{name}" for file, name in named if name not in names_of_tests_in(ROOT / file)] == []


def evaluators() -> list[Evaluator | GroupEvaluator]:
    found = (*registry.evaluators(), *registry.group_evaluators(), *registry.set_evaluators())
    return [plugin for plugin in found if not isinstance(plugin, BrokenPlugin)]


@pytest.mark.parametrize("evaluator", evaluators(), ids=lambda evaluator: evaluator.name)
def test_every_evaluator_is_described_with_its_tier_and_version(evaluator: Evaluator | GroupEvaluator) -> None:
    heading = rf"^## `{evaluator.name}` \(tier {evaluator.tier}, version {evaluator.version}\)$"
    assert re.search(heading, METRICS.read_text(encoding="utf-8"), re.MULTILINE)


def test_no_metric_is_described_that_is_not_there() -> None:
    described = set(re.findall(r"^## `(\w+)`", METRICS.read_text(encoding="utf-8"), re.MULTILINE))
    assert described == {evaluator.name for evaluator in evaluators()}
