"""No setting without an effect: each one is tied to a test that sets it by name and sees what changes."""

import ast
from pathlib import Path

import pytest

from agents_eval import run_review_sync
from agents_eval_core import registry
from agents_eval_core.errors import UsageError
from agents_eval_core.evaluation import Installed, evaluate
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Tier
from agents_eval_core.settings import WEIGHT_PREFIX, Settings, load_settings
from agents_eval_core.use_cases.judge_choice import resolve_judge

ROOT = Path(__file__).parents[2]
HERE = "tests/flows/test_prior_art_settings.py"
FLOWS = "tests/flows/test_settings_take_effect.py"
LONG = "tests/wire/test_long_papers.py"
STREAMING = "tests/wire/test_streaming.py"
PATIENCE = "tests/wire/test_patience.py"
LIMITS = "tests/wire/test_limits.py"
PUBLISHING = "tests/agents/test_publishing.py"
CHOICE = "tests/core/use_cases/test_judge_choice.py"
JUDGING = "tests/wire/test_judges.py"
TIERS = f"{HERE}::test_a_time_limit_ends_the_metrics_that_it_is_for"
CLASSES = f"{FLOWS}::test_the_verdict_classes_are_the_users"
SHOWN_BY = {
    "home": f"{FLOWS}::test_the_data_root_is_where_runs_are_kept",
    "home_is_trusted": f"{FLOWS}::test_a_table_in_a_data_root_that_is_not_trusted_does_not_count",
    "data_dir": f"{FLOWS}::test_the_data_dir_is_where_venues_are_looked_for",
    "provider": f"{FLOWS}::test_the_provider_and_the_model_are_the_users",
    "model": f"{FLOWS}::test_the_provider_and_the_model_are_the_users",
    "fallbacks": f"{PATIENCE}::test_where_every_model_of_a_chain_fails_each_is_told_with_its_reason",
    "attempts": f"{PATIENCE}::test_how_often_the_same_is_asked_is_a_setting",
    "longest_wait_seconds": f"{PATIENCE}::test_a_longer_wait_than_is_waited_for_ends_the_run_at_once_with_its_length",
    "requests_at_once": f"{PATIENCE}::test_no_more_requests_are_open_at_a_time_than_the_setting_allows",
    "requests_per_minute": f"{PATIENCE}::test_no_more_requests_are_made_a_minute_than_the_setting_allows",
    "token_limit": f"{LIMITS}::test_the_option_counts_before_the_setting_and_the_setting_before_the_provider",
    "request_limit": f"{LIMITS}::test_the_limits_cover_the_whole_team_and_keep_the_draft",
    "cost_limit_usd": f"{LIMITS}::test_a_limit_of_cost_that_cannot_be_kept_is_refused",
    "time_limit_seconds": f"{LIMITS}::test_a_limit_of_time_covers_delegates_and_waits",
    "context_tokens": f"{LONG}::test_a_paper_that_fits_is_read_at_once",
    "long_paper": f"{LONG}::test_a_paper_is_cut_by_relevance_where_that_is_set",
    "stream": f"{STREAMING}::test_without_streaming_answers_are_asked_for_whole",
    "web_search": "tests/wire/test_web_search.py::test_the_web_is_not_searched_unless_that_is_wanted",
    "tiers_enabled": "tests/core/test_evaluation.py::test_a_tier_that_was_not_asked_for_is_not_measured_and_says_so",
    "tier1_max_seconds": TIERS,
    "tier2_max_seconds": TIERS,
    "tier3_max_seconds": TIERS,
    "total_max_seconds": TIERS,
    "tier2_provider": f"{FLOWS}::test_a_judge_that_cannot_judge_is_the_reason_for_tier_two",
    "tier2_model": f"{HERE}::test_the_judges_model_is_the_one_that_was_set",
    "tier2_fallback_provider": f"{CHOICE}::test_the_fallback_that_is_set_judges_where_the_first_cannot",
    "tier2_fallback_model": f"{CHOICE}::test_the_fallback_that_is_set_judges_where_the_first_cannot",
    "judge_rubric": f"{JUDGING}::test_a_rubric_of_ones_own_takes_the_place_of_the_shipped_one",
    "judge_repeats": f"{JUDGING}::test_a_judge_that_is_asked_again_has_a_flip_rate",
    "judge_sees_measurements": f"{JUDGING}::test_the_judge_sees_what_tier_one_measured_only_where_that_is_set",
    "judge_cost_budget_usd": f"{JUDGING}::test_a_budget_stops_before_it_is_exceeded_and_the_other_tiers_stand",
    "judge_token_budget": f"{JUDGING}::test_a_budget_stops_before_it_is_exceeded_and_the_other_tiers_stand",
    "judge_provider_token_budgets": f"{JUDGING}::test_a_budget_stops_before_it_is_exceeded_and_the_other_tiers_stand",
    "judge_cache": f"{JUDGING}::test_the_same_question_is_not_paid_for_twice_unless_that_is_set",
    "accept_threshold": CLASSES,
    "weak_accept_threshold": CLASSES,
    "weak_reject_threshold": CLASSES,
    "trace_collection": f"{FLOWS}::test_without_trace_collection_the_behaviour_is_not_measured",
    "phoenix_endpoint": f"{PUBLISHING}::test_a_review_sends_the_spans_that_it_keeps_to_phoenix",
    "logfire_enabled": f"{PUBLISHING}::test_logfire_gets_the_spans_of_a_review_with_the_users_token",
    "semantic_model": "tests/evaluators/text/test_semantic_score.py::test_the_model_that_the_settings_name_is_used",
    "weights": "tests/core/test_settings.py::test_a_weight_from_the_settings_moves_the_composite",
}


def source_of(test: str) -> str:
    """Return a test function's source with its decorators, "" where there is none of that name."""
    file, _, name = test.partition("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    return ""


def test_every_setting_is_tied_to_a_test_of_its_effect() -> None:
    assert set(SHOWN_BY) == set(Settings.model_fields)


@pytest.mark.parametrize("field", SHOWN_BY)
def test_the_test_of_a_setting_sets_it_by_its_name(field: str) -> None:
    alias = Settings.model_fields[field].validation_alias
    name = str(alias) if alias else WEIGHT_PREFIX
    assert name in source_of(SHOWN_BY[field]), f"{SHOWN_BY[field]} does not exist or does not set {name}"


class Endless:
    """A metric that never comes to an end."""

    name, version, metrics = "endless", "1", ("endless",)

    def __init__(self, tier: Tier) -> None:
        self.tier: Tier = tier

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port
        while True:
            pass


@pytest.mark.parametrize(
    ("name", "tier"),
    [
        ("JUDGE_TIER1_MAX_SECONDS", 1),
        ("JUDGE_TIER2_MAX_SECONDS", 2),
        ("JUDGE_TIER3_MAX_SECONDS", 3),
        ("JUDGE_TOTAL_MAX_SECONDS", 2),
    ],
)
async def test_a_time_limit_ends_the_metrics_that_it_is_for(name: str, tier: Tier, a_run: Run) -> None:
    settings = load_settings(None, environment={name: "0.0625"})
    at_hand = Installed(evaluators=(Endless(tier),))
    card = await evaluate(a_run, settings=settings, context=EvaluationContext(), at_hand=at_hand)
    score = card.score("endless")
    assert score is not None
    assert (score.reason, score.error_type) == ("failed", "timeout")
    assert "0.06" in score.explanation


@pytest.fixture
def a_run() -> Run:
    return run_review_sync("sparse-gates", dataset="sample", composition="manager", evaluate=False).run


def test_the_judges_model_is_the_one_that_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str | None] = []

    class Model:
        name = "the-one"

    class Judging:
        def unavailable_because(self) -> None:
            return None

        def chat_model(self, name: str | None) -> Model:
            asked.append(name)
            return Model()

    def provider(_: str) -> Judging:
        return Judging()

    monkeypatch.setattr(registry, "provider", provider)
    monkeypatch.setenv("JUDGE_TIER2_PROVIDER", "somebody")
    resolve_judge(None, load_settings(None))
    monkeypatch.setenv("JUDGE_TIER2_MODEL", "the-strict-one")
    resolve_judge(None, load_settings(None))
    assert asked == [None, "the-strict-one"]


def test_a_setting_that_no_longer_exists_is_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_TIER1_SIMILARITY_METRICS", "cosine")
    with pytest.raises(UsageError, match="no setting named JUDGE_TIER1_SIMILARITY_METRICS"):
        run_review_sync("sparse-gates", dataset="sample")
