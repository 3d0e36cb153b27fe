"""A review through the scripted server, as the verb does it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.ports.engine import Progress
from agents_eval_core.settings import load_settings
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from agents_eval_core.use_cases.run_review import run_review

Review = Callable[..., Awaitable[EvaluatedRun]]


@pytest.fixture
def told() -> list[str]:
    """What a review said about its progress."""
    return []


@pytest.fixture
def review(clean_place: Path, told: list[str]) -> Review:
    """Return a function that has a sample paper reviewed; settings are given by their names, in capitals."""

    async def reviewed(provider: str, *, model: str | None = "house/scripted-1", **asked: Any) -> EvaluatedRun:
        def tell(progress: Progress) -> None:
            told.append(progress.action)

        said = {name: asked.pop(name) for name in list(asked) if name.isupper()}
        options = {"AGENTS_EVAL_HOME": clean_place / "home", **said}
        return await run_review(
            asked.pop("paper", "alloy-cracks"),
            dataset=asked.pop("dataset", "sample"),
            settings=load_settings(None, environment={}, options=options),
            provider=provider,
            model=model,
            on_progress=tell,
            **asked,
        )

    return reviewed
