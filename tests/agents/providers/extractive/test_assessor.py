"""What the facts amount to."""

import pytest

from agents_eval_agents.providers.extractive.assessor import assess
from agents_eval_agents.providers.extractive.facts import ABSENT, FOUND, STATED, Finding
from agents_eval_agents.review_team.outputs import Analysis, Fact, ResearchSummary

TERMS = Finding(status=STATED, topic="recurring phrases", names=["tree parsing", "web text", "span encoder"])
OWN = Finding(status=STATED, topic="own name", names=["FooNet"])


def assessed(*findings: Finding) -> Analysis:
    return assess(ResearchSummary(overview="", facts=[finding.fact() for finding in (TERMS, OWN, *findings)]))


@pytest.mark.parametrize("text", ["", "There is no user study whatsoever.", "Looked for in vain: an ablation"])
def test_without_facts_in_known_words_there_are_no_points(text: str) -> None:
    facts = [Fact(kind="missing", text=text, anchor="3 Results")] if text else []
    assert assess(ResearchSummary(overview="x", facts=facts)) == Analysis()


def test_an_absent_ablation_becomes_a_weakness_and_a_suggestion_about_this_paper() -> None:
    absent = Finding(status=ABSENT, topic="an ablation", near=["span encoder"], anchor="2 Method")
    analysis = assessed(absent)
    weakness = next(point for point in analysis.weaknesses if "ablation" in point.text)
    assert weakness.text.startswith("Section 2 builds on span encoder")
    assert "FooNet" in weakness.text
    assert weakness.anchor == "2 Method"
    assert any("one by one" in point.text for point in analysis.suggestions)


def test_an_ablation_that_is_there_becomes_a_strength() -> None:
    found = Finding(status=FOUND, topic="an ablation", anchor="4 Ablation", quote="we remove the span encoder")
    analysis = assessed(found)
    assert [point.anchor for point in analysis.strengths if found.quote in point.text] == ["4 Ablation"]
    assert not any("ablation" in point.text for point in analysis.weaknesses)


def test_a_single_data_set_is_a_weakness_and_three_are_a_strength() -> None:
    one, three = (Finding(status=STATED, topic="data", names=names) for names in (["A1B"], ["A1B", "C2D", "E3F"]))
    assert any("besides A1B" in point.text for point in assessed(one).weaknesses)
    assert any("A1B, C2D and E3F" in point.text for point in assessed(three).strengths)
    assert not any("besides" in point.text for point in assessed(three).weaknesses)


def test_no_quotation_is_used_twice() -> None:
    quote = "We assume that every sentence of web text has one root"
    analysis = assessed(Finding(status=STATED, topic="an assumption", quote=quote))
    assert str(analysis).count(quote) == 1


def test_braces_in_a_paper_are_no_gaps_of_a_sentence() -> None:
    quote = "we compare FooNet with {rivals} of web text"
    analysis = assessed(Finding(status=FOUND, topic="the cost", quote=quote))
    assert any(quote in point.text for point in analysis.strengths)
