"""What every agent of a team is made with."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.capabilities import AgentCapability

from agents_eval_agents.review_team.prompt_files import Prompts
from agents_eval_agents.tools.web_search import Searcher

RETRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """The prompts, what watches the agents, and who searches the web for them.

    The model comes with each run, so that agents of the same kit are made once and serve many.
    """

    prompts: Prompts
    searcher: Searcher | None = None
    capabilities: Sequence[AgentCapability[Any]] = field(default=(), hash=False)
