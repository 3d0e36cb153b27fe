"""Scoring a run loads nothing heavy, scikit-learn above all: that is what a cold `evaluate` lives on."""

import subprocess
import sys

PROGRAM = """
import asyncio, sys
from datetime import UTC, datetime
from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.paper import Paper
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.review import HumanReview, Review
from agents_eval_core.run import Run, System
from agents_eval_core.trace import Source, Span, ToolUse, Trace

paper = Paper(id="1", dataset="d", title="Dropout", abstract="Dropout of attention in parsers.")
case = Case(id="1", paper=paper, references=(HumanReview(id="1", text="Dropout lacks a baseline."),))
calls = tuple(
    Span(id=str(n), seq=n, operation="execute_tool", name="x", agent_id="a", to_agent_id=to,
         tool=ToolUse(name="read", arguments={}, result="text"))
    for n, to in enumerate((None, "b"))
)
run = Run(id="r", status="complete", case=case, system=System(engine="mas", agents=("a", "b")),
          trace=Trace(id="t", source=Source(format="native"), spans=calls),
          output=Review(summary="Dropout is fine."), created_at=datetime.now(tz=UTC))
for name in registry.names("evaluators"):
    plugin = registry.load("evaluators", name)
    if type(plugin).__module__.startswith("agents_eval_evaluators"):
        asyncio.run(plugin.evaluate(run, EvaluationContext()))
registry.calibration("human_agreement").humans("iclr_2017")
print(*sorted({"sklearn", "networkx", "scipy", "pydantic_ai"} & sys.modules.keys()))
"""


def test_evaluating_a_run_loads_no_heavy_library() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == ""
