"""A small ladder of texts whose order is known, on real papers: what a metric must never get wrong."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from agents_eval_core.case import Case
from agents_eval_core.paper import Paper
from agents_eval_evaluators.calibration.agreement_table import shipped_table
from agents_eval_evaluators.calibration.venue_cases import venue_cases
from agents_eval_evaluators.text.output_faults import output_faults
from agents_eval_evaluators.text.output_similarity import human_texts, output_similarity
from agents_eval_evaluators.text.task_success import task_success, text_duties

TEMPLATE = """The paper {title} is well written and tackles an important problem. The idea is interesting. However, the
novelty is limited because similar ideas exist. The experiments should include more baselines. Could the authors explain
the choice of parameters? Please discuss the limitations. I recommend to accept the paper."""
GIBBERISH = "Qua frobnik zzyx wlop dasherit tomo kelp runtle vexos. " * 12
TABLE = shipped_table()
Probe = Callable[[Case, Case], str]


@pytest.fixture(scope="module")
def papers(peerread: Path) -> Sequence[Case]:
    cases = [case for case in venue_cases(peerread, "iclr_2017") if len(case.references) > 2]
    return cases[::2]


def _template(case: Case, _: Case) -> str:
    return TEMPLATE.format(title=_paper(case).title)


def _stranger(_: Case, other: Case) -> str:
    return other.references[0].text


def _gibberish(_: Case, __: Case) -> str:
    return GIBBERISH


def _empty(_: Case, __: Case) -> str:
    return ""


def _abstract(case: Case, _: Case) -> str:
    return _paper(case).abstract


def _paper(case: Case) -> Paper:
    assert case.paper is not None
    return case.paper


def _similarity(text: str, case: Case) -> float:
    others = [review.text for review in case.references[1:]]
    return output_similarity(text, case.paper, others, shipped_table())


def _success(text: str, case: Case) -> float:
    return task_success(text_duties(text, _paper(case), shipped_table().words, has_rating=True))


def _share_won(papers: Sequence[Case], metric: Callable[[str, Case], float], probe: Probe) -> float:
    pairs = zip(papers, [*papers[1:], papers[0]], strict=True)
    won = [metric(case.references[0].text, case) > metric(probe(case, other), case) for case, other in pairs]
    return sum(won) / len(won)


@pytest.mark.parametrize(
    ("metric", "probe", "at_least"),
    [
        (_similarity, _stranger, 0.95),
        (_similarity, _gibberish, 0.97),
        (_similarity, _empty, 0.97),
        (_similarity, _template, 0.95),
        (_similarity, _abstract, 0.97),
        (_success, _template, 0.95),
        (_success, _stranger, 0.8),
        (_success, _gibberish, 0.95),
        (_success, _abstract, 0.97),
        (_success, _empty, 0.99),
    ],
)
def test_a_human_review_lies_above(
    metric: Callable[[str, Case], float], probe: Probe, at_least: float, papers: Sequence[Case]
) -> None:
    assert _share_won(papers, metric, probe) >= at_least


@pytest.mark.parametrize(("probe", "fault"), [(_empty, "empty"), (_abstract, "copied")])
def test_a_text_that_is_no_review_is_found_on_every_paper(probe: Probe, fault: str, papers: Sequence[Case]) -> None:
    for case in papers:
        found = output_faults(probe(case, case), _paper(case), [review.text for review in case.references], TABLE)
        assert next(finding.name for finding in found) == fault


def test_a_copied_reference_is_found_on_every_paper(papers: Sequence[Case]) -> None:
    for case in papers:
        texts = human_texts(case)
        long = max(texts, key=len)
        assert next(finding.name for finding in output_faults(long, _paper(case), texts, TABLE)) == "copied"


def test_real_reviews_are_hardly_ever_accused(papers: Sequence[Case]) -> None:
    accused = 0
    for case in papers:
        texts = human_texts(case)
        accused += any(
            finding.severity == "critical" for finding in output_faults(texts[0], case.paper, texts[1:], TABLE)
        )
    assert accused <= 0.04 * len(papers)


def test_saying_it_twice_earns_nothing(papers: Sequence[Case]) -> None:
    for case in papers:
        text = case.references[0].text
        assert _success(f"{text}\n{text}", case) <= _success(text, case)
