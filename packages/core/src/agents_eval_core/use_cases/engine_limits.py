"""How an engine is to ask its provider, and what a run may take, as the settings have it."""

from agents_eval_core.ports.engine import Limits, Patience, ReadingRules
from agents_eval_core.settings import Settings


def patience_of(settings: Settings) -> Patience:
    """Return how a provider is asked, and asked again."""
    return Patience(
        attempts=settings.attempts,
        longest_wait_seconds=settings.longest_wait_seconds,
        requests_at_once=settings.requests_at_once,
        requests_per_minute=settings.requests_per_minute,
    )


def reading_of(settings: Settings) -> ReadingRules:
    """Return what becomes of a paper that is longer than the model can read at once."""
    return ReadingRules(context_tokens=settings.context_tokens, in_parts=settings.long_paper == "parts")


def limits_of(settings: Settings, wanted: Limits | None = None) -> Limits:
    """Return what a run may take: what is wanted, else what is set; the rest is the provider's or the engine's.

    >>> from agents_eval_core.settings import load_settings
    >>> settings = load_settings(None, environment={"AGENT_TOKEN_LIMIT": "5000", "AGENTS_EVAL_REQUEST_LIMIT": "9"})
    >>> limits_of(settings, Limits(tokens=70))
    Limits(requests=9, tokens=70, cost_usd=None, seconds=None)
    """
    own = wanted or Limits()
    return Limits(
        requests=own.requests or settings.request_limit,
        tokens=own.tokens or settings.token_limit,
        cost_usd=own.cost_usd or settings.cost_limit_usd,
        seconds=own.seconds or settings.time_limit_seconds,
    )
