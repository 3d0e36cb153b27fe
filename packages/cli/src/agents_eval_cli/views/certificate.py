"""A judge's certificate, and its preference between two runs, as people read them."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from agents_eval_cli.views.page import bullets, heading, pairs
from agents_eval_cli.views.run import shown_path
from agents_eval_core.certificate import Certificate, Figure
from agents_eval_core.score import Score
from agents_eval_core.use_cases.certify_judge import Certified

FAILURES_SHOWN = 3


def certificate_view(done: Certified) -> Group:
    """Return the certificate, figure by figure, and what could not be found out."""
    return Group(*_certificate(done))


def preference_view(score: Score, first: str, second: str) -> Group:
    """Return which run is preferred, and why; or why there is no preference."""
    measures = pairs(*((one.name, str(one.value)) for one in score.measures if one.value is not None))
    if score.value is None:
        return Group(Text("No preference.", style="bold"), Text(score.explanation), measures)
    named = {"the first": first, "the second": second}.get(score.label, score.label)
    return Group(
        Text(f"{named} ({score.value:.2f}; 1 is {first}, 0 is {second})", style="bold"),
        Text(score.explanation),
        measures,
    )


def _certificate(done: Certified) -> Iterator[RenderableType]:
    found = done.certificate
    yield Text(f"Certificate of {found.judge}", style="bold")
    yield Text("")
    yield pairs(
        ("rubric", found.rubric),
        ("texts", f"{found.items}, of which {found.labelled} with a label; {found.failures} without a usable answer"),
        ("repeats", str(found.repeats)),
        *_agreement(found),
        *_consistency(found),
        *_cost(found),
    )
    yield heading("The mean grade of all texts")
    yield pairs(
        ("as the judge says", _shown(found.naive_mean)),
        ("by the labels alone", _shown(found.labels_mean)),
        ("corrected", _shown(found.corrected_mean)),
    )
    yield from _warnings(found)
    failed = [f"{one.text.id}: {one.problem}" for one in done.judged if one.value is None]
    if failed:
        yield heading("Without a usable answer")
        yield bullets(
            *failed[:FAILURES_SHOWN], *([f"{len(failed) - FAILURES_SHOWN} more"] if failed[FAILURES_SHOWN:] else [])
        )
    yield Text(f"\nKept in {shown_path(done.file.resolve())}.")


def _agreement(found: Certificate) -> Iterator[tuple[str, str]]:
    yield "kappa with people", _shown(found.kappa)
    for name, kappa in found.criterion_kappas.items():
        yield f"  {name}", _shown(kappa)
    yield "bias", f"{_shown(found.bias)}, judge minus label"
    yield "length", f"{_shown(found.length_slope)} more than people for twice the words"


def _consistency(found: Certificate) -> Iterator[tuple[str, str]]:
    yield "flip rate", "unknown: each text was judged once" if found.flip_rate is None else f"{found.flip_rate:.3f}"
    if found.majority_share is not None:
        alpha = "undefined: no variation" if found.alpha is None else f"{found.alpha:.3f}"
        yield "panel", f"majority share {found.majority_share:.3f}, Krippendorff's alpha {alpha}"
    if found.quotes_dropped is not None:
        yield "quotations", f"{found.quotes_dropped:.1%} do not occur in the material"


def _cost(found: Certificate) -> Iterator[tuple[str, str]]:
    if found.input_tokens is not None:
        yield "tokens", f"{found.input_tokens:,} in, {found.output_tokens or 0:,} out"
    yield "cost", "unknown" if found.cost_usd is None else f"{found.cost_usd:.4f} USD"


def _warnings(found: Certificate) -> Iterator[RenderableType]:
    said = list(found.problems)
    if found.bias is not None and not found.bias.low <= 0 <= found.bias.high:
        more = "more" if found.bias.value > 0 else "less"
        said.append(f"the judge gives {more} than people do: report the corrected mean, not its own")
    if found.length_slope is not None and found.length_slope.low > 0:
        said.append("the judge favours long texts")
    if said:
        yield heading("Know before you use it")
        yield bullets(*said)


def _shown(figure: Figure | None) -> str:
    return "not measured" if figure is None else str(figure)
