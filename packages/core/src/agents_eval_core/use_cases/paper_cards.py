"""The scorecards of a side by paper, each distinct repetition once."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from agents_eval_core.score import Scorecard
from agents_eval_core.statistics.paired import paper_of
from agents_eval_core.use_cases.evaluated_side import EvaluatedSide

Paper = tuple[str, str]
PaperCards = Mapping[Paper, Sequence[Scorecard]]


def paper_cards(sides: Sequence[EvaluatedSide], *, distinct: bool = True) -> list[PaperCards]:
    """Return the scorecards of each side over the papers that every side has evaluated.

    Args:
        sides: What was evaluated.
        distinct: Whether a run that repeats another word for word is left out; its scores are the same, not its time.
    """
    found = [
        {paper: [card for card in cards if card is not None] for paper, cards in tries_of(side, distinct).items()}
        for side in sides
    ]
    common = frozenset[Paper].intersection(*(frozenset(p for p, cards in each.items() if cards) for each in found))
    return [{paper: each[paper] for paper in sorted(common)} for each in found]


def tries_of(side: EvaluatedSide, distinct: bool = True) -> dict[Paper, list[Scorecard | None]]:
    """Return the tries at each paper; None for a run that failed, and nothing for one that was not evaluated.

    A run that repeats another of the same paper word for word is no further try, where distinct ones are asked for.
    """
    repeating = set(side.side.identical if distinct else ())
    found: defaultdict[Paper, list[Scorecard | None]] = defaultdict(list)
    for record in side.records:
        card = side.scorecards.get(record.id)
        is_try = card is not None or record.status == "failed"
        if is_try and record.paper and record.id not in repeating:
            found[paper_of(record)].append(card)
    return dict(found)
