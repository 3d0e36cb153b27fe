"""A comparison in the XML that CI systems show as test results."""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from agents_eval_core.comparison import Comparison, Contrast, Gate, MetricComparison


def comparison_junit(comparison: Comparison, gate: Gate = "worse") -> str:
    """Return a comparison as JUnit XML: a suite for each contrast, a case for each claimed metric.

    A contrast with the baseline has a case of the gate itself, which fails where it is missed; a claim without a
    conclusion is skipped.

    Args:
        comparison: What was found.
        gate: The gate, which contrasts with the baseline (the first side) must pass.
    """
    suites = Element("testsuites", name="agents-eval compare")
    first = comparison.contrasts[0].baseline.selector
    for contrast in comparison.contrasts:
        is_gated = contrast.baseline.selector == first
        _suite(suites, contrast, gate if is_gated else None, is_missed=contrast in comparison.missed(gate))
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _suite(suites: Element, contrast: Contrast, gate: Gate | None, *, is_missed: bool) -> None:
    name = _clean(f"{contrast.candidate.label} against {contrast.baseline.label}")
    claims = [metric for metric in contrast.metrics if metric.claimed]
    skipped = sum(claim.conclusion == "not enough data" for claim in claims)
    suite = SubElement(
        suites,
        "testsuite",
        name=name,
        tests=str(len(claims) + (gate is not None)),
        failures=str(int(is_missed)),
        errors="0",
        skipped=str(skipped),
    )
    if gate is not None:
        case = SubElement(suite, "testcase", classname=name, name=f"gate: {gate}")
        if is_missed:
            SubElement(case, "failure", message=_clean(contrast.sentence), type=contrast.conclusion)
    for claim in claims:
        _case(suite, name, claim)


def _case(suite: Element, suite_name: str, claim: MetricComparison) -> None:
    case = SubElement(suite, "testcase", classname=suite_name, name=claim.metric)
    if claim.conclusion == "not enough data":
        SubElement(case, "skipped", message=_clean(claim.reason))
    else:
        SubElement(case, "system-out").text = _clean(claim.reason)


def _clean(text: str) -> str:
    """Return text without the control characters that XML cannot hold."""
    return "".join(character for character in text if character.isprintable())
