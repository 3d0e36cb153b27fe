"""Which runs of a group succeeded, and how long each was."""

from collections.abc import Sequence

from agents_eval_core.run import Run
from agents_eval_core.trace import Span

STEPS = frozenset({"chat", "message", "execute_tool", "handoff", "retrieval", "plan"})


def has_succeeded(run: Run) -> bool | None:
    """Return what is declared about a run: by its trace, else failed where the run itself is; None where nobody says.

    >>> from datetime import UTC, datetime
    >>> from agents_eval_core.case import Case
    >>> from agents_eval_core.run import System
    >>> has_succeeded(Run(id="r", status="failed", case=Case(id="c"), system=System(engine="mas"),
    ...     created_at=datetime.now(UTC)))
    False
    """
    outcome = run.trace.outcome if run.trace is not None else None
    if outcome is not None and outcome.success is not None:
        return outcome.success
    return False if run.status == "failed" else None


def working_steps(run: Run) -> tuple[Span, ...]:
    """Return what the working agents of a run did, in order: messages, requests, calls, hand-offs.

    Users, environments and the system are no working agents: what a simulated user says makes no path longer. A reply
    without text beside its own calls is counted with them, not again.
    """
    if run.trace is None:
        return ()
    idle = {agent.id for agent in run.trace.agents if agent.role not in ("worker", "orchestrator")}
    return tuple(
        span
        for span in run.trace.spans
        if span.operation in STEPS and span.agent_id not in idle and (span.operation != "chat" or span.text)
    )


def why_not(runs: Sequence[Run], *, at_least: int, of: str) -> str | None:
    """Return why a group is too small for a metric, or None.

    >>> why_not([], at_least=2, of="runs with a trace")
    'there are 0 runs with a trace, and it takes 2'
    """
    return None if len(runs) >= at_least else f"there are {len(runs)} {of}, and it takes {at_least}"
