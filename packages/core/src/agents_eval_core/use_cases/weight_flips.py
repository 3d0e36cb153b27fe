"""Whether who has the higher composite depends on the weights."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum

from agents_eval_core.composite_pair import comparable_values, composite_pair
from agents_eval_core.statistics.random_weights import flips
from agents_eval_core.use_cases.paired_series import Pair


def weight_flips(pairs: Sequence[Pair], weights: Mapping[str, float]) -> float | None:
    """Return the share of random weights under which the other side has the higher mean composite.

    It is taken over the pairs whose composite is made of the metrics that most are made of. None where there are none,
    or the sides are level.
    """
    cards = [(each.baseline, each.candidate) for each in pairs if each.baseline and each.candidate and not each.repeats]
    made = [
        (found.metrics, {name: comparable_values(one.score(name), other.score(name)) for name in found.metrics})
        for one, other in cards
        if one and other and (found := composite_pair(one.scores, other.scores, weights=weights)) is not None
    ]
    if not made:
        return None
    metrics = Counter(each for each, _ in made).most_common(1)[0][0]
    chosen = [values for each, values in made if each == metrics]
    differences = [fsum(both[1] - both[0] for values in chosen if (both := values[name])) for name in metrics]
    return flips([each / len(chosen) for each in differences], [weights[name] for name in metrics])
