"""The table of providers, held against what the libraries know."""

from importlib import import_module
from pathlib import Path

import pytest
from genai_prices import Usage, calc_price

from agents_eval_agents.providers import access
from agents_eval_agents.providers.hosted import HostedProvider
from agents_eval_agents.providers.row import ProviderRow
from agents_eval_agents.providers.table import ROWS
from agents_eval_core import registry
from agents_eval_core.errors import UnknownNameError, UsageError


def test_every_row_is_a_provider_under_its_name_and_its_aliases() -> None:
    for row in ROWS:
        for name in (row.name, *row.aliases):
            assert registry.provider(name).name == row.name
    names = [name for row in ROWS for name in (row.name, *row.aliases)]
    assert len(names) == len(set(names))
    with pytest.raises(UnknownNameError, match="no provider named 'antropic'; did you mean 'anthropic'"):
        registry.provider("antropic")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_agrees_with_the_price_list_and_has_a_dialect(row: ProviderRow) -> None:
    assert import_module(f"agents_eval_agents.providers.dialects.{row.dialect}").connect
    assert row.base_url.startswith(("https://", "http://localhost")) or "own_models" in row.quirks
    for model in row.models if row.price_source else ():
        priced = calc_price(Usage(input_tokens=1), model.name, provider_id=row.price_source).model
        assert priced.context_window in (None, model.context_tokens)


def test_every_extra_is_one_that_the_package_has() -> None:
    project = (Path(__file__).parents[3] / "packages/agents/pyproject.toml").read_text(encoding="utf-8")
    assert all(f"\n{row.extra} = [" in project for row in ROWS if row.extra)


def test_an_extra_that_is_missing_is_named_with_the_line_that_installs_it() -> None:
    row = ProviderRow(name="x", prefix="x", module="no_such_library", extra="x", key="X", base_url="https://x.test")
    assert access.absence_of(row, {"X": "k"}) == (
        "its library no_such_library is not installed; pip install 'agents-eval-agents[x]'"
    )


def test_the_model_follows_from_the_papers_length() -> None:
    groq = registry.provider("groq")
    assert groq.fitting_model(20_000) == "openai/gpt-oss-120b"
    with pytest.raises(UsageError, match="no model that is known to take a paper of 90000 tokens; name one"):
        groq.fitting_model(90_000)


def test_a_place_with_a_password_or_no_place_at_all_is_refused() -> None:
    row = next(row for row in ROWS if row.name == "openai")
    for place, said in (
        ("https://me:pw@host/v1", "holds a name or password"),
        ("ftp://host/v1", "is no web address"),
    ):
        assert said in str(access.absence_of(row, {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": place}))


def test_a_provider_without_tools_drives_no_team(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERPLEXITY_API_KEY", "made-up")
    perplexity = HostedProvider(row=next(row for row in ROWS if row.name == "perplexity"))
    with pytest.raises(UsageError, match="calls no tools and cannot drive a team; use --engine direct"):
        perplexity.agent_model(None)
