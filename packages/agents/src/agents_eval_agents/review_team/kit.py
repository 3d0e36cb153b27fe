"""What every agent of a team is made with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_ai.capabilities import AgentCapability
from pydantic_ai.models import Model

from agents_eval_agents.review_team.prompt_files import Prompts

RETRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """The model, the prompts, and what watches the agents."""

    model: Model
    prompts: Prompts
    capabilities: Sequence[AgentCapability[Any]] = ()
