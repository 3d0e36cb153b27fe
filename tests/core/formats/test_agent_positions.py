from collections.abc import Mapping

from agents_eval_core.formats.building.agent_positions import AgentPositions
from agents_eval_core.trace import Agent, Operation, Role, Span


class Scene:
    """Spans with the names they carry, placed as they are added."""

    def __init__(self) -> None:
        self._positions = AgentPositions()
        self._spans: list[Span] = []

    def add(
        self,
        span_id: str,
        operation: Operation,
        name: str | None,
        *,
        under: str | None = None,
        to: str | None = None,
        key: str | None = None,
        role: Role | None = None,
    ) -> None:
        span = Span(id=span_id, seq=0, operation=operation, name=operation, parent_id=under)
        self._spans.append(span)
        self._positions.place(span, agent_name=name, delegate_name=to, agent_key=key, role=role)

    def agent(self, span_id: str, name: str, *, under: str | None = None) -> None:
        self.add(span_id, "invoke_agent", name, under=under)

    def tool(self, span_id: str, *, under: str, to: str | None = None, name: str | None = None) -> None:
        self.add(span_id, "execute_tool", name, under=under, to=to)

    def chat(self, span_id: str, name: str | None, *, under: str | None = None) -> None:
        self.add(span_id, "chat", name, under=under)

    @property
    def agents(self) -> tuple[Agent, ...]:
        return self._positions.settle(self._spans)

    @property
    def roles(self) -> Mapping[str, str]:
        return {agent.id: agent.role for agent in self.agents}

    @property
    def delegates(self) -> Mapping[str, str | None]:
        self._positions.settle(self._spans)
        return {span.id: span.to_agent_id for span in self._spans if span.to_agent_id}

    @property
    def actors(self) -> Mapping[str, str | None]:
        self._positions.settle(self._spans)
        return {span.id: span.agent_id for span in self._spans}


def test_an_agent_that_is_invoked_three_times_is_one_agent() -> None:
    scene = Scene()
    scene.agent("m", "manager")
    for number in range(3):
        scene.tool(f"t{number}", under="m")
        scene.agent(f"r{number}", "researcher", under=f"t{number}")
    assert scene.roles == {"manager": "orchestrator", "researcher": "worker"}
    assert scene.delegates == {"t0": "researcher", "t1": "researcher", "t2": "researcher"}


def test_an_agent_within_one_of_the_same_name_is_another() -> None:
    scene = Scene()
    scene.agent("outer", "agent")
    scene.tool("t", under="outer")
    scene.agent("inner", "agent", under="t")
    scene.chat("c", "agent", under="inner")
    assert scene.agents == (
        Agent(id="agent", name="agent", role="orchestrator"),
        Agent(id="agent#2", name="agent", role="worker"),
    )
    assert scene.actors["c"] == "agent#2"
    assert scene.delegates == {"t": "agent#2"}


def test_two_agents_of_a_name_under_two_others_are_told_apart() -> None:
    scene = Scene()
    for above in ("left", "right"):
        scene.agent(above, above)
        scene.agent(f"{above} critic", "critic", under=above)
    assert list(scene.roles) == ["left", "critic", "right", "critic#2"]


def test_a_number_that_is_a_name_already_is_not_given_again() -> None:
    scene = Scene()
    scene.agent("x", "a#2")
    scene.agent("y", "a")
    scene.agent("z", "a", under="y")
    assert list(scene.roles) == ["a#2", "a", "a#3"]


def test_what_an_agent_does_is_its_own_however_deep_it_lies() -> None:
    scene = Scene()
    scene.add("root", "invoke_workflow", None)
    scene.agent("m", "manager", under="root")
    scene.tool("t", under="m")
    scene.add("http", "other", None, under="t")
    assert scene.actors == {"root": None, "m": "manager", "t": "manager", "http": "manager"}


def test_a_delegate_that_never_started_is_an_agent_of_the_trace() -> None:
    scene = Scene()
    scene.agent("m", "manager")
    scene.tool("t", under="m", to="researcher")
    assert scene.roles == {"manager": "orchestrator", "researcher": "worker"}
    assert scene.delegates == {"t": "researcher"}


def test_a_delegate_that_started_is_the_one_that_was_named() -> None:
    scene = Scene()
    scene.agent("m", "manager")
    scene.tool("t1", under="m", to="researcher")
    scene.agent("r", "researcher", under="t1")
    scene.tool("t2", under="m", to="researcher")
    assert scene.delegates == {"t1": "researcher", "t2": "researcher"}
    assert len(scene.agents) == 2


def test_who_started_counts_more_than_who_was_named() -> None:
    scene = Scene()
    scene.agent("m", "manager")
    scene.tool("t", under="m", to="researcher")
    scene.agent("r", "Researcher 2", under="t")
    assert scene.delegates == {"t": "Researcher 2"}
    assert "researcher" not in scene.roles


def test_a_delegate_in_the_middle_is_in_charge_of_its_own() -> None:
    scene = Scene()
    scene.agent("m", "manager")
    scene.tool("t", under="m")
    scene.agent("a", "analyst", under="t")
    scene.tool("u", under="a")
    scene.agent("r", "researcher", under="u")
    assert scene.roles == {"manager": "orchestrator", "analyst": "orchestrator", "researcher": "worker"}
    assert scene.delegates == {"t": "analyst", "u": "researcher"}


def test_agents_one_after_another_are_all_workers() -> None:
    scene = Scene()
    scene.add("root", "invoke_workflow", None)
    scene.agent("a", "first", under="root")
    scene.agent("b", "second", under="root")
    assert scene.roles == {"first": "worker", "second": "worker"}


def test_where_the_agents_span_is_lost_its_name_on_the_others_tells() -> None:
    scene = Scene()
    scene.chat("c", "manager", under="lost")
    scene.tool("t", under="lost", name="manager")
    scene.agent("r", "researcher", under="t")
    scene.chat("d", "researcher", under="also lost")
    assert scene.roles == {"manager": "orchestrator", "researcher": "worker"}
    assert scene.actors == {"c": "manager", "t": "manager", "r": "researcher", "d": "researcher"}
    assert scene.delegates == {"t": "researcher"}


def test_agents_of_a_name_with_ids_of_their_own_stay_apart() -> None:
    scene = Scene()
    scene.agent("m", "manager")
    for number in ("1", "2"):
        scene.tool(f"t{number}", under="m")
        scene.add(f"s{number}", "invoke_agent", "scout", under=f"t{number}", key=number)
    assert scene.delegates == {"t1": "scout", "t2": "scout#2"}


def test_the_receiver_of_a_handoff_stands_beside_the_giver() -> None:
    scene = Scene()
    scene.agent("a", "dealer")
    scene.add("h", "handoff", "dealer", under="a", to="sorter")
    scene.agent("b", "sorter")
    assert scene.roles == {"dealer": "worker", "sorter": "worker"}
    assert scene.delegates == {"h": "sorter"}


def test_a_role_that_the_record_tells_is_the_agents_role() -> None:
    scene = Scene()
    scene.agent("m", "main")
    scene.add("c", "chat", "compaction", under="m", role="system")
    assert scene.roles == {"main": "worker", "compaction": "system"}
    assert scene.actors == {"m": "main", "c": "compaction"}


def test_endless_recursion_of_an_agent_makes_few_agents() -> None:
    scene = Scene()
    scene.agent("0", "agent")
    for number in range(1, 2000):
        scene.agent(str(number), "agent", under=str(number - 1))
    assert len(scene.agents) == 32
