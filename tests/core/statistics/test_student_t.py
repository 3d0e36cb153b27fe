from importlib import import_module

import pytest

from agents_eval_core.statistics.student_t import critical_t

stats = import_module("scipy.stats")  # by name: its types are unknown


@pytest.mark.parametrize("degrees", [1, 2, 9, 200])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_it_is_the_quantile_of_scipys_distribution(confidence: float, degrees: int) -> None:
    assert critical_t(confidence, degrees) == pytest.approx(float(stats.t.ppf((1 + confidence) / 2, degrees)))
