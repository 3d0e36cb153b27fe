"""What the writer makes of facts and points."""

import pytest

from agents_eval_agents.providers.extractive.facts import ABSENT, FOUND, STATED, Finding
from agents_eval_agents.providers.extractive.writer import write_review
from agents_eval_agents.review_team.outputs import Analysis, DraftPoint, ResearchSummary


def summary(found: int, absent: int) -> ResearchSummary:
    findings = [Finding(status=FOUND, topic="a comparison")] * found
    findings += [Finding(status=ABSENT, topic="released code")] * absent
    findings += [Finding(status=STATED, topic="an assumption", quote="we assume")] * 3
    return ResearchSummary(overview="FooNet parses.", facts=[finding.fact() for finding in findings])


@pytest.mark.parametrize(
    ("found", "absent", "rating", "recommendation"),
    [
        (3, 1, 4.0, "accept"),
        (1, 1, 3.0, "weak_accept"),
        (1, 2, 2.3, "weak_reject"),
        (0, 1, 1.0, "reject"),
        (3, 0, 5.0, "accept"),
    ],
)
def test_the_rating_is_the_share_found_on_the_scale(
    found: int, absent: int, rating: float, recommendation: str
) -> None:
    draft = write_review(summary(found, absent), Analysis(), lowest=1, highest=5)
    assert (draft.rating, draft.recommendation, draft.confidence) == (rating, recommendation, 1)


def test_with_nothing_looked_for_there_is_no_rating() -> None:
    draft = write_review(summary(0, 0), Analysis(), lowest=1, highest=5)
    assert (draft.rating, draft.recommendation) == (None, None)
    assert "no rating is given" in draft.summary


def test_the_summary_names_what_was_looked_for_in_vain_and_how_the_rating_came_about() -> None:
    draft = write_review(summary(3, 1), Analysis(), lowest=1, highest=5)
    assert draft.summary == (
        "FooNet parses. Looked for in vain: released code. "
        "The rating is counted, 3 of 4 things looked for were found, and no language model judged them."
    )


def test_a_fine_scale_is_not_rounded_away() -> None:
    assert write_review(summary(3, 1), Analysis(), lowest=0, highest=1).rating == 0.75


def test_the_points_are_passed_on_unchanged() -> None:
    one = [DraftPoint(text="A point.", anchor="Abstract")]
    draft = write_review(summary(1, 0), Analysis(strengths=one, questions=one), lowest=1, highest=5)
    assert (draft.strengths, draft.weaknesses, draft.questions) == (one, [], one)
