"""The versions that what a sweep or batch finds depends on."""

import platform
from importlib.metadata import version
from typing import Final

PACKAGES: Final = ("agents-eval-core", "agents-eval-agents", "agents-eval-evaluators")


def versions_in_use() -> dict[str, str]:
    """Return the versions of the packages that do the work, and Python's.

    >>> sorted(versions_in_use())
    ['agents-eval-agents', 'agents-eval-core', 'agents-eval-evaluators', 'python']
    """
    return {name: version(name) for name in PACKAGES} | {"python": platform.python_version()}
