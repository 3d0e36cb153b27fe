"""What an agent is told at the start of its run: the task, the paper in question, and the material so far."""

from collections.abc import Iterator, Mapping

from pydantic import BaseModel

from agents_eval_agents.reading.excerpt import Excerpt
from agents_eval_agents.review_team.composition import RESEARCHER, Composition
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.outputs import ResearchSummary
from agents_eval_agents.tools.paper import describe_paper
from agents_eval_agents.tools.quotation import quoted, written
from agents_eval_agents.tools.sections import heading_of
from agents_eval_core.paper import Paper

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
            describe_paper(desk.paper, whole=desk.plan is not None),
            *(() if RESEARCHER in composition.specialists else _too_long(desk)),
        ]
    )


def delegate_briefing(desk: Desk, task: str, material: Mapping[str, BaseModel | None]) -> str:
    """Return a delegate's task with the working material, each kind between marks of its own."""
    parts = [_frame(desk), *_too_long(desk), f"Task from the manager: {written(task).strip() or DELEGATE_TASK}"]
    parts.append(quoted("title", desk.paper.title))
    parts += [quoted(kind, value.model_dump_json(indent=1)) for kind, value in material.items() if value is not None]
    missing = [kind for kind, value in material.items() if value is None]
    if missing:
        parts.append(f"Not there yet: {', '.join(missing)}.")
    return "\n\n".join(parts)


def reviewer_briefing(desk: Desk, task: str) -> str:
    """Return the task of one who reviews alone: the text of the paper stands in it, or what is given of it."""
    return "\n\n".join(
        [task.strip() or DEFAULT_TASK, _frame(desk), describe_paper(desk.paper, whole=True), *_text(desk)]
    )


def part_briefing(desk: Desk, excerpt: Excerpt) -> str:
    """Return the task of one who reads a part of a paper and notes what a reviewer needs of it."""
    return "\n\n".join(
        [
            (
                f"This paper is too long for you to be read at once. You read {excerpt.sentence}. Note what a reviewer "
                "needs of this part: the others are read apart, so what you miss here may stand there."
            ),
            _frame(desk),
            describe_paper(desk.paper, whole=True),
            *_stretches(desk.paper, excerpt),
        ]
    )


def merging_briefing(desk: Desk, task: str, notes: ResearchSummary) -> str:
    """Return the task of one who reviews a paper from notes on its parts."""
    return "\n\n".join(
        [
            task.strip() or DEFAULT_TASK,
            _frame(desk),
            describe_paper(desk.paper, whole=True),
            (
                "The paper is too long to be read at once. Its text was read in parts, and these are the notes: "
                "claim nothing that neither the abstract nor the notes say."
            ),
            quoted("research", notes.model_dump_json(indent=1)),
        ]
    )


def _text(desk: Desk) -> Iterator[str]:
    if desk.excerpt is not None:
        yield from _stretches(desk.paper, desk.excerpt)
        return
    for section in desk.paper.sections:
        yield quoted("section", f"{heading_of(section)}\n\n{section.text}")


def _stretches(paper: Paper, excerpt: Excerpt) -> Iterator[str]:
    """Yield what an excerpt has, with a mark where something was left out."""
    done = 0
    for each in excerpt.stretches:
        section = paper.sections[each.section - 1]
        if each.section > done + 1:
            yield _left_out(paper, range(done + 1, each.section))
        if each.start:
            yield f"[TRUNCATED: the first {each.start} characters of section {each.section} left out]"
        yield quoted("section", f"{heading_of(section)}\n\n{section.text[each.start : each.end]}")
        if each.end < each.length:
            yield f"[TRUNCATED: the last {each.length - each.end} characters of section {each.section} left out]"
        done = each.section
    if done < len(paper.sections):
        yield _left_out(paper, range(done + 1, len(paper.sections) + 1))


def _left_out(paper: Paper, numbers: range) -> str:
    length = sum(len(paper.sections[number - 1].text) for number in numbers)
    which = f"section {numbers[0]}" if len(numbers) == 1 else f"sections {numbers[0]} to {numbers[-1]}"
    return f"[TRUNCATED: {which} left out, {length} characters]"


def _too_long(desk: Desk) -> Iterator[str]:
    """Say what an agent with the paper tools can read."""
    if desk.excerpt is not None:
        yield f"This paper is too long to be read at once. The tools give you {desk.excerpt.sentence}."


def _frame(desk: Desk) -> str:
    scale = f"Rating scale: from {desk.scale.lowest:g} to {desk.scale.highest:g}, higher is better."
    wish = f"\nThe user asks in addition: {written(desk.query).strip()}" if desk.query.strip() else ""
    return scale + wish
