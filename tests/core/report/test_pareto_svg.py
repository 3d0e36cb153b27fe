"""The Pareto plot: what is drawn, and the same in words."""

import re

from agents_eval_core.report.pareto_svg import ParetoPoint, pareto_svg


def a_point(label: str, quality: float, taken: float, *, is_on_front: bool = False) -> ParetoPoint:
    return ParetoPoint(label=label, quality=quality, taken=taken, is_on_front=is_on_front)


def test_better_is_higher_and_dearer_is_further_right() -> None:
    points = [a_point("cheap", 0.2, 1.0, is_on_front=True), a_point("good", 0.8, 3.0, is_on_front=True)]
    drawn = str(pareto_svg(points, quality="quality", taken="USD"))
    (x1, y1), (x2, y2) = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', drawn)
    assert float(x1) < float(x2)
    assert float(y1) > float(y2)
    assert 'aria-label="quality against USD; on the front: cheap, good"' in drawn


def test_only_the_front_is_filled_and_a_wide_range_is_logarithmic() -> None:
    points = [a_point("a", 0.5, 0.1, is_on_front=True), a_point("b", 0.4, 10.0)]
    drawn = str(pareto_svg(points, quality="quality", taken="USD"))
    assert re.findall(r'fill="var\(--(mark|page)\)"', drawn) == ["mark", "page"]
    assert "USD, logarithmic" in drawn
    assert "logarithmic" not in str(pareto_svg([points[0], a_point("c", 0.1, 0.2)], quality="q", taken="USD"))


def test_labels_never_cover_one_another_and_cannot_break_out() -> None:
    points = [a_point(f"<i>{number}</i>", 0.5, 1.0) for number in range(8)]
    drawn = str(pareto_svg(points, quality="quality", taken="USD"))
    heights = [float(y) for y in re.findall(r'<text x="458" y="([\d.]+)">', drawn)]
    assert len(heights) == 8
    assert min(b - a for a, b in zip(sorted(heights), sorted(heights)[1:], strict=False)) >= 12.9
    assert "<i>" not in drawn


def test_one_point_is_no_plot() -> None:
    assert pareto_svg([a_point("a", 0.5, 1.0)], quality="quality", taken="USD") == ""
