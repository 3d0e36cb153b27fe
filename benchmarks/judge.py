"""What a question to a judge costs beside the judge: CPU time, from the run to the score.

python benchmarks/judge.py
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any, Final

from agents_eval_core.case import Case
from agents_eval_core.paper import Paper, Section
from agents_eval_core.ports.chat_model import ChatLimits, ChatMessage, Reply
from agents_eval_core.ports.evaluator import EvaluationContext, Judge
from agents_eval_core.review import Point, Review
from agents_eval_core.run import Run, System
from agents_eval_core.store.reply_folder import ReplyFolder
from agents_eval_evaluators.judge.judged_quality import JudgedQuality
from agents_eval_evaluators.judge.judgement import Judgement
from agents_eval_evaluators.judge.rubric import shipped_rubric

ROUNDS: Final = 200
LIMIT_MS: Final = 2.0
LONG_PAPER: Final = 60_000
SENTENCE: Final = r"We bound $\sum_{i} {w_i}$ by the gates of layer three, and report a gain of 0.4 points. "
SAID: Final = Judgement.model_validate(
    {
        "answers": [
            {
                "criterion": criterion.id,
                "evidence": ["report a gain of 0.4 points", "the bound is loose"],
                "reason": "It is tied to section three and says what to do.",
                "level": 4,
            }
            for criterion in shipped_rubric("review_quality").criteria
        ]
    }
)


class AtOnce:
    """Answers at once, so that what is left is our own time."""

    name = "at-once"
    context_tokens = 200_000

    async def complete(self, messages: Sequence[ChatMessage], schema: type[Any], limits: ChatLimits) -> Reply[Any]:  # noqa: ARG002  the port
        """Return the same answer to everything."""
        return Reply(value=SAID, model="at-once", text="{}", input_tokens=9_000, output_tokens=300)


def a_run(characters: int, number: int) -> Run:
    """Return a reviewed paper of so many characters, unlike those of other numbers, so that nothing is known of it."""
    text = f"{number} naïve ﬁts. " + SENTENCE * (characters // len(SENTENCE))
    paper = Paper(
        id="p", dataset="d", title="Gates", abstract=SENTENCE * 8, sections=(Section(heading="1", text=text),)
    )
    points = tuple(Point(text=SENTENCE * 2, anchor=f"Section {number}") for number in range(10))
    return Run(
        id="r",
        status="complete",
        case=Case(id="p", paper=paper),
        system=System(engine="mas"),
        output=Review(summary=SENTENCE * 3, weaknesses=points),
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


async def cpu_ms(context: Callable[[], EvaluationContext], characters: int) -> float:
    """Return the median CPU time of a question about a new paper, in milliseconds."""
    evaluator = JudgedQuality()
    times: list[float] = []
    for number in range(ROUNDS):
        run = a_run(characters, number)
        start = time.process_time_ns()
        await evaluator.evaluate(run, context())
        times.append((time.process_time_ns() - start) / 1e6)
    return median(times)


async def main() -> int:
    """Print what was measured; 1 if a limit was missed."""
    judge = Judge(provider="bench", model=AtOnce())
    is_missed = False
    with tempfile.TemporaryDirectory() as folder:

        def asking() -> EvaluationContext:
            return EvaluationContext(judges=(judge,))

        def keeping() -> EvaluationContext:
            return EvaluationContext(judges=(judge,), replies=ReplyFolder(Path(folder)))

        for characters in (10_000, 60_000, 200_000):
            took = await cpu_ms(asking, characters)
            is_missed |= characters <= LONG_PAPER and took > LIMIT_MS
            print(f"paper of {characters:>7,} characters: {took:5.2f} ms CPU a question")
            print(f"{'with its answer written':>28}: {await cpu_ms(keeping, characters):5.2f} ms")
            print(f"{'with the answer of before':>28}: {await cpu_ms(keeping, characters):5.2f} ms")
    print(f"limit {LIMIT_MS:g} ms up to {LONG_PAPER:,} characters: {'missed' if is_missed else 'kept'}")
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
