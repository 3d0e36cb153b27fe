"""Teams whose members fail in a chosen way, with a desk to work at."""

from collections.abc import Callable

import pytest
from pydantic_ai.models import Model

from agents_eval_agents.review_team.composition import Composition
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.kit import Kit
from agents_eval_agents.review_team.prompt_files import Prompts
from agents_eval_agents.review_team.team import Team
from agents_eval_core.paper import Paper
from agents_eval_core.review import Scale


@pytest.fixture
def a_desk(a_paper: Paper) -> Desk:
    return Desk(paper=a_paper, scale=Scale(lowest=1, highest=10))


@pytest.fixture
def a_team() -> Callable[[Model, str], Team]:
    def made(model: Model, composition: str) -> Team:
        return Team(composition=Composition.named(composition), kit=Kit(prompts=Prompts.load()), model=model)

    return made
