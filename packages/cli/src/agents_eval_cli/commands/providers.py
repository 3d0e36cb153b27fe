"""`agents-eval providers`: where models come from."""

import typer

from agents_eval_cli.session import Session
from agents_eval_cli.views.providers import ListedProvider, providers_view
from agents_eval_core import registry


def command(ctx: typer.Context) -> None:
    """List the providers of models: which can be used now, and why not the others.

    Nothing is sent to any of them; of a server on this machine it is looked whether it takes connections.
    """
    session = Session(ctx)
    found = [_listed(name) for name in registry.provider_names()]
    found.sort(key=lambda each: (each.unavailable_because is not None, each.name))
    session.give("providers", {"providers": found}, providers_view(found))


def _listed(name: str) -> ListedProvider:
    provider = registry.provider(name)
    return ListedProvider(
        name=name,
        aliases=registry.provider_aliases(name),
        default_model=provider.default_model,
        has_language_model=provider.has_language_model,
        unavailable_because=provider.unavailable_because(),
    )
