"""Long texts of a span, cut so that a huge trace fits into memory."""

from msgspec.structs import replace

from agents_eval_core.formats.json_text.json_values import shortened
from agents_eval_core.trace import Span


def cut_span(span: Span, longest: int | None) -> Span:
    """Return a span without text beyond a number of characters; `attributes["cut"]` gives the full lengths by field.

    >>> span = cut_span(Span(id="a", seq=0, operation="message", name="m", text="abcdef"), 3)
    >>> span.text, span.attributes
    ('abc', {'cut': {'text': 6}})
    """
    if longest is None:
        return span
    full: dict[str, int] = {}
    tool = span.tool
    if tool is not None:
        arguments = shortened(tool.arguments, longest, full, "arguments")
        tool = replace(tool, arguments=arguments, result=shortened(tool.result, longest, full, "result"))
    changed = replace(
        span,
        text=shortened(span.text, longest, full, "text"),
        error_text=shortened(span.error_text, longest, full, "error_text"),
        tool=tool,
        attributes={
            name: value if name == "cut" else shortened(value, longest, full, name)
            for name, value in span.attributes.items()
        },
    )
    return replace(changed, attributes={**changed.attributes, "cut": full}) if full else span
