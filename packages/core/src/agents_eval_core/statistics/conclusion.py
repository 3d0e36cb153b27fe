"""From evidence to a conclusion that a person can act on: better, worse, equivalent, or not enough data."""

from agents_eval_core.comparison import Conclusion
from agents_eval_core.statistics.clustered import ClusteredMean
from agents_eval_core.statistics.fewest_papers import fewest_papers


def conclude(
    estimate: ClusteredMean | None, *, p: float, equivalence_p: float | None = None, confidence: float = 0.95
) -> Conclusion:
    """Return what a difference shows about the candidate.

    A difference that lies within the stated margin for certain is `equivalent`, even where it is certainly not 0:
    whoever states a margin says that smaller differences do not matter. `better` and `worse` need a p-value that the
    confidence allows, and all of them need at least `fewest_papers`; all else is `not enough data`.

    Args:
        estimate: Of the difference, candidate minus baseline.
        p: Of a difference, adjusted for how many are asked about.
        equivalence_p: Of equivalence, adjusted likewise; None where no margin was stated.
        confidence: Of the conclusion.

    >>> conclude(ClusteredMean(mean=0.2, standard_error=0.01, low=0.1, high=0.3, n=3, clusters=3), p=0.001)
    'not enough data'
    """
    if estimate is None or estimate.clusters < fewest_papers(confidence):
        return "not enough data"
    allowed = 1 - confidence + 1e-12
    if equivalence_p is not None and equivalence_p <= allowed:
        return "equivalent"
    if p > allowed:
        return "not enough data"
    return "better" if estimate.mean > 0 else "worse"
