"""The scorecard on a terminal."""

import pytest

from agents_eval_cli.views.page import page
from agents_eval_cli.views.scorecard import full_scorecard_view, scorecard_view
from agents_eval_core.score import Evidence, Scorecard


def test_the_tiers_stand_side_by_side_and_what_is_missing_says_so_in_words(scorecard: Scorecard) -> None:
    lines = page(scorecard_view(scorecard)).splitlines()
    heading = next(line for line in lines if line.startswith("metric"))
    assert heading.split() == ["metric", "1", "text", "2", "judge", "3", "behaviour", "weight"]
    row = {line.split()[0]: line.split()[1:] for line in lines[lines.index(heading) + 1 :] if line}
    assert row["output_similarity"] == ["0.41", "0.50"]
    assert row["time_taken"] == ["not", "applicable"]
    assert row["planning_rationality"] == ["not", "measured"]
    assert row["coordination_quality"] == ["failed"]
    assert row["tier"] == ["0.41", "none", "0.90"]
    judge = heading.index("2 judge")
    planning = next(line for line in lines if line.startswith("planning_rationality"))
    assert planning.rstrip().endswith("not measured")
    assert planning.index("not measured") < judge + len("2 judge") <= len(planning)


def test_every_absence_has_its_reason(scorecard: Scorecard) -> None:
    text = " ".join(page(scorecard_view(scorecard)).split())
    assert "planning_rationality (not measured): no judge configured" in text
    assert "coordination_quality (failed: timeout): the time limit of 15 s was reached" in text
    assert "time_taken (not applicable): offline" in text


def test_findings_carry_their_severity_as_a_word_and_their_text_as_it_is(scorecard: Scorecard) -> None:
    assert "CRITICAL: Half of it is [copied] from the paper." in page(scorecard_view(scorecard))


def test_the_full_scorecard_adds_what_the_scores_rest_on(scorecard: Scorecard) -> None:
    text = " ".join(page(full_scorecard_view(scorecard)).split())
    assert "tool_efficiency 0.90: 9 of 10 calls" in text
    assert "median 0.50, quartiles 0.25 to 0.75 (99 reviews of iclr_2017)" in text
    assert "tool_calls 10" in text
    assert "unknown: cost_usd" in text
    assert "model_requests 7" in text


def test_it_fits_a_terminal_of_80_columns_and_has_no_control_characters(scorecard: Scorecard) -> None:
    text = page(full_scorecard_view(scorecard))
    assert max(map(len, text.splitlines())) <= 80
    assert text.replace("\n", "").isprintable()


def test_colour_adds_nothing_but_colour(scorecard: Scorecard, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = page(scorecard_view(scorecard))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[1;31m" in page(scorecard_view(scorecard))
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[1;31m" not in page(scorecard_view(scorecard))
    monkeypatch.setenv("TERM", "dumb")
    assert page(scorecard_view(scorecard)) == plain


def test_a_finding_names_the_first_spans_that_show_it(scorecard: Scorecard) -> None:
    finding = scorecard.findings[0].changed(evidence=Evidence(span_ids=("s1", "s2", "s3", "s4", "s5")))
    shown = " ".join(page(scorecard_view(scorecard.changed(findings=(finding,)))).split())
    assert "[spans s1, s2, s3 and 2 more]" in shown
