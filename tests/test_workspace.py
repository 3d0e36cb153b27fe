"""The workspace itself: its lock, its packages, and that it names nobody's machine."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any, cast

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = sorted((ROOT / "packages").iterdir())
PUBLIC_HOSTS = 2  # the index and its file store


def test_the_lock_names_only_public_hosts() -> None:
    text = (ROOT / "uv.lock").read_text()
    hosts = set(re.findall(r'https?://([^/"]+)', text))
    assert len(hosts) == PUBLIC_HOSTS, hosts
    assert all("." in host and ":" not in host for host in hosts), hosts
    assert "http://" not in text
    assert 'registry = "/' not in text
    assert 'path = "/' not in text


def _project(package: Path) -> dict[str, object]:
    return tomllib.loads((package / "pyproject.toml").read_text())["project"]


def _declared(package: Path) -> set[str]:
    project = cast("dict[str, Any]", _project(package))
    extras: dict[str, list[str]] = project.get("optional-dependencies", {})
    dependencies: list[str] = [*project["dependencies"], *(each for extra in extras.values() for each in extra)]
    return {re.split(r"[\[<>=!~; ]", dependency)[0].lower() for dependency in dependencies}


def _imported(package: Path) -> set[str]:
    found: set[str] = set()
    for file in (package / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.split(".")[0])
    return found - set(sys.stdlib_module_names)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_each_package_declares_what_it_imports(package: Path) -> None:
    own = f"agents_eval_{package.name.replace('-', '_')}"
    distributions = packages_distributions()
    declared = _declared(package)
    for module in _imported(package) - {own}:
        brought_by = {name.lower().replace("_", "-") for name in distributions.get(module, [module])}
        brought_by |= {"pydantic"} if module == "pydantic_core" else set()  # pydantic pins its own core
        assert brought_by & declared, f"{module} is imported but none of {brought_by} is declared"


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_each_package_is_typed_and_explains_itself(package: Path) -> None:
    module = package / "src" / f"agents_eval_{package.name.replace('-', '_')}"
    assert (module / "py.typed").is_file()
    readme = (package / "README.md").read_text()
    assert readme.startswith(f"# agents-eval-{package.name}")
    assert 5 <= len(readme.splitlines()) <= 40


def test_the_two_commands_of_the_readme_are_targets_of_the_makefile() -> None:
    readme, makefile = (ROOT / "README.md").read_text(), (ROOT / "Makefile").read_text()
    for target in ("quickstart", "test"):
        assert f"make {target}" in readme
        assert f"\n{target}:" in makefile
