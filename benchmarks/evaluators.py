"""What scoring a run costs: CPU time of the table, of tiers 1 and 3 of one run, and of a cold process.

python benchmarks/evaluators.py
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from statistics import median

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.paper import Paper, Section
from agents_eval_core.ports.evaluator import EvaluationContext, Evaluator
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.review import HumanReview, Point, Review
from agents_eval_core.run import Run, System
from agents_eval_core.trace import Agent, Source, Span, ToolUse, Trace
from agents_eval_evaluators.calibration.agreement_table import shipped_table
from agents_eval_evaluators.text.paper_subject import paper_text

SPANS = 40
PAPER_WORDS = 8000
REVIEW_WORDS = 400
REFERENCES = 3
ROUNDS = 30
LIMITS = {"table, first load": 15.0, "tiers 1 and 3, one run, warm": 10.0}
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def cpu_ms(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the median CPU time of a piece of work in milliseconds."""
    times: list[float] = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(1000 * (time.process_time() - start))
    return median(times)


def prose(count: int, seed: int) -> str:
    """Return so many words in sentences, from the table's own vocabulary."""
    vocabulary = sorted(shipped_table().words.document_frequency)
    said = [vocabulary[(seed * 7919 + place * place * 31 + place * 17) % len(vocabulary)] for place in range(count)]
    lines = (" ".join(said[start : start + 18]).capitalize() + "." for start in range(0, count, 18))
    return " ".join(lines)


def a_trace() -> Trace:
    """Return a team's trace: a manager that asks three others, who call tools."""
    names = ("manager", "researcher", "analyst", "synthesizer")
    spans: list[Span] = []
    for place in range(SPANS):
        to = names[1 + place // 10 % 3] if place % 10 == 0 else None
        spans.append(
            Span(
                id=str(place),
                seq=place,
                parent_id=str(place - place % 10) if place % 10 else None,
                operation="execute_tool" if place % 3 == 0 or to else "chat",
                name="x",
                agent_id=names[0] if to else names[1 + place // 10 % 3],
                to_agent_id=to,
                status="ok",
                started_at=NOON + timedelta(seconds=place),
                ended_at=NOON + timedelta(seconds=place + 9 if to else place + 0.5),
                tool=ToolUse(name="read", arguments={"section": place}, result=prose(150, place)),
                text=prose(60, place),
            )
        )
    agents = tuple(Agent(id=name, name=name) for name in names)
    return Trace(id="t", source=Source(format="native"), spans=tuple(spans), agents=agents)


def a_run() -> Run:
    """Return a run on a paper with full text and three references."""
    sections = tuple(Section(heading=f"{number} Part", text=prose(PAPER_WORDS // 10, number)) for number in range(10))
    paper = Paper(id="p", dataset="d", venue="iclr_2017", title=prose(9, 1), abstract=prose(180, 2), sections=sections)
    references = tuple(HumanReview(id=str(n), text=prose(REVIEW_WORDS, 50 + n)) for n in range(REFERENCES))
    points = tuple(Point(text=prose(36, 90 + n), anchor=f"Section {n}") for n in range(10))
    return Run(
        id="r",
        status="complete",
        case=Case(id="p", paper=paper, references=references, needs_tools=True),
        system=System(engine="mas", agents=("manager", "researcher", "analyst", "synthesizer")),
        trace=a_trace(),
        output=Review(summary=prose(40, 99), weaknesses=points),
        created_at=NOON,
    )


def tiers_1_and_3() -> list[Evaluator]:
    """Return the installed evaluators of tiers 1 and 3."""
    found = (plugin for plugin in registry.evaluators() if not isinstance(plugin, BrokenPlugin))
    return [plugin for plugin in found if plugin.tier in (1, 3)]


def main() -> None:
    """Print what was measured."""
    loading = cpu_ms(shipped_table, rounds=1)
    run, context = a_run(), EvaluationContext()
    evaluators = tiers_1_and_3()

    async def evaluate(some: list[Evaluator]) -> None:
        for evaluator in some:
            await evaluator.evaluate(run, context)

    with asyncio.Runner() as runner:
        new_paper = cpu_ms(lambda: (paper_text.cache_clear(), runner.run(evaluate(evaluators))))
        warm = cpu_ms(lambda: runner.run(evaluate(evaluators)))
        each = {one.name: cpu_ms(lambda one=one: runner.run(evaluate([one]))) for one in evaluators}
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "from agents_eval_evaluators.text import output_similarity"], check=True)
    cold = 1000 * (time.perf_counter() - start)
    rows = {"table, first load": loading, "tiers 1 and 3, one run, warm": warm, "the same, paper new": new_paper}
    for name, value in rows.items():
        limit = f"   limit {LIMITS[name]:g}" if name in LIMITS else ""
        print(f"{name:32} {value:8.2f} ms{limit}")
    for name, value in each.items():
        print(f"  {name:30} {value:8.2f} ms")
    print(f"{'process that imports one metric':32} {cold:8.0f} ms wall")


if __name__ == "__main__":
    main()
