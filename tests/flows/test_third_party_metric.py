"""Somebody else's wheel with a metric: it appears in the scorecard, in the report and in the MCP reply."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

METRIC = '''
"""How loud a review is."""

from agents_eval_core.score import Evaluation, Score


class Exclamations:
    name, version, tier, metrics = "exclamations", "1", 1, ("exclamations",)

    async def evaluate(self, run, context):
        calm = 1 / (1 + run.text.count("!"))
        return Evaluation(scores=(Score(name="exclamations", value=calm, explanation="calmness of the review",
                                        evaluator=self.name, version=self.version, tier=1),))


class Broken:
    def __init__(self):
        raise RuntimeError("made to fail")
'''
ENTRY_POINTS = "[agents_eval.evaluators]\nexclamations = loud_reviews:Exclamations\nbroken = loud_reviews:Broken\n"
SCRIPT = """
import asyncio
from pathlib import Path
from agents_eval import run_review_sync
from agents_eval_core.settings import Settings
from agents_eval_mcp_server.root import open_root
from agents_eval_mcp_server.server import build_server
from mcp import Client

async def reply(run_id):
    async with Client(build_server(open_root(Path.cwd(), Settings()))) as client:
        return (await client.call_tool("evaluate_trace", {"source": run_id})).structured_content

done = run_review_sync("sparse-gates", dataset="sample", composition="manager")
assert done.scorecard.score("exclamations").value == 1.0, done.scorecard
assert "exclamations" in (done.directory / "report.md").read_text()
findings = {finding.name: finding.sentence for finding in done.scorecard.findings}
assert "made to fail" in findings["broken_plugin"]
answered = asyncio.run(reply(done.run.id))
assert any(score["name"] == "exclamations" and score["value"] == 1.0 for score in answered["scores"]), answered
print("seen everywhere")
"""


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "loud_reviews-1.0-py3-none-any.whl"
    files = {
        "loud_reviews.py": METRIC,
        "loud_reviews-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: loud-reviews\nVersion: 1.0\n",
        "loud_reviews-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "loud_reviews-1.0.dist-info/entry_points.txt": ENTRY_POINTS,
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
        archive.writestr("loud_reviews-1.0.dist-info/RECORD", "".join(f"{name},,\n" for name in files))
    return path


def test_a_metric_of_another_distribution_is_seen_everywhere(wheel: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(wheel)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "seen everywhere" in done.stdout
