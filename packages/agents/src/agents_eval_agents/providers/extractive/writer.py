"""A review written from facts and points, with a rating that follows from counting them."""

from agents_eval_agents.providers.extractive.facts import ABSENT, FOUND, ONLY_ABSTRACT, enumerate_names, read_facts
from agents_eval_agents.review_team.outputs import Analysis, ResearchSummary, ReviewDraft

LOWEST_CONFIDENCE = 1
_BY_QUARTER = ("reject", "weak_reject", "weak_accept", "accept", "accept")
_WIDE = 2  # a scale on which one digit after the point is fine enough


def write_review(summary: ResearchSummary, analysis: Analysis, *, lowest: float, highest: float) -> ReviewDraft:
    """Write the review.

    The rating is the share of the things looked for that were found, laid on the scale from `lowest` to `highest`; the
    recommendation follows from the same share by quarters. The last sentence of the summary says that this is counting
    and no judgement. Where nothing was looked for, both stay None. The confidence is always the lowest.

    Args:
        summary: What the Reader found.
        analysis: The points that the Assessor made of it.
        lowest: The lowest rating of the scale.
        highest: The highest rating of the scale.

    >>> from agents_eval_agents.providers.extractive.facts import Finding
    >>> absent = Finding(status=ABSENT, topic="an ablation").fact()
    >>> draft = write_review(ResearchSummary(overview="O.", facts=[absent]), Analysis(), lowest=1, highest=10)
    >>> draft.rating, draft.recommendation, draft.confidence
    (1.0, 'reject', 1.0)
    """
    findings = list(read_facts(summary.facts))
    found = sum(finding.status == FOUND for finding in findings)
    absent = [finding.topic for finding in findings if finding.status == ABSENT]
    looked_for = found + len(absent)
    share = found / looked_for if looked_for else None
    digits = 1 if highest - lowest >= _WIDE else 2
    names_absent = absent and ONLY_ABSTRACT not in summary.unread  # an abstract alone says nothing of the paper
    sentences = (
        summary.overview,
        f"Looked for in vain: {enumerate_names(absent[:4])}." if names_absent else "",
        f"The rating is counted, {found} of {looked_for} things looked for were found, and "
        "no language model judged them."
        if looked_for
        else "There was nothing to count, so no rating is given; no language model was asked.",
    )
    return ReviewDraft(
        summary=" ".join(sentence for sentence in sentences if sentence),
        rating=None if share is None else round(lowest + share * (highest - lowest), digits),
        confidence=LOWEST_CONFIDENCE,
        recommendation=None if share is None else _BY_QUARTER[int(share * 4)],
        **dict(analysis),
    )
