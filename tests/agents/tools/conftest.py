"""Somebody with a paper, and the context in which tools are called."""

from collections.abc import Callable

import pytest
from pydantic_ai import RunContext
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RunUsage

from agents_eval_agents.review_team.desk import Desk
from agents_eval_core.paper import Paper
from agents_eval_core.review import Scale


@pytest.fixture
def called_by() -> Callable[[Paper], RunContext[Desk]]:
    def context(paper: Paper) -> RunContext[Desk]:
        desk = Desk(paper=paper, scale=Scale(lowest=1, highest=10))
        return RunContext(deps=desk, model=TestModel(), usage=RunUsage())

    return context
