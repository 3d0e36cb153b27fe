"""What a comparison of sets of runs comes to."""

from typing import Literal

from pydantic import Field

from agents_eval_core.frozen import Frozen
from agents_eval_core.score import Range

Conclusion = Literal["better", "worse", "equivalent", "not enough data"]
Gate = Literal["worse", "not-better", "not-equivalent"]


class GroupMean(Frozen):
    """A metric across the runs of one paper, averaged over papers; no interval with fewer than two or no spread."""

    metric: str
    mean: float
    interval: Range | None
    papers: int


class Side(Frozen):
    """One of the compared sets of runs.

    Attributes:
        runs: The complete runs.
        excluded: The runs that did not complete, by id, and their status.
        identical: Complete runs that repeat another of the same paper word for word; together with it they count once.
        group_means: What the metrics across runs say of the papers that it has several runs of.
    """

    selector: str
    label: str
    runs: tuple[str, ...]
    excluded: dict[str, str] = Field(default_factory=dict[str, str])
    identical: tuple[str, ...] = ()
    group_means: tuple[GroupMean, ...] = ()


class Beside(Frozen):
    """Figures that stand beside the headline and decide nothing by themselves; None where one does not apply.

    Attributes:
        median: Of the papers' mean differences.
        bootstrap_mean: BCa bootstrap interval over papers.
        bootstrap_median: The same of the median.
        t_p: Of the t interval's model.
        permutation_p: Of the sign-flip test; where runs are not paired, of exchanging papers between the sides.
        wilcoxon_p: Of the signed-rank test over papers.
        mcnemar_p: Only for passes and failures with one run a paper.
        effect_size: Mean difference in standard deviations of the papers' differences, corrected for few papers.
        superiority: Probability that the candidate does better on a paper.
    """

    median: float | None = None
    bootstrap_mean: Range | None = None
    bootstrap_median: Range | None = None
    t_p: float | None = None
    permutation_p: float | None = None
    wilcoxon_p: float | None = None
    mcnemar_p: float | None = None
    effect_size: float | None = None
    superiority: float | None = None


class Spread(Frozen):
    """Where the differences vary, as standard deviations.

    Attributes:
        repetitions: Between repetitions of one paper; None where no paper was repeated.
        correlation: Share of the variance that lies between papers (intra-class correlation).
    """

    papers: float
    repetitions: float | None = None
    correlation: float | None = None


class Missing(Frozen):
    """Pairs that a side has no value for, by reason, and what they could do to the difference.

    Attributes:
        bounds: The mean difference if every missing value were the worst for the candidate, and if the best.
    """

    baseline: dict[str, int] = Field(default_factory=dict[str, int])
    candidate: dict[str, int] = Field(default_factory=dict[str, int])
    bounds: Range | None = None


class Outlook(Frozen):
    """What would settle it with a probability of 80 %, if the difference seen is the true one.

    Attributes:
        power: The probability of a conclusion with as much data as there is.
        papers: Papers in all; None where no number up to 10,000 does.
        repetitions: Repetitions of each paper in all, papers as they are; None where they cannot or it is not known.
        detectable: The smallest true difference found with the papers there are; None where they are too few.
    """

    power: float
    papers: int | None = None
    repetitions: int | None = None
    detectable: float | None = None


class MetricComparison(Frozen):
    """One metric: the candidate minus the baseline.

    Attributes:
        unit: What the means are in, where that is not the score itself (`raw similarity`, `log s`).
        higher_is_better: False for time, cost and tokens.
        claimed: Whether it was asked about (Holm's correction) rather than looked at among others
            (Benjamini-Hochberg).
        pairs: Pairs of runs of the same case; of unpaired sides, the runs of the smaller.
        papers: Distinct papers among them: the clusters.
        interval: Clustered-t interval of the mean difference at the comparison's confidence; None where undefined.
        p: What the conclusion rests on, before correction: the larger of the t and the permutation p.
        adjusted_p: After correction for how many are claimed, or screened.
        non_inferior: Whether the candidate is shown not to be worse by the margin; None where no margin was stated.
        conclusion: About the candidate.
        reason: Why the conclusion is what it is, in one sentence.
    """

    metric: str
    unit: str = ""
    higher_is_better: bool = True
    claimed: bool = False
    pairs: int
    papers: int
    baseline_mean: float | None
    candidate_mean: float | None
    difference: float | None
    interval: Range | None
    p: float | None = None
    adjusted_p: float | None = None
    non_inferior: bool | None = None
    conclusion: Conclusion
    reason: str
    beside: Beside | None = None
    spread: Spread | None = None
    missing: Missing = Missing()
    outlook: Outlook | None = None


class Contrast(Frozen):
    """A candidate against a baseline.

    Attributes:
        paired: Whether runs of the same paper were held against each other.
        unmatched_reasons: Why each unmatched run has no partner, by its id.
        metrics: The composite first.
        resources: Time, cost and tokens, which are no scores.
        flips: Share of random weights under which the other side has the higher composite; None where they are level.
        conclusion: Of the claimed metrics together, about the candidate.
    """

    baseline: Side
    candidate: Side
    paired: bool = True
    unmatched_baseline: tuple[str, ...] = ()
    unmatched_candidate: tuple[str, ...] = ()
    unmatched_reasons: dict[str, str] = Field(default_factory=dict[str, str])
    metrics: tuple[MetricComparison, ...]
    resources: tuple[MetricComparison, ...] = ()
    flips: float | None = None
    conclusion: Conclusion
    sentence: str


class PassRate(Frozen):
    """How often one, or every one, of k tries at a paper passes; over the papers with k tries that differ."""

    k: int
    papers: int
    any_passes: float
    any_interval: Range
    all_pass: float
    all_interval: Range


class Standing(Frozen):
    """A side among all, over the papers and metrics that all of them have.

    Attributes:
        composite: Mean over those papers; None where the sides share nothing.
        quality: The same without the metrics of time.
        first_places: Share of random weights under which its composite is the highest.
        elapsed_seconds: Geometric mean; None where not all sides measured it.
        cost_usd: Mean; None where not all sides know it.
        on_front: Whether no other side is at least as good, as fast and as cheap, and better in one of them.
        pass_rates: Of repeated papers, by k.
    """

    label: str
    papers: int
    composite: float | None
    quality: float | None
    first_places: float | None
    elapsed_seconds: float | None
    cost_usd: float | None
    on_front: bool | None
    pass_rates: tuple[PassRate, ...] = ()


class PartWorth(Frozen):
    """An effect with its interval, in units of the metric.

    Attributes:
        of: The agent, or the agents whose interaction it is.
        kind: `shapley`, `main effect` or `interaction`.
        interval: None with one paper, or where a cost was the same in every paper.
        adjusted_p: After Holm over the agents, for Shapley values.
    """

    of: tuple[str, ...]
    kind: Literal["shapley", "main effect", "interaction"]
    value: float
    interval: Range | None
    adjusted_p: float | None = None
    conclusion: Literal["adds", "takes away", "adds nothing", "not enough data"]


class MetricWorth(Frozen):
    """What each agent is worth in one metric or resource, over all compositions."""

    metric: str
    unit: str = ""
    higher_is_better: bool = True
    papers: int
    parts: tuple[PartWorth, ...]


class Comparison(Frozen):
    """Two or more sets of runs: each pair of them, in the order in which they were named.

    Attributes:
        margin: The smallest difference of a score that matters, as stated; None where it was not.
        claims: The metrics asked about.
        contrasts: Those with the first side as baseline come first.
        winner: The label of the side that is better than every other, and ahead under 95 % of random weights.
        worth: Of the agents, where the sides are all compositions of three agents.
    """

    confidence: float
    margin: float | None = None
    claims: tuple[str, ...] = ()
    contrasts: tuple[Contrast, ...]
    standings: tuple[Standing, ...] = ()
    winner: str | None = None
    winner_sentence: str = ""
    worth: tuple[MetricWorth, ...] = ()

    def missed(self, gate: Gate) -> tuple[Contrast, ...]:
        """Return the contrasts with the baseline, which is the first side, in which the candidate misses a gate.

        Args:
            gate: `worse` is missed by a candidate that is worse, `not-better` by one that is not better, and
                `not-equivalent` by one that is not equivalent.
        """
        first = self.contrasts[0].baseline.selector
        against = (contrast for contrast in self.contrasts if contrast.baseline.selector == first)
        return tuple(contrast for contrast in against if _misses(contrast.conclusion, gate))


def _misses(conclusion: Conclusion, gate: Gate) -> bool:
    match gate:
        case "worse":
            return conclusion == "worse"
        case "not-better":
            return conclusion != "better"
        case "not-equivalent":
            return conclusion != "equivalent"
