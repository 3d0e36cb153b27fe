from collections.abc import Awaitable, Callable

import pytest

from agents_eval_core.case import Case
from agents_eval_core.paper import Paper, Section
from agents_eval_core.review import Point, Review
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_evaluators.text.anchors import Anchors, check_anchors
from agents_eval_evaluators.text.paper_places import paper_places

Ask = Callable[..., Awaitable[Evaluation]]


async def test_what_the_paper_lacks_is_a_warning_that_quotes_the_sentence(a_run: Callable[..., Run], ask: Ask) -> None:
    evaluation = await ask(Anchors(), a_run(text="Table 1 is clear.\nTable 8 and Section 2 contradict it."))
    (score,) = evaluation.scores
    (finding,) = evaluation.findings
    assert score.value == pytest.approx(2 / 3)
    assert (finding.name, finding.severity) == ("absent_anchor", "warning")
    assert "table 8" in finding.sentence
    assert finding.evidence.quotes == ("Table 8 and Section 2 contradict it.",)


async def test_the_anchors_of_a_form_are_looked_up_too(a_run: Callable[..., Run], ask: Ask) -> None:
    review = Review(weaknesses=(Point(text="No baseline.", anchor="Table 1"), Point(text="Bad.", anchor="Section 9")))
    (score,) = (await ask(Anchors(), a_run(output=review))).scores
    assert score.value == 0.5


async def test_of_an_abstract_nothing_can_be_told(
    a_run: Callable[..., Run], case: Case, paper: Paper, ask: Ask
) -> None:
    bare = case.changed(paper=paper.changed(sections=(), text_source="abstract"))
    (score,) = (await ask(Anchors(), a_run(case=bare, text="Table 8 is odd."))).scores
    assert (score.value, score.reason) == (None, "not_measured")


async def test_a_review_that_names_no_place_has_no_share(a_run: Callable[..., Run], ask: Ask) -> None:
    (score,) = (await ask(Anchors(), a_run(text="I like it; see line 12."))).scores
    assert (score.value, score.reason) == (None, "not_measured")
    assert {measure.name: measure.value for measure in score.measures}["places_untold"] == 1


async def test_numbers_that_the_paper_lacks_are_a_note(a_run: Callable[..., Run], ask: Ask) -> None:
    (finding,) = (await ask(Anchors(), a_run(text="Table 1 has 0.4 points but also 97.3 %."))).findings
    assert (finding.name, finding.severity) == ("figures_not_in_paper", "info")
    assert "97.3" in finding.sentence
    assert "0.4" not in finding.sentence


def paper_of(text: str, *headings: str) -> Paper:
    sections = (Section(heading="1 Introduction", text=text), *(Section(heading=line, text="x") for line in headings))
    return Paper(id="1", dataset="d", title="T", sections=sections, text_source="sample")


def test_smaller_numbers_of_a_kind_exist_and_unknown_kinds_are_not_told() -> None:
    places = paper_places(paper_of("See Table 3 and Figure 2.", "2 Method", "2.1 Model", "A Proofs"))
    there = {place: places.has(place) for place in ("table 1", "table 4", "section 2.1", "section 2.4", "theorem 1")}
    assert there == {"table 1": True, "table 4": False, "section 2.1": True, "section 2.4": False, "theorem 1": None}
    assert places.has("appendix a") is True


def test_equations_beyond_the_known_ones_are_not_held_against_the_review() -> None:
    places = paper_places(paper_of("as in Eq. (3)"))
    assert (places.has("equation 2"), places.has("equation 9")) == (True, None)


def test_numbered_citations_are_checked_unless_the_review_has_its_own_list() -> None:
    paper = paper_of("as shown by [1, 12]")
    assert check_anchors("We miss [3], and [40] too.", paper).absent == ("citation 40",)
    assert check_anchors("[40] is missing.\n\n[40] A. Author. A title.", paper).absent == ()


def test_works_cited_by_author_are_counted_only() -> None:
    check = check_anchors("Compare with Smith et al. (2015) and Jones 2014.", paper_of("Jones (2014) did it."))
    assert (check.cited, check.cited_in_paper) == (("Smith 2015", "Jones 2014"), ("Jones 2014",))
