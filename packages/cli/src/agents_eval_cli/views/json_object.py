"""The one JSON object that a command gives."""

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json


def json_object(kind: str, parts: Mapping[str, Any]) -> str:
    """Return the parts as one JSON object that says what it is; numbers that JSON does not know are null.

    >>> print(json_object("runs", {"runs": (), "mean": float("nan")}))
    {
      "schema": "agents-eval/runs/1",
      "runs": [],
      "mean": null
    }
    <BLANKLINE>
    """
    return to_json({"schema": f"agents-eval/{kind}/1", **parts}, indent=2, inf_nan_mode="null").decode() + "\n"
