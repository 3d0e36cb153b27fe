"""The content of messages: a text, or a list of parts of which some are text."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from agents_eval_core.formats.json_text.json_values import as_json, as_list, as_record

TEXT_KEYS: Final = ("text", "refusal", "input_text", "output_text")


def text_of(content: Any) -> str | None:
    r"""Return the text of a content: the text parts of a list by lines, any other value as JSON.

    >>> text_of([{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {}}, "b"])
    'a\nb'
    """
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, list):
        return as_json(content)
    texts = [text for part in as_list(content) if (text := _text(part))]
    return "\n".join(texts) if texts else None


def result_of(content: Any) -> str | None:
    """Return a tool's result as text; parts without text stay JSON, so that a result is never lost.

    >>> result_of([{"type": "image", "id": 1}]), result_of("")
    ('[{"type":"image","id":1}]', '')
    """
    return as_json(content) if other_parts(content) else text_of(content)


def other_parts(content: Any) -> Mapping[str, int]:
    """Count the parts that are no text, by their type.

    >>> other_parts([{"type": "text", "text": "a"}, {"type": "image_url"}])
    {'image_url': 1}
    """
    parts = [part for part in as_list(content) if _text(part) is None]
    return dict(Counter(str(as_record(part).get("type") or type(part).__name__)[:40] for part in parts))


def _text(part: Any) -> str | None:
    if isinstance(part, str):
        return part
    record = as_record(part)
    return next((value for key in TEXT_KEYS if isinstance(value := record.get(key), str)), None)
