"""What an agent is told at the start of its run: the task, the paper in question, and the material so far."""

from collections.abc import Mapping

from pydantic import BaseModel

from agents_eval_agents.review_team.composition import RESEARCHER, Composition
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.tools.paper import describe_paper
from agents_eval_agents.tools.quotation import quoted, written
from agents_eval_agents.tools.sections import heading_of

DEFAULT_TASK = "Review the paper below as a peer reviewer would."
DELEGATE_TASK = "Do your part for the review of this paper."


def manager_briefing(desk: Desk, composition: Composition, task: str) -> str:
    """Return the manager's task: the paper, the scale, the team, and the user's own wish."""
    team = ", ".join(composition.delegates)
    reads = "the researcher reads the paper" if RESEARCHER in composition.specialists else "you read the paper yourself"
    return "\n\n".join(
        [
            task.strip() or DEFAULT_TASK,
            _frame(desk),
            f"Your team: {team}; {reads}." if team else f"You work alone: {reads}.",
            describe_paper(desk.paper),
        ]
    )


def delegate_briefing(desk: Desk, task: str, material: Mapping[str, BaseModel | None]) -> str:
    """Return a delegate's task with the working material, each kind between marks of its own."""
    parts = [_frame(desk), f"Task from the manager: {written(task).strip() or DELEGATE_TASK}"]
    parts.append(quoted("title", desk.paper.title))
    parts += [quoted(kind, value.model_dump_json(indent=1)) for kind, value in material.items() if value is not None]
    missing = [kind for kind, value in material.items() if value is None]
    if missing:
        parts.append(f"Not there yet: {', '.join(missing)}.")
    return "\n\n".join(parts)


def reviewer_briefing(desk: Desk, task: str) -> str:
    """Return the task of one who reviews alone: the whole text of the paper stands in it."""
    paper = desk.paper
    sections = (quoted("section", f"{heading_of(each)}\n\n{each.text}") for each in paper.sections)
    return "\n\n".join([task.strip() or DEFAULT_TASK, _frame(desk), describe_paper(paper), *sections])


def _frame(desk: Desk) -> str:
    scale = f"Rating scale: from {desk.scale.lowest:g} to {desk.scale.highest:g}, higher is better."
    wish = f"\nThe user asks in addition: {written(desk.query).strip()}" if desk.query.strip() else ""
    return scale + wish
