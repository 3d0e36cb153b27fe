"""Nothing in the folder that is evaluated configures the evaluation or runs with it."""

import os
from pathlib import Path
from typing import Any

from attacked_server import answer, started

MARKER = "it-ran"


def planted_table(root: Path) -> None:
    """Put a table into the data root, by which reviews of the samples' venue would be read."""
    folder = root / "_Agents-eval" / "tables" / "human_agreement"
    folder.mkdir(parents=True)
    (folder / "sample.json").write_text("{}")


def hostile(root: Path) -> None:
    """Fill a folder with whatever a program might read or import from where it is started."""
    runs = f"import pathlib\npathlib.Path({str(root.parent / MARKER)!r}).write_text('x')\n"
    settings = "[judge]\ntiers_enabled = [1]\n[weights]\ntime_taken = 5\n"
    for name, text in {
        "agents-eval.toml": settings,
        "pyproject.toml": f"[tool.agents-eval]\n{settings}\n[tool.agents_eval.judge]\ntiers_enabled = [1]\n",
        ".env": "JUDGE_TIERS_ENABLED=1\nAGENTS_EVAL_HOME=/nowhere\nAGENTS_EVAL_PROVIDER=openai\n",
        ".mcp.json": '{"mcpServers": {"agents-eval": {"command": "false"}}}',
        "sitecustomize.py": runs,
        "usercustomize.py": runs,
        "conftest.py": runs,
        "agents_eval_evil.py": runs + "class Evil:\n    name = 'evil'\n    version = '1'\n    tier = 1\n",
        "numpy.py": runs,
        "mcp.py": runs,
        "agents_eval_core.py": runs,
        "evil.pth": f"import pathlib; pathlib.Path({str(root.parent / MARKER)!r}).write_text('x')\n",
    }.items():
        (root / name).write_text(text)
    planted_table(root)
    plugin = root / "evil-1.0.dist-info"
    plugin.mkdir()
    (plugin / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (plugin / "entry_points.txt").write_text("[agents_eval.evaluators]\nevil = agents_eval_evil:Evil\n")


async def scores(root: Path, home: Path, **settings: str) -> dict[str, Any]:
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], **settings}
    async with started(root, environment) as client:
        reply = answer(await client.call_tool("run_review", {"paper": "sparse-gates", "composition": "manager"}))
        assert reply["evaluation"]["run"]["directory"]
    kept: dict[str, Any] = {score["name"]: score["value"] for score in reply["evaluation"]["scores"]}
    kept.pop("time_taken", None)
    return kept | {"coverage": reply["evaluation"]["coverage"]}


async def test_settings_plugins_and_modules_of_the_evaluated_folder_change_nothing(clean_place: Path) -> None:
    clean, dirty, home = clean_place / "clean", clean_place / "dirty", clean_place / "home"
    for folder in (clean, dirty, home):
        folder.mkdir()
    hostile(dirty)
    assert await scores(dirty, home) == await scores(clean, home)
    assert not (clean_place / MARKER).exists()


async def test_the_users_own_settings_do_take_effect(clean_place: Path) -> None:
    """The test above could not fail otherwise."""
    root, home = clean_place / "root", clean_place / "home"
    root.mkdir()
    own = home / ".config" / "agents-eval"
    own.mkdir(parents=True)
    (own / "agents-eval.toml").write_text("[judge]\ntiers_enabled = [1]\n")
    assert (await scores(root, home))["tool_efficiency"] is None


async def test_a_table_under_the_root_counts_only_where_the_user_trusts_the_data_root(clean_place: Path) -> None:
    root, home = clean_place / "root", clean_place / "home"
    for folder in (root, home):
        folder.mkdir()
    planted_table(root)
    assert (await scores(root, home))["output_similarity"] is not None
    assert (await scores(root, home, AGENTS_EVAL_TRUST_HOME="true"))["output_similarity"] is None
    elsewhere = clean_place / "elsewhere"
    (root / "_Agents-eval").rename(elsewhere)
    assert (await scores(root, home, AGENTS_EVAL_HOME=str(elsewhere)))["output_similarity"] is None
