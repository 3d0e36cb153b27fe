"""Usage, where a source says anything about it."""

from agents_eval_core.trace import Usage


def known_usage(usage: Usage) -> Usage | None:
    """Return a usage that says something, else None.

    >>> known_usage(Usage(scope="subtree")) is None, known_usage(Usage(output_tokens=0)) is None
    (True, False)
    """
    return None if usage == Usage(scope=usage.scope) else usage
