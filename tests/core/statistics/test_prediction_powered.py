"""A biased judge's mean is corrected by a few labels; the naive mean is not to be trusted."""

import random
from dataclasses import dataclass
from statistics import fmean

import pytest

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.label_file import LabelledText
from agents_eval_core.statistics.prediction_powered import plain_mean, prediction_powered_mean
from agents_eval_core.statistics.slope import slope
from agents_eval_core.use_cases.certify_judge import JudgedText, certificate_of

SIMULATIONS = 1000
BIAS = 0.15
TRUTH = 0.5


@dataclass(frozen=True, kw_only=True)
class World:
    """Texts of known worth, and a judge that gives them `BIAS` more, with noise."""

    generator: random.Random
    noise: float = 0.1

    def judged(self, number: int, labelled: bool) -> JudgedText:
        worth = min(0.8, max(0.2, self.generator.gauss(TRUTH, 0.15)))
        grade = min(1.0, max(0.0, worth + BIAS + self.generator.gauss(0, self.noise)))
        text = LabelledText(id=str(number), text="word " * 9, label=worth if labelled else None)
        return JudgedText(text=text, value=grade)


def covered(noise: float, labelled: int, unlabelled: int) -> tuple[float, float, float]:
    """Return how often the corrected, the naive and the labels' own interval cover the truth, over simulations."""
    world = World(generator=random.Random(2026), noise=noise)  # noqa: S311  a simulation
    hits = [0, 0, 0]
    for _ in range(SIMULATIONS):
        judged = [world.judged(number, number < labelled) for number in range(labelled + unlabelled)]
        found = certificate_of(judged, judge="scripted", rubric="any")
        for place, figure in enumerate((found.corrected_mean, found.naive_mean, found.labels_mean)):
            assert figure is not None
            hits[place] += figure.low <= TRUTH <= figure.high
    return hits[0] / SIMULATIONS, hits[1] / SIMULATIONS, hits[2] / SIMULATIONS


@pytest.mark.parametrize(("noise", "labelled", "unlabelled"), [(0.1, 40, 200), (0.3, 25, 100), (0.0, 40, 0)])
def test_the_corrected_interval_of_a_judge_biased_by_015_covers_the_truth_and_the_naive_one_does_not(
    noise: float, labelled: int, unlabelled: int
) -> None:
    corrected, naive, _ = covered(noise, labelled, unlabelled)
    assert corrected >= 0.93
    assert naive < 0.5


def test_a_good_judge_narrows_the_interval_and_a_useless_one_hardly_widens_it() -> None:
    generator = random.Random(3)  # noqa: S311  a simulation
    labels = [generator.random() for _ in range(40)]
    good = [label + 0.15 + generator.gauss(0, 0.05) for label in labels]
    more = [generator.random() + 0.15 for _ in range(400)]
    useless = [generator.random() for _ in labels]
    alone = plain_mean(labels)
    helped = prediction_powered_mean(labels, good, more)
    hindered = prediction_powered_mean(labels, useless, [generator.random() for _ in range(400)])
    assert helped.high - helped.low < 0.6 * (alone.high - alone.low)
    assert hindered.high - hindered.low < 1.05 * (alone.high - alone.low)
    assert hindered.power < 0.3


def test_without_further_texts_the_labels_speak_alone() -> None:
    labels = [0.2, 0.4, 0.9]
    found = prediction_powered_mean(labels, [0.9, 0.9, 0.1], [])
    assert (found.mean, found.power) == (pytest.approx(fmean(labels)), 0)
    assert (found.low, found.high) == (pytest.approx(plain_mean(labels).low), pytest.approx(plain_mean(labels).high))


def test_too_few_labels_are_no_correction() -> None:
    with pytest.raises(UndefinedMetricError, match="three labels"):
        prediction_powered_mean([0.1, 0.2], [0.1, 0.2], [0.5])
    with pytest.raises(UndefinedMetricError, match="two values"):
        plain_mean([0.1])
    with pytest.raises(UndefinedMetricError, match="slope"):
        slope([1, 1, 1], [0, 1, 2])


def test_a_judge_that_favours_length_has_a_slope() -> None:
    generator = random.Random(5)  # noqa: S311  a simulation
    judged: list[JudgedText] = []
    for number in range(60):
        doublings = generator.randrange(4, 10)
        text = LabelledText(id=str(number), text="word " * 2**doublings, label=0.4)
        judged.append(JudgedText(text=text, value=0.3 + 0.03 * doublings + generator.gauss(0, 0.01)))
    found = certificate_of(judged, judge="scripted", rubric="any").length_slope
    assert found is not None
    assert found.low < 0.03 < found.high
    assert found.low > 0.02


def test_what_cannot_be_found_out_is_said_and_failures_count_nowhere_else() -> None:
    judged = [
        JudgedText(text=LabelledText(id="a", text="x", label=0.5), value=0.5),
        JudgedText(text=LabelledText(id="b", text="y", label=0.1), value=None, problem="timeout"),
    ]
    found = certificate_of(judged, judge="scripted", rubric="any")
    assert (found.items, found.labelled, found.failures) == (2, 1, 1)
    assert (found.kappa, found.bias, found.corrected_mean, found.flip_rate) == (None, None, None, None)
    assert [problem.partition(":")[0] for problem in found.problems][:2] == ["kappa", "bias"]
