"""A small fixed benchmark on real models: direct, one agent, a full team, and the judge, with what it will cost first.

make live PROVIDER=openai BUDGET_USD=1 [MODEL=…]
"""

import argparse
import asyncio
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from agents_eval_agents.providers.price import price_of
from agents_eval_agents.providers.row import ProviderRow
from agents_eval_agents.providers.table import ROWS
from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.data_root import DataRoot
from agents_eval_core.memorisation import Memorisation
from agents_eval_core.ports.engine import Limits
from agents_eval_core.settings import Settings, load_settings
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from agents_eval_core.use_cases.memorisation import memorisation
from agents_eval_core.use_cases.run_review import run_review
from agents_eval_core.use_cases.selection import select_runs

PAPERS = ("alloy-cracks", "sparse-gates")
# About how many requests each way makes, and how often it reads the paper's text: a guess, not measured.
WAYS = {("direct", None): (1, 1.3), ("mas", "manager"): (8, 6.0), ("mas", "full"): (14, 9.0)}
ANSWER_TOKENS = 1_500
JUDGE_TOKENS = 12_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One paper done in one way."""

    engine: str
    composition: str | None
    paper: str
    done: EvaluatedRun

    @property
    def cost(self) -> float:
        """What its model requests cost in US dollars, 0 where no price is known."""
        card = self.done.scorecard
        return (card.resources.cost_usd if card is not None else None) or 0.0


def estimate(row: ProviderRow, model: str) -> tuple[int, float | None]:
    """Return about how many tokens it will take and what they cost; None where no price is known."""
    asked = written = 0
    for case in cases():
        paper = len(case.paper.text if case.paper else "") // 4
        for requests, readings in WAYS.values():
            asked += int(paper * readings) + requests * 1_000 + JUDGE_TOKENS
            written += requests * 400 + ANSWER_TOKENS
    price = price_of(row, model, input_tokens=asked, output_tokens=written)
    return asked + written, None if price is None else float(price)


def cases() -> Iterable[Case]:
    return (registry.dataset("sample").case(paper, None) for paper in PAPERS)


async def cells(provider: str, model: str, budget: float | None, settings: Settings) -> Sequence[Cell]:
    """Do them one after another while the budget lasts."""
    results: list[Cell] = []
    for paper in PAPERS:
        for engine, composition in WAYS:
            left = None if budget is None else budget - sum(each.cost for each in results)
            if left is not None and left <= 0:
                print("the budget is spent; the rest is left out", file=sys.stderr)
                return results
            done = await run_review(
                paper,
                dataset="sample",
                settings=settings,
                engine=engine,
                composition=composition,
                provider=provider,
                model=model,
                judge=f"{provider}:{model}",
                limits=Limits(cost_usd=left),
            )
            results.append(Cell(engine=engine, composition=composition, paper=paper, done=done))
            print(f"{engine} {composition or ''} {paper}: {done.run.status}", file=sys.stderr)
    return results


def report(provider: str, model: str, results: Sequence[Cell], known: Memorisation) -> str:
    """Return the report in Markdown."""
    lines = [f"# {provider}:{model}, {datetime.now(UTC):%Y-%m-%d}", ""]
    lines += [
        "| way | paper | status | composite | judge | tokens | USD | seconds |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [_row(each) for each in results]
    lines += ["", "## Memorisation", ""]
    rows = (*known.models, *([known.humans] if known.humans else []))
    lines += [
        f"- {row.author}: {row.near} of {row.reviews} reviews are near a human's of the same paper; "
        f"{100 * row.words:.1f} % of the words on average, {100 * row.most:.1f} % at most"
        for row in rows
    ]
    return "\n".join([*lines, ""])


def _row(cell: Cell) -> str:
    card, way = cell.done.scorecard, cell.composition or cell.engine
    if card is None:
        problem = cell.done.run.problem
        return f"| {way} | {cell.paper} | {problem.message if problem else cell.done.run.status} | | | | | |"
    took, judge = card.resources, card.score("planning_rationality")
    tokens = None if took.input_tokens is None else took.input_tokens + (took.output_tokens or 0)
    figures = (card.composite, judge.value if judge else None, tokens, took.cost_usd, took.elapsed_seconds)
    return f"| {way} | {cell.paper} | complete | " + " | ".join(_shown(each) for each in figures) + " |"


def _shown(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value)


def main(arguments: Sequence[str]) -> int:
    """Estimate, ask the models, and write the report; 2 where the estimate is above the budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("provider")
    parser.add_argument("budget", type=float, help="in US dollars")
    parser.add_argument("--model")
    asked = parser.parse_args(arguments)
    row = next(row for row in ROWS if asked.provider in (row.name, *row.aliases))
    model: str = asked.model or row.default_model or parser.error(f"{row.name} has no default model; name one")
    tokens, cost = estimate(row, model)
    print(f"{row.name}:{model}: about {tokens} tokens, {'price unknown' if cost is None else f'about {cost:.2f} USD'}")
    if cost is not None and cost > asked.budget:
        print(f"that is above the budget of {asked.budget:g} USD; raise it or name a cheaper model", file=sys.stderr)
        return 2
    settings = load_settings(Path.cwd())
    results = asyncio.run(cells(row.name, model, None if cost is None else asked.budget, settings))
    path = settings.home / "live" / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}_{row.name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    records = [record for each in results for record in select_runs(each.done.run.id, DataRoot(path=settings.home))]
    known = asyncio.run(memorisation(records, settings=settings))
    path.write_text(report(row.name, model, results, known), encoding="utf-8")
    print(path)
    return 0 if all(each.done.run.status == "complete" for each in results) else 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
