"""What models repeat of human reviews, beside what humans repeat of one another."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.data_root import DataRoot
from agents_eval_core.memorisation import MUCH
from agents_eval_core.settings import Settings, load_settings
from agents_eval_core.use_cases.memorisation import memorisation
from agents_eval_core.use_cases.run_review import run_review
from agents_eval_core.use_cases.selection import select_runs
from agents_eval_evaluators.text.output_faults import MUCH_FROM_REFERENCE
from scripted_server.exchange import Ask, Call, Say
from scripted_server.server import ScriptedServer


@pytest.fixture
def settings(clean_place: Path) -> Settings:
    return load_settings(None, environment={}, options={"AGENTS_EVAL_HOME": clean_place / "home"})


async def reviewed(settings: Settings, model: str, paper: str) -> Any:
    return await run_review(paper, dataset="sample", settings=settings, engine="direct", provider="openai", model=model)


async def test_a_model_that_repeats_a_human_review_stands_out_from_the_humans(
    scripted_server: ScriptedServer, reached: Callable[[str], str], settings: Settings
) -> None:
    reached("openai")
    honest = [await reviewed(settings, "honest-1", paper) for paper in ("alloy-cracks", "sparse-gates")]

    known = {each.run.case.paper.title: each.run.case.references[0].text for each in honest}

    def parrot(ask: Ask) -> Say:
        text = next(text for title, text in known.items() if title in ask.prompt)
        call = Call(tool="give_review", arguments={"summary": text}, id=f"call_{ask.number}")
        return Say(calls=(call,))

    scripted_server.script = parrot
    for paper in ("alloy-cracks", "sparse-gates"):
        await reviewed(settings, "parrot-1", paper)
    root = DataRoot(path=settings.home)
    found = await memorisation(select_runs("engine=direct", root), settings=settings)
    assert [(row.author, row.near, row.reviews) for row in found.models] == [
        ("openai:parrot-1", 2, 2),
        ("openai:honest-1", 0, 2),
    ]
    assert found.models[0].most > 0.9
    assert found.humans is not None
    assert (found.humans.near, found.humans.reviews, found.humans.papers) == (0, 6, 2)
    assert found.humans.most < MUCH
    assert found.left_out == 0


async def test_runs_without_a_language_model_are_left_out(settings: Settings) -> None:
    await run_review("alloy-cracks", dataset="sample", settings=settings)
    found = await memorisation(select_runs("engine=mas", DataRoot(path=settings.home)), settings=settings)
    assert (found.models, found.humans, found.left_out) == ((), None, 1)


def test_a_review_is_near_a_humans_where_the_finding_begins() -> None:
    assert MUCH == MUCH_FROM_REFERENCE
