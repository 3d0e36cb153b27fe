"""The tools of whoever reads the paper: the researcher, or a manager without one."""

from collections.abc import Sequence

from pydantic_ai import FunctionToolset

from agents_eval_agents.review_team.kit import Kit
from agents_eval_agents.tools.paper import PaperReader, paper_tools
from agents_eval_agents.tools.search import search_tools
from agents_eval_agents.tools.web_search import web_search_tools


def reading_tools(kit: Kit) -> Sequence[FunctionToolset[PaperReader]]:
    """Return the tools that read and search the paper, and the one that searches the web where that is wanted."""
    own = [paper_tools(), search_tools()]
    return own if kit.searcher is None else [*own, web_search_tools(kit.searcher)]
