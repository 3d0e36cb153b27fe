"""What it costs to keep a run and to take secrets out of texts, in CPU time of this process, and as ratios.

Run it with `python benchmarks/store.py`. Each figure is the median of several batches. The floor is the same rows
written by bare `sqlite3` in one transaction.
"""

import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from agents_eval_core.redaction import redact, redact_bytes
from agents_eval_core.run import RunRecord
from agents_eval_core.score import Measure, Score, Scorecard
from agents_eval_core.store.rows import Row, record_row, score_rows, span_rows
from agents_eval_core.store.sqlite import SqliteStore
from agents_eval_core.trace import Agent, Source, Span, ToolUse, Trace, Usage

SPANS, SCORES, MEASURES = 40, 8, 20
BEGUN = datetime(2026, 1, 2, tzinfo=UTC)
COMMON = (
    "the",
    "model",
    "learns",
    "a",
    "representation",
    "of",
    "words",
    "from",
    "data",
    "which",
    "we",
    "evaluate",
    "by",
)
RARE = (
    "state-of-the-art",
    "token",
    "tokens",
    "key",
    "convolutional-recurrent",
    "https://example.org/a-longer-path",
    "pass",
)


def milliseconds(work: Callable[[], object], *, times: int, batches: int = 7) -> float:
    """Return the CPU time of one call, the median of batches."""
    figures: list[float] = []
    for _ in range(batches):
        begun = time.process_time()
        for _ in range(times):
            work()
        figures.append((time.process_time() - begun) / times * 1e3)
    return statistics.median(figures)


def a_record(number: int = 0) -> RunRecord:
    return RunRecord(
        id=f"r{number}", directory="runs/r", status="complete", engine="mas", composition="manager", created_at=BEGUN
    )


def a_trace() -> Trace:
    spans = tuple(
        Span(
            id=f"{place:016x}",
            parent_id=f"{max(place - 1, 0):016x}",
            seq=place,
            operation="execute_tool",
            name="execute_tool search_paper",
            agent_id="m",
            started_at=BEGUN + timedelta(milliseconds=place),
            ended_at=BEGUN + timedelta(milliseconds=place, microseconds=place),
            status="ok",
            tool=ToolUse(name="search_paper", arguments={"query": "ablation"}, result="a passage " * 100),
            usage=Usage(input_tokens=100, output_tokens=20),
        )
        for place in range(SPANS)
    )
    return Trace(id="t", source=Source(format="otlp"), spans=spans, agents=(Agent(id="m", name="manager"),))


def a_scorecard() -> Scorecard:
    return Scorecard(
        run_id="r0",
        scores=tuple(
            Score(name=f"metric_{n}", value=n / 10, explanation="A sentence.", evaluator="e", version="1", tier=1)
            for n in range(SCORES)
        ),
        measures=tuple(Measure(name=f"measure_{n}", value=n) for n in range(MEASURES)),
        composite=0.5,
        coverage=1.0,
        bounds=None,
        verdict=None,
        verdict_range=None,
    )


def a_paper(size: int) -> str:
    draw = random.Random(1)  # noqa: S311  the same text every time
    words = (draw.choice(RARE if draw.random() < 0.02 else COMMON) for _ in range(size // 5))
    text = " ".join(word + draw.choice(("", "", "", "", "", "", ",", ".", ":", " = 0.5")) for word in words)
    return text[:size]


def storing(folder: Path) -> None:
    record, trace, card = a_record(), a_trace(), a_scorecard()
    store = SqliteStore(folder / "ours.db")
    ours = milliseconds(lambda: store.finish(record, trace, card), times=200)
    store.close()
    rows = record_row(record), span_rows(record.id, trace), score_rows(record, card.scores)
    floor = milliseconds(bare_writer(folder / "bare.db", *rows), times=200)
    print(f"one run with {SPANS} spans, {SCORES} scores, {MEASURES} measures: {ours:.2f} ms CPU (promised: 0.5)")
    print(f"  bare sqlite3, rows ready made: {floor:.2f} ms; ratio {ours / floor:.1f}")


def bare_writer(path: Path, record: Row, spans: list[Row], scores: list[Row]) -> Callable[[], None]:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = normal")
    for table, row in (("runs", record), ("spans", spans[0]), ("scores", scores[0])):
        connection.execute(f"create table {table} ({', '.join(f'c{n}' for n in range(len(row)))})")

    def write() -> None:
        connection.execute("begin immediate")
        for table, rows in (("runs", [record]), ("spans", spans), ("scores", scores)):
            connection.executemany(f"insert into {table} values ({', '.join('?' * len(rows[0]))})", rows)  # noqa: S608
        connection.execute("commit")

    return write


def reading(folder: Path, runs: int = 20_000) -> None:
    store = SqliteStore(folder / "many.db")
    store.finish(a_record(), None, a_scorecard())
    store.close()
    connection = sqlite3.connect(folder / "many.db")
    row = connection.execute("select * from scores where name = 'metric_5'").fetchone()
    connection.executemany(
        f"insert into scores values ({', '.join('?' * len(row))})",  # noqa: S608
        ((f"x{n}", *row[1:4], n / runs, *row[5:]) for n in range(runs)),
    )
    connection.commit()
    connection.close()
    store = SqliteStore(folder / "many.db")
    spent = milliseconds(lambda: store.values("manager", "metric_5"), times=5)
    store.close()
    print(f"one metric of one composition over {runs} runs: {spent:.1f} ms CPU, {runs / spent / 1e3:.1f} million/s")


def redacting() -> None:
    for size in (20_000, 200_000):
        clean, data = a_paper(size), a_paper(size).encode()
        dirty = clean[: size // 2] + " sk-proj-" + "a1B2c3D4" * 4 + " " + clean[size // 2 :]
        in_text = milliseconds(lambda text=clean: redact(text), times=20)
        in_bytes = milliseconds(lambda data=data: redact_bytes(data), times=20)
        with_key = milliseconds(lambda text=dirty: redact(text), times=20)
        floor = milliseconds(lambda data=data: data.lower(), times=20)
        print(f"redacting {size // 1000} kB of clean text: {in_text:.2f} ms CPU, as bytes {in_bytes:.2f}")
        print(f"  {in_bytes / floor:.0f} times bytes.lower; with one key in it {with_key:.2f} ms")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        storing(Path(folder))
        reading(Path(folder))
    redacting()


if __name__ == "__main__":
    main()
