"""Where settings come from, which source wins, and what a wrong one is answered."""

from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.composite import EQUAL_WEIGHTS, SIX, compose
from agents_eval_core.errors import SettingsError
from agents_eval_core.score import Score
from agents_eval_core.settings import Settings, load_settings, setting_names

NAME = "JUDGE_TIER1_MAX_SECONDS"


def from_environment(**values: str) -> Settings:
    return load_settings(None, environment=values)


def test_without_anything_given_the_documented_defaults_hold(tmp_path: Path) -> None:
    settings = load_settings(tmp_path, environment={})
    assert settings.provider == "offline"
    assert settings.tiers_enabled == (1, 2, 3)
    assert [settings.tier_max_seconds(tier) for tier in (1, 2, 3)] == [15, 60, 15]
    assert settings.total_max_seconds == 120
    assert settings.weights == dict.fromkeys(SIX, 1.0)
    assert settings.tier2_provider is None


def test_each_source_wins_over_the_one_before(tmp_path: Path) -> None:
    def limit(environment: dict[str, str] | None = None, options: dict[str, Any] | None = None) -> float:
        return load_settings(tmp_path, environment=environment or {}, options=options).tier1_max_seconds

    assert limit() == 15
    (tmp_path / ".env").write_text(f"{NAME}=2\n")
    assert limit() == 2
    (tmp_path / "agents-eval.toml").write_text(f"{NAME} = 3\n")
    assert limit() == 3
    assert limit({NAME: "4"}) == 4
    assert limit({NAME: "4"}, {NAME: 5}) == 5


def test_sources_add_up_name_by_name(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("JUDGE_WEIGHT_TASK_SUCCESS=2\nAGENTS_EVAL_MODEL=small\n")
    (tmp_path / "agents-eval.toml").write_text("[judge.weight]\ntool-efficiency = 0.5\n")
    settings = load_settings(tmp_path, environment={"JUDGE_TIERS_ENABLED": "1,3"})
    assert settings.model == "small"
    assert settings.tiers_enabled == (1, 3)
    assert settings.weights == {**EQUAL_WEIGHTS, "task_success": 2.0, "tool_efficiency": 0.5}


def test_an_option_that_was_not_given_changes_nothing() -> None:
    settings = load_settings(None, environment={NAME: "4"}, options={NAME: None})
    assert settings.tier1_max_seconds == 4


def test_an_empty_variable_is_one_that_is_not_set(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"{NAME}=2\nAGENTS_EVAL_MODEL=\nJUDGE_TIER2_MODEL\n")
    settings = load_settings(tmp_path, environment={NAME: "", "AGENTS_EVAL_HOME": ""})
    assert settings.tier1_max_seconds == 2
    assert settings.model is None
    assert settings.home == Path("_Agents-eval")


def test_the_process_environment_is_read_when_none_is_handed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "7")
    assert load_settings(None).tier1_max_seconds == 7


def test_variables_of_other_programs_and_of_the_tests_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("OPENAI_API_KEY=x\nDEBUG=1\n")
    load_settings(tmp_path, environment={"PATH": "/bin", "AGENTS_EVAL_TEST_DATA": "data"})


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("JUDGE_TIER1_MAX_SECOND", "JUDGE_TIER1_MAX_SECONDS"),
        ("AGENTS_EVAL_PROVDER", "AGENTS_EVAL_PROVIDER"),
        ("JUDGE_WIGHT_TASK_SUCCESS", "JUDGE_WEIGHT_TASK_SUCCESS"),
    ],
)
def test_an_unknown_name_is_refused_with_the_right_one(given: str, meant: str) -> None:
    with pytest.raises(SettingsError) as problem:
        from_environment(**{given: "1"})
    assert str(problem.value) == f"no setting named {given} (in the environment); did you mean {meant}?"


def test_an_unknown_name_like_no_other_is_referred_to_the_list() -> None:
    with pytest.raises(SettingsError, match="'agents-eval doctor' lists all settings"):
        from_environment(JUDGE_XYZZY="1")


def test_an_unknown_name_in_a_file_or_option_is_refused_too(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"in the options"):
        load_settings(None, environment={}, options={"HOME_DIR": "x"})
    (tmp_path / "agents-eval.toml").write_text("[judge]\ntier4_max_seconds = 1\n")
    with pytest.raises(SettingsError, match=r"JUDGE_TIER4_MAX_SECONDS \(in agents-eval.toml\)"):
        load_settings(tmp_path, environment={})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("JUDGE_TIER1_MAX_SECONDS", "0"),
        ("JUDGE_TIER2_MAX_SECONDS", "soon"),
        ("JUDGE_TIER3_MAX_SECONDS", "nan"),
        ("JUDGE_TOTAL_MAX_SECONDS", "inf"),
        ("JUDGE_TIERS_ENABLED", "1,4"),
        ("JUDGE_TIERS_ENABLED", "one"),
        ("JUDGE_COMPOSITE_ACCEPT_THRESHOLD", "1.5"),
        ("JUDGE_TRACE_COLLECTION", "perhaps"),
        ("JUDGE_PHOENIX_ENDPOINT", "127.0.0.1:6006"),
        ("JUDGE_PHOENIX_ENDPOINT", "ftp://127.0.0.1:6006"),
        ("JUDGE_PHOENIX_ENDPOINT", "http://"),
        ("JUDGE_PHOENIX_ENDPOINT", "http://my phoenix"),
        ("JUDGE_PHOENIX_ENDPOINT", "http://127.0.0.1:70000"),
        ("JUDGE_PHOENIX_ENDPOINT", "http://127.0.0.1:port"),
        ("JUDGE_PHOENIX_ENDPOINT", "http://me:password@127.0.0.1:6006"),
        ("JUDGE_PHOENIX_ENDPOINT", "http://127.0.0.1:6006/?key=1"),
        ("JUDGE_LOGFIRE_ENABLED", "perhaps"),
        ("JUDGE_WEIGHT_TASK_SUCCESS", "-1"),
        ("JUDGE_WEIGHT_TASK_SUCCESS", "1e300"),
        ("JUDGE_WEIGHT_TASK_SUCCESS", "heavy"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_its_name_and_origin(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=rf"^{name} \(in the environment\) is "):
        from_environment(**{name: value})
    (tmp_path / ".env").write_text(f"{name}={value}\n")
    with pytest.raises(SettingsError, match=rf"^{name} \(in .env\) is "):
        load_settings(tmp_path, environment={})


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("http://127.0.0.1:6006", "http://127.0.0.1:6006"),
        ("http://127.0.0.1:6006/", "http://127.0.0.1:6006"),
        ("http://[::1]:6006/v1/traces", "http://[::1]:6006"),
        ("https://example.org/phoenix/", "https://example.org/phoenix"),
    ],
)
def test_the_endpoint_of_phoenix_is_a_base_url(given: str, meant: str) -> None:
    assert from_environment(JUDGE_PHOENIX_ENDPOINT=given).phoenix_endpoint == meant


def test_no_viewer_is_switched_on_by_default() -> None:
    settings = from_environment()
    assert (settings.phoenix_endpoint, settings.logfire_enabled) == (None, False)


def test_verdict_classes_out_of_order_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"not 0\.4, 0\.9, 0\.8"):
        from_environment(JUDGE_COMPOSITE_WEAK_ACCEPT_THRESHOLD="0.9")


def test_weights_that_leave_nothing_are_refused() -> None:
    with pytest.raises(SettingsError, match="nothing is left"):
        from_environment(**{f"JUDGE_WEIGHT_{name.upper()}": "0" for name in SIX})


@pytest.mark.parametrize(
    ("file", "content"), [("agents-eval.toml", b"= 1"), ("agents-eval.toml", b"\xff"), (".env", b"\xff")]
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, file: str, content: bytes) -> None:
    (tmp_path / file).write_bytes(content)
    with pytest.raises(SettingsError, match=rf"^{file} cannot be read: .*; correct it or remove it$"):
        load_settings(tmp_path, environment={})


def test_every_setting_has_a_description_and_one_of_our_prefixes() -> None:
    assert all(name.startswith(("AGENTS_EVAL_", "JUDGE_", "AGENT_TOKEN_LIMIT")) for name in setting_names())
    assert all(field.description for field in Settings.model_fields.values())


def test_a_weight_from_the_settings_moves_the_composite() -> None:
    scores = [
        Score(name=name, value=value, evaluator="t", version="1", tier=1)
        for name, value in {"task_success": 1.0, "output_similarity": 0.0}.items()
    ]
    plain, heavy = from_environment(), from_environment(JUDGE_WEIGHT_TASK_SUCCESS="4")
    assert [compose(scores, weights=each.weights).composite for each in (plain, heavy)] == [0.5, 0.8]


@pytest.mark.parametrize(
    ("name", "value", "verdict"),
    [
        ("JUDGE_COMPOSITE_ACCEPT_THRESHOLD", "0.65", "accept"),
        ("JUDGE_COMPOSITE_WEAK_ACCEPT_THRESHOLD", "0.75", "weak_reject"),
    ],
)
def test_a_threshold_from_the_settings_moves_the_verdict(name: str, value: str, verdict: str) -> None:
    assert from_environment().thresholds.verdict(0.7) == "weak_accept"
    assert from_environment(**{name: value}).thresholds.verdict(0.7) == verdict


def test_the_lowest_threshold_moves_the_verdict_too() -> None:
    settings = from_environment(JUDGE_COMPOSITE_WEAK_REJECT_THRESHOLD="0.2")
    assert (Settings().thresholds.verdict(0.3), settings.thresholds.verdict(0.3)) == ("reject", "weak_reject")


@pytest.mark.parametrize("tier", [1, 2, 3])
def test_each_tier_has_its_own_limit(tier: Any) -> None:
    assert from_environment(**{f"JUDGE_TIER{tier}_MAX_SECONDS": "9"}).tier_max_seconds(tier) == 9
