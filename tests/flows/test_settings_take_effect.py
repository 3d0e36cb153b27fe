"""Each setting, set in the environment, and what it changes in a whole run."""

from pathlib import Path

import pytest

from agents_eval import evaluate_trace_sync, run_review_sync
from agents_eval_core.errors import UnknownNameError, UsageError
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun

PAPER = "sparse-gates"


def review(**options: str) -> EvaluatedRun:
    return run_review_sync(PAPER, **{"dataset": "sample", "composition": "manager", **options})


def test_the_data_root_is_where_runs_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AGENTS_EVAL_HOME", str(tmp_path / "elsewhere"))
    done = review()
    assert done.directory is not None
    assert done.directory.is_relative_to(tmp_path / "elsewhere" / "runs")
    assert (tmp_path / "elsewhere" / "agents-eval.db").is_file()
    assert not (tmp_path / "_Agents-eval").exists()


def test_the_data_dir_is_where_venues_are_looked_for(monkeypatch: pytest.MonkeyPatch, peerread: Path) -> None:
    monkeypatch.setenv("AGENTS_EVAL_DATA_DIR", str(peerread))
    done = run_review_sync("iclr_2017/B1-Hhnslg", composition="manager")
    assert done.run.case.paper is not None
    assert done.run.case.paper.venue == "iclr_2017"


def test_the_provider_and_the_model_are_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENTS_EVAL_PROVIDER", "ofline")
    with pytest.raises(UnknownNameError, match="did you mean 'offline'"):
        review()
    assert review(provider="offline").run.system.provider == "offline"
    monkeypatch.setenv("AGENTS_EVAL_PROVIDER", "offline")
    monkeypatch.setenv("AGENTS_EVAL_MODEL", "no-such-model")
    with pytest.raises(UsageError, match="no-such-model"):
        review()


def test_a_judge_that_cannot_judge_is_the_reason_for_tier_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_TIER2_PROVIDER", "offline")
    card = review().scorecard
    assert card is not None
    score = card.score("planning_rationality")
    assert score is not None
    assert score.reason == "not_measured"
    assert "JUDGE_TIER2_PROVIDER" in score.explanation
    with pytest.raises(UsageError, match="judge"):
        review(judge="offline")


def test_without_trace_collection_the_behaviour_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_TRACE_COLLECTION", "false")
    done = review()
    assert done.scorecard is not None
    score = done.scorecard.score("tool_efficiency")
    assert score is not None
    assert score.reason == "not_measured"
    assert not [file for file in done.files if file.name == "trace.otlp.jsonl"]


def test_the_verdict_classes_are_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    done = review()
    assert done.scorecard is not None
    assert done.scorecard.verdict != "reject"
    monkeypatch.setenv("JUDGE_COMPOSITE_ACCEPT_THRESHOLD", "1")
    monkeypatch.setenv("JUDGE_COMPOSITE_WEAK_ACCEPT_THRESHOLD", "0.999")
    monkeypatch.setenv("JUDGE_COMPOSITE_WEAK_REJECT_THRESHOLD", "0.998")
    again = evaluate_trace_sync(done.run.id)
    assert again.scorecard is not None
    assert again.scorecard.verdict == "reject"


def test_a_table_in_a_data_root_that_is_not_trusted_does_not_count(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table = tmp_path / "_Agents-eval" / "tables" / "human_agreement" / "sample.json"
    table.parent.mkdir(parents=True)
    table.write_text("{}")
    for trusted, reason in (("true", "failed"), ("false", None)):
        monkeypatch.setenv("AGENTS_EVAL_TRUST_HOME", trusted)
        card = review().scorecard
        assert card is not None
        score = card.score("output_similarity")
        assert score is not None
        assert score.reason == reason
