"""The one JSON object in the answer of a model that answers in text."""

import json
import re
from typing import Any, Final, TypeVar, cast

from pydantic import BaseModel, ValidationError

from agents_eval_core.errors import UnreadableReplyError

TModel = TypeVar("TModel", bound=BaseModel)
FENCED: Final = re.compile(r"\A\s*```(?:json)?\s*\n(?P<body>.*)\n\s*```\s*\Z", re.DOTALL)
DECODER: Final = json.JSONDecoder(strict=False)  # local models write line breaks into strings


def reply_as(schema: type[TModel], text: str) -> TModel:
    r"""Return a text as the value it is said to be.

    The text must be one JSON object and nothing else, but for a code fence around it. What stands in the middle of
    prose is not picked out: the prose may repeat what the judged material offers as a finished answer.

    Raises:
        UnreadableReplyError: It is something else.

    >>> from agents_eval_core.judging import ExchangeMessage
    >>> reply_as(ExchangeMessage, '```json\n{"role": "user", "text": "Yes"}\n```').text
    'Yes'
    """
    found = FENCED.match(text)
    body = (found["body"] if found else text).strip()
    try:
        value, end = DECODER.raw_decode(body)
    except (json.JSONDecodeError, RecursionError) as problem:
        raise UnreadableReplyError("it is not a JSON object", text=text) from problem
    if not isinstance(value, dict) or body[end:].strip():
        raise UnreadableReplyError("it is not one JSON object and nothing else", text=text)
    try:
        return schema.model_validate(cast("dict[str, Any]", value), strict=True)
    except ValidationError as problem:
        first = problem.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "it"
        raise UnreadableReplyError(f"{place}: {first['msg']}", text=text) from problem
