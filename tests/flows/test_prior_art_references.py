"""Papers without human reviews: said before any work is done, and never scored as if they had some."""

import json
from pathlib import Path

import pytest

from agents_eval import run_review_sync
from agents_eval_core.ports.engine import Progress
from agents_eval_core.score import Scorecard

PAPER = "arxiv.cs.ai_2007-2017/0903.0467"


@pytest.fixture
def without_references(tmp_path: Path) -> Path:
    """Return a folder with a paper as PeerRead's arXiv sections have them: the list of reviews is empty."""
    folder = tmp_path / "data" / "arxiv.cs.ai_2007-2017" / "train" / "reviews"
    folder.mkdir(parents=True)
    paper = {
        "title": "Learning sparse parsers",
        "abstract": "We train a sparse parser with a pruning schedule. It is 2.1 times faster at equal accuracy.",
        "authors": ["Ada Example"],
        "accepted": True,
        "reviews": [],
        "histories": [],
    }
    (folder / "0903.0467.json").write_text(json.dumps(paper))
    return tmp_path / "data"


def reviewed(data_dir: Path, **options: str) -> tuple[Scorecard, list[Progress]]:
    said: list[Progress] = []
    paper = options.pop("paper", PAPER)
    done = run_review_sync(paper, composition="manager", data_dir=data_dir, on_progress=said.append, **options)
    assert done.scorecard is not None
    return done.scorecard, said


def test_it_is_said_before_the_first_agent_works(without_references: Path) -> None:
    _, said = reviewed(without_references)
    assert "no usable human review" in said[0].action
    assert said[0].agent == ""
    assert any(progress.agent == "manager" for progress in said[1:])


def test_similarity_is_not_measured_and_is_no_zero(without_references: Path) -> None:
    card, _ = reviewed(without_references)
    score = card.score("output_similarity")
    assert score is not None
    assert (score.value, score.reason) == (None, "not_measured")
    assert "no human review" in score.explanation
    assert "output_similarity" not in card.weights_used
    assert card.bounds is not None
    assert card.bounds.low < card.bounds.high


def test_with_real_references_it_is_measured_and_nothing_is_said(peerread: Path) -> None:
    file = min((peerread / "iclr_2017").glob("*/reviews/*.json"))
    card, said = reviewed(peerread, paper=f"iclr_2017/{file.stem}")
    score = card.score("output_similarity")
    assert score is not None
    assert score.value is not None
    assert not any("human review" in progress.action for progress in said)
