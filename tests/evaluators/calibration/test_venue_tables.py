import os
from collections.abc import Callable
from pathlib import Path

import pytest

from agents_eval_core.errors import SettingsError
from agents_eval_core.evaluation import Installed, evaluate
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.settings import load_settings
from agents_eval_evaluators.calibration.agreement_table import shipped_table, venue_table
from agents_eval_evaluators.text.output_similarity import OutputSimilarity


def test_a_table_that_was_damaged_costs_scores_and_is_no_silence(clean_place: Path) -> None:
    folder = clean_place / "human_agreement"
    folder.mkdir()
    (folder / "mine.json").write_text("{}")
    with pytest.raises(SettingsError, match="calibrate --venue mine"):
        venue_table("mine", clean_place)
    (folder / "other.json").write_text(shipped_table().model_dump_json(by_alias=True))
    with pytest.raises(SettingsError, match="is one of 'iclr_2017' and not of 'other'"):
        venue_table("other", clean_place)


def test_a_table_that_is_there_and_cannot_be_opened_is_no_silence(clean_place: Path) -> None:
    (clean_place / "human_agreement").mkdir()
    (clean_place / "human_agreement" / "mine.json").symlink_to("mine.json")
    with pytest.raises(SettingsError, match="calibrate --venue mine"):
        venue_table("mine", clean_place)


def test_a_venue_whose_name_is_a_path_reads_no_file(clean_place: Path) -> None:
    (clean_place / "human_agreement").mkdir()
    (clean_place / "secret.json").write_text("{}")
    assert venue_table("../secret", clean_place).venue == "iclr_2017"


def test_a_table_that_was_fitted_anew_is_read_anew(clean_place: Path) -> None:
    file = clean_place / "human_agreement" / "mine.json"
    file.parent.mkdir()
    for number, pair_scale in enumerate(((0.1, 0.2), (0.3, 0.4))):
        table = shipped_table().changed(venue="mine", pair_scale=pair_scale)
        file.write_text(table.model_dump_json(by_alias=True))
        os.utime(file, ns=(number, number))
        assert venue_table("mine", clean_place).pair_scale == pair_scale


async def test_a_damaged_table_costs_the_scores_that_need_it_and_not_the_evaluation(
    a_run: Callable[..., Run], clean_place: Path
) -> None:
    settings = load_settings(None, environment={"AGENTS_EVAL_HOME": str(clean_place)})
    (clean_place / "tables" / "human_agreement").mkdir(parents=True)
    (clean_place / "tables" / "human_agreement" / "iclr_2017.json").write_text("no table")
    card = await evaluate(
        a_run(),
        settings=settings,
        context=EvaluationContext(),
        at_hand=Installed(evaluators=(OutputSimilarity(),)),
    )
    score = card.score("output_similarity")
    assert score is not None
    assert (score.reason, score.error_type) == ("failed", "SettingsError")
    assert "verdict_agreement" in card.humans
