"""What every call of a tool passes: the rate, the confinement of the data root, errors made plain, texts made clean."""

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar, cast

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel

from agents_eval_core.errors import AgentsEvalError
from agents_eval_core.visible_text import visible
from agents_eval_mcp_server.principal import principal
from agents_eval_mcp_server.rates import Rates
from agents_eval_mcp_server.root import Root

P = ParamSpec("P")
TReply = TypeVar("TReply", bound=BaseModel)
LONGEST_ERROR: Final = 1200


class Door:
    """Stands before every tool of a server."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._rates = Rates()

    def guarded(self, tool: Callable[P, Awaitable[TReply]]) -> Callable[P, Awaitable[TReply]]:
        """Return the tool behind the door, with the same name, description and arguments."""

        @wraps(tool)
        async def call(*args: P.args, **kwargs: P.kwargs) -> TReply:
            with correctable(self._root):
                self._rates.take(principal())
                self._root.refuse_moved_home()
                return cleaned(await tool(*args, **kwargs), self._root)

        return call


@contextmanager
def correctable(root: Root) -> Generator[None]:
    """Hand our own errors to the client as text that it can act on; others stay masked by the SDK, and are logged."""
    try:
        yield
    except AgentsEvalError as problem:
        raise ToolError(told(problem, root)) from problem


def told(problem: Exception, root: Root) -> str:
    """Return what an error says, without where this machine keeps its files and with nothing hidden in it."""
    text = root.without_places(visible(str(problem)))
    return text if len(text) <= LONGEST_ERROR else f"{text[: LONGEST_ERROR - 1]}…"


def cleaned(reply: TReply, root: Root) -> TReply:
    """Return a reply in whose texts nothing is hidden and no place of this machine is named."""
    fields = {name: _clean(value, root) for name, value in reply}
    return reply.model_copy(update=fields)


def _clean(value: Any, root: Root) -> Any:
    match value:
        case str():
            return root.without_places(visible(value))
        case BaseModel():
            return cleaned(value, root)
        case list():
            return [_clean(entry, root) for entry in cast("list[Any]", value)]
        case dict():
            return {_clean(key, root): _clean(entry, root) for key, entry in cast("dict[Any, Any]", value).items()}
        case _:
            return value
