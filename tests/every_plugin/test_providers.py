"""What is true of every provider: it answers whatever the product may ask of one."""

from contextlib import suppress
from math import inf

import pytest

from agents_eval_core import registry
from agents_eval_core.errors import UsageError
from agents_eval_core.ports.named import Named
from agents_eval_core.ports.provider import Provider

ASKED = sorted(name for port in (Named, Provider) for name in vars(port) if not name.startswith("_"))


@pytest.mark.parametrize("name", registry.provider_names())
def test_it_has_every_member_of_the_port(name: str) -> None:
    assert len(ASKED) > 10
    assert [member for member in ASKED if not hasattr(registry.provider(name), member)] == []


@pytest.mark.parametrize("name", registry.provider_names())
def test_it_names_a_model_for_a_long_paper_or_says_that_it_has_none(name: str) -> None:
    provider = registry.provider(name)
    with suppress(UsageError):
        model = provider.fitting_model(10_000)
        assert model is None or (provider.context_tokens(model) or inf) > 10_000
