"""A user's own venue: its tables are fitted by one command, and later evaluations read its papers by them."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from agents_eval_core.score import Scorecard

Program = Callable[..., CompletedProcess[str]]
PAPERS = 31


@pytest.fixture
def own_venue(peerread: Path, clean_place: Path) -> Path:
    """Thirty-one papers of ICLR 2017 under the name of a workshop that nobody has calibrated."""
    reviews = clean_place / "venues" / "our_workshop" / "train" / "reviews"
    reviews.mkdir(parents=True)
    for file in sorted((peerread / "iclr_2017" / "train" / "reviews").iterdir())[: PAPERS + 2]:
        shutil.copy(file, reviews)
    return reviews.parents[2]


def _scorecard(program: Program, own_venue: Path, paper: str) -> Scorecard:
    done = program("review", "--paper", paper, "--data-dir", own_venue, "--composition", "manager", "--json")
    assert done.returncode == 0, done.stderr
    return Scorecard.model_validate(json.loads(done.stdout)["scorecard"])


def test_a_fitted_venue_is_read_by_its_own_scale_from_then_on(own_venue: Path, program: Program) -> None:
    paper = min((own_venue / "our_workshop" / "train" / "reviews").iterdir()).stem
    before = _scorecard(program, own_venue, paper)
    assert before.humans["output_similarity"].venue == "iclr_2017"
    done = program("calibrate", "human_agreement", "--data", own_venue, "--venue", "our_workshop", "--json")
    assert done.returncode == 0, done.stderr
    (fitted,) = json.loads(done.stdout)["calibrations"]
    assert "below 300" in fitted["warnings"][0]
    after = _scorecard(program, own_venue, paper)
    assert after.humans["output_similarity"].venue == "our_workshop"
    score = after.score("output_similarity")
    assert score is not None
    assert "human reviewers of our_workshop come less near" in score.explanation


def test_reviews_of_several_papers_are_looked_at_together(own_venue: Path, program: Program) -> None:
    papers = sorted((own_venue / "our_workshop" / "train" / "reviews").iterdir())[:5]
    for paper in papers:
        _scorecard(program, own_venue, paper.stem)
    done = json.loads(program("evaluate", "engine=mas", "--json").stdout)
    together = {score["name"]: score for score in done["together"]["scores"]}
    assert 0 < together["review_focus"]["value"] < 1
    assert together["fresh_text"]["value"] < 1
    shown = program("evaluate", "engine=mas").stdout
    assert "All of them together" in shown
    assert "fresh_text" in shown
