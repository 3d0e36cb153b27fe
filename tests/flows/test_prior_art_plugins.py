"""No door that leads nowhere: each kind of plug-in that can be declared is asked for by the product itself."""

import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from agents_eval_core import registry

ROOT = Path(__file__).parents[2]
ACCESSORS = {"formats": "trace_format", "provider_tables": "provider"}  # where it is not the group's own name
NOT_YET: set[str] = set()


def is_asked_for(group: str, source: str) -> bool:
    accessor = ACCESSORS.get(group, group.removesuffix("s"))
    return bool(re.search(rf'registry\.(?:{accessor}s?\(|(?:load|load_all|plugins)\("{group}")', source))


def test_the_product_asks_for_every_kind_of_plug_in_that_can_be_declared() -> None:
    files = [*ROOT.glob("packages/*/src/**/*.py"), *ROOT.glob("src/**/*.py")]
    source = "\n".join(file.read_text(encoding="utf-8") for file in files)
    assert len(source) > 100_000
    assert {group for group in registry.GROUPS if not is_asked_for(group, source)} == NOT_YET


@pytest.mark.parametrize("group", registry.GROUPS)
def test_what_is_declared_is_there(group: str) -> None:
    for entry in entry_points(group=f"agents_eval.{group}"):
        assert callable(entry.load()), entry
