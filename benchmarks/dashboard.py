"""What the pages cost, in CPU time of the process that draws them: the list of 100,000 runs, a trace of 10,000 steps.

Run it with `python benchmarks/dashboard.py`. Each figure is the whole drawing of a page by Streamlit's own harness, in
a process of its own that has the environment of the server: `first` with what has to be imported for it beyond
Streamlit and pandas, `again` after that. What the browser does comes on top. The trace is drawn from its file.
"""

import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from sqlite3 import connect

from agents_eval_core import registry
from agents_eval_core.ports.trace_format import WritableFormat
from agents_eval_core.run import RunRecord
from agents_eval_core.score import Scorecard
from agents_eval_core.store.rows import record_row
from agents_eval_core.store.sqlite import SqliteStore
from agents_eval_core.trace import Agent, Source, Span, ToolUse, Trace
from agents_eval_dashboard.command import server_environment

RUNS, SPANS = 100_000, 10_000
BEGUN = datetime(2026, 1, 2, tzinfo=UTC)
PROMISED = {"runs": 1.5, "home": 1.5, "trace": 2.0}
DRAWING = """
import sys, time
from pathlib import Path
import streamlit, pandas, pyarrow
import agents_eval_dashboard
from streamlit.testing.v1 import AppTest
page, parameters = sys.argv[1], dict(part.split("=", 1) for part in sys.argv[2:])
test = AppTest.from_file(str(Path(agents_eval_dashboard.__file__).with_name("app.py")), default_timeout=120)
for name, value in parameters.items():
    test.query_params[name] = value
test.switch_page(f"screens/{page}.py")
for _ in range(2):
    begun = time.process_time()
    test.run()
    assert not test.exception, test.exception
    assert not test.error, [error.value for error in test.error]
    print(f"{time.process_time() - begun:.2f}")
"""


def many_runs(home: Path) -> None:
    store = SqliteStore(home / "agents-eval.db")
    record = RunRecord(
        id="r", directory="runs/r", status="complete", engine="mas", composition="manager", created_at=BEGUN
    )
    card = Scorecard(run_id="r", scores=(), composite=0.5, coverage=1, bounds=None, verdict=None, verdict_range=None)
    store.finish(record, None, card)
    store.close()
    rows = [
        record_row(
            record.changed(
                id=f"r{number:06}",
                composition=("manager", "manager+analyst", "manager+researcher")[number % 3],
                paper=f"paper-{number % 1000}",
                dataset="peerread",
                venue="iclr_2017",
                model=f"model-{number % 7}",
                sweep=f"sweep-{number // 10_000}",
                created_at=BEGUN + timedelta(minutes=number),
                composite=(number % 100) / 100,
                coverage=1.0,
                verdict="accept",
            )
        )
        for number in range(RUNS)
    ]
    with connect(home / "agents-eval.db") as connection:
        connection.executemany(f"insert into runs values ({', '.join('?' * len(rows[0]))})", rows)  # noqa: S608


def large_trace(file: Path) -> None:
    agents = tuple(Agent(id=f"a{number}", name=f"agent {number}") for number in range(8))
    spans = tuple(
        Span(
            id=f"{number:016x}",
            parent_id=None if number < 8 else f"{number % 8 + 8 * ((number // 8 - 1) % 3):016x}",  # three levels
            seq=number,
            operation="invoke_agent" if number < 8 else "execute_tool",
            name="search_paper",
            agent_id=f"a{number % 8}",
            started_at=BEGUN + timedelta(milliseconds=10 * number),
            ended_at=BEGUN + timedelta(milliseconds=10 * number + number % 97),
            status="error" if number % 50 == 49 else "ok",
            error_text="it was not found" if number % 50 == 49 else None,
            tool=None if number < 8 else ToolUse(name=f"tool_{number % 5}", arguments={"q": "x"}, result="y " * 50),
        )
        for number in range(SPANS)
    )
    writer = registry.trace_format("otlp")
    if not isinstance(writer, WritableFormat):
        raise TypeError("traces cannot be written as OTLP")
    file.write_bytes(writer.write(Trace(id="t", source=Source(format="otlp"), agents=agents, spans=spans)))


def drawn(home: Path, page: str, *parameters: str) -> None:
    done = subprocess.run(  # noqa: S603  ourselves
        [sys.executable, "-W", "ignore", "-c", DRAWING, page, *parameters],
        env=server_environment() | {"AGENTS_EVAL_HOME": str(home)},
        check=True,
        capture_output=True,
        text=True,
    )
    first, again = done.stdout.split()
    print(f"{page}: first {first} s CPU, again {again} s (promised: {PROMISED[page]})")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        many_runs(home)
        print(f"{RUNS:,} runs in the store")
        drawn(home, "home")
        drawn(home, "runs")
        file = home / "trace.otlp.jsonl"
        large_trace(file)
        print(f"a trace of {SPANS:,} spans, {file.stat().st_size / 1e6:.1f} MB")
        drawn(home, "trace", f"file={file}")


if __name__ == "__main__":
    main()
