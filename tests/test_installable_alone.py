"""Each package built as a wheel and installed alone into an empty environment."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ALONE = {
    "agents-eval-core": "import agents_eval_core.use_cases.run_review, agents_eval_core.store.sqlite",
    "agents-eval-agents": "import agents_eval_agents.engines.mas",
    "agents-eval-evaluators": "import agents_eval_evaluators.text.output_similarity as o; o.shipped_table()",
    "agents-eval-mcp-server": "import agents_eval_mcp_server.server",
    "agents-eval-cli": "import agents_eval_cli.app",
    "agents-eval-dashboard": "import agents_eval_dashboard.pages.runs",
}
SCRIPTS = {
    "agents-eval-cli": ["agents-eval-cli", "quickstart", "--quiet"],
    "agents-eval-mcp-server": ["agents-eval-mcp-server", "--help"],
}


@pytest.fixture(scope="module")
def uv() -> str:
    found = os.environ.get("UV") or shutil.which("uv")
    if found is None:
        pytest.fail("uv is not on the path; run this by 'make proof'")
    return found


@pytest.fixture(scope="module")
def wheels(uv: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    subprocess.run([uv, "build", "--all-packages", "--wheel", "--quiet", "--out-dir", folder], cwd=ROOT, check=True)
    return folder


@pytest.mark.proof
@pytest.mark.parametrize("package", ALONE)
def test_a_package_installs_and_imports_alone(package: str, uv: str, wheels: Path, tmp_path: Path) -> None:
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([uv, "venv", "--quiet", tmp_path / "venv"], check=True)
    subprocess.run(
        [uv, "pip", "install", "--quiet", "--python", python, "--find-links", wheels, package], check=True, cwd=tmp_path
    )
    subprocess.run(
        [python, "-W", "error::DeprecationWarning:agents_eval", "-c", ALONE[package]], check=True, cwd=tmp_path
    )
    if package in SCRIPTS:
        script, *arguments = SCRIPTS[package]
        subprocess.run([python.with_name(script), *arguments], check=True, cwd=tmp_path, stdout=subprocess.DEVNULL)
