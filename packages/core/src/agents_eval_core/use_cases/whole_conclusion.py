"""One conclusion from those about each claimed metric."""

from collections.abc import Sequence

from agents_eval_core.comparison import Conclusion, MetricComparison


def whole_conclusion(claims: Sequence[MetricComparison]) -> tuple[Conclusion, str]:
    """Return what the claimed metrics come to together, and why.

    One claim is the conclusion itself, and its reason is the reason. Of several, each keeps its reason in its row, and
    the candidate is worse if it is worse in any; better if it is better
    in one and in each of the others better, equivalent or shown not to be worse by the margin; equivalent if it is so
    in all.

    >>> claim = MetricComparison(metric="m", pairs=9, papers=9, baseline_mean=0.1, candidate_mean=0.2, difference=0.1,
    ...                          interval=None, conclusion="better", reason="b is better")
    >>> whole_conclusion([claim, claim.changed(metric="n", conclusion="worse", reason="b is worse")])
    ('worse', 'worse: in n; better in m')
    """
    if len(claims) == 1:
        return claims[0].conclusion, claims[0].reason
    conclusion = _together(claims)
    return conclusion, f"{conclusion}: {_overview(conclusion, claims)}"


def _together(claims: Sequence[MetricComparison]) -> Conclusion:
    found = {claim.conclusion for claim in claims}
    if "worse" in found:
        return "worse"
    if found == {"equivalent"}:
        return "equivalent"
    holds = all(claim.conclusion in ("better", "equivalent") or claim.non_inferior for claim in claims)
    return "better" if "better" in found and holds else "not enough data"


def _overview(conclusion: Conclusion, claims: Sequence[MetricComparison]) -> str:
    order = dict.fromkeys([conclusion, *(claim.conclusion for claim in claims)])
    parts = {word: [claim.metric for claim in claims if claim.conclusion == word] for word in order}
    said = (f"{word} in {', '.join(metrics)}" for word, metrics in parts.items() if metrics)
    return "; ".join(said).removeprefix(f"{conclusion} ")
