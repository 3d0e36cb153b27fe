"""The answer key stays out of the agents' sight: no words of the human reviews of real papers, in any span."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from agents_eval import run_review
from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.paper import Paper, Section
from agents_eval_core.ports.engine import Engine, EngineOptions

RUN_LENGTH = 8
WORD = re.compile(r"[^\W_]+")
MAS: Engine = registry.engine("mas")
TEAMS = [(composition, critic) for composition in MAS.compositions for critic in (False, True)]
Run = tuple[str, ...]


def runs_of_words(text: str) -> set[Run]:
    said = WORD.findall(text.lower())
    return {tuple(said[start : start + RUN_LENGTH]) for start in range(len(said) - RUN_LENGTH + 1)}


def texts_in(value: Any) -> Iterator[str]:
    """Yield every text of a JSON value, however often it was encoded within another."""
    match value:
        case dict():
            for key, part in cast("dict[str, Any]", value).items():
                yield from texts_in([key, part])
        case list():
            for part in cast("list[Any]", value):
                yield from texts_in(part)
        case str() if value.lstrip().startswith(("{", "[", '"')):
            yield value
            try:
                yield from texts_in(json.loads(value))
            except ValueError:
                return
        case str():
            yield value
        case _:
            return


def words_of_record(record: bytes) -> set[Run]:
    return {run for line in record.splitlines() for text in texts_in(json.loads(line)) for run in runs_of_words(text)}


def answer_key(case: Case) -> set[Run]:
    """Return every run of eight words of the human reviews that the paper itself does not have."""
    assert case.paper is not None
    found = {run for review in case.references for run in runs_of_words(review.text)}
    return found - runs_of_words(case.paper.text) - runs_of_words(case.paper.title)


async def record_of(case: Case, data_dir: Path, composition: str, *, critic: bool) -> set[Run]:
    """Review a paper as a user does, and return all runs of words of its trace and of its review."""
    done = await run_review(case.id, data_dir=data_dir, composition=composition, critic=critic)
    assert done.run.status == "complete", done.run.problem
    assert done.directory is not None
    trace = (done.directory / "trace.otlp.jsonl").read_bytes()
    return words_of_record(trace) | runs_of_words((done.directory / "review.md").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def cases(peerread: Path) -> Sequence[Case]:
    """Return real papers with their real reviews: one with an abstract only, one with its full text."""
    dataset = registry.dataset("peerread")
    names = [
        f"{venue}/{min((peerread / venue).glob('*/reviews/*.json')).stem}" for venue in ("iclr_2017", "neurips_2025")
    ]
    return [dataset.case(name, peerread) for name in names]


@pytest.mark.parametrize(("composition", "critic"), TEAMS)
async def test_no_span_has_eight_words_of_a_human_review(
    composition: str, critic: bool, cases: Sequence[Case], peerread: Path
) -> None:
    for case in cases:
        key = answer_key(case)
        assert len(key) > 100 * len(case.references) > 200
        record = await record_of(case, peerread, composition, critic=critic)
        assert case.paper is not None
        assert record & runs_of_words(case.paper.abstract)
        assert [" ".join(run) for run in sorted(record & key)] == []


async def test_the_search_would_find_a_review_that_was_shown_to_the_agents(cases: Sequence[Case]) -> None:
    for case in cases:
        assert case.paper is not None
        leaking: Paper = case.paper.changed(
            sections=(*case.paper.sections, Section(heading="Appendix", text=case.references[0].text))
        )
        result = await MAS.run(case.changed(paper=leaking), EngineOptions(run_id="r", composition="full"))
        assert words_of_record(result.files["trace.otlp.jsonl"]) & answer_key(case)
