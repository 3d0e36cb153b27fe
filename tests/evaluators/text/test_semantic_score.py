import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file  # pyright: ignore[reportUnknownVariableType]  half of its types are stated
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace

from agents_eval import run_review_sync
from agents_eval_core.errors import SettingsError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Score
from agents_eval_core.settings import load_settings
from agents_eval_evaluators.text.semantic_score import SemanticScore, semantic_score
from agents_eval_evaluators.text.static_embeddings import static_embeddings

ScoreOf = Callable[..., Awaitable[Score]]
VOCABULARY = ["[UNK]", "parser", "treebank", "syntax", "gan", "image", "pixel", "dropout", "the", "is"]
DIRECTIONS = [(0, 0), (1, 0), (0.9, 0.1), (1, 0.1), (0, 1), (0.1, 0.9), (0.1, 1), (0.6, 0.6), (0.1, 0.1), (0.1, 0.1)]


@pytest.fixture
def model(clean_place: Path) -> Path:
    """A folder as Model2Vec writes it: a tokenizer and a vector a token."""
    return _made(clean_place / "model", "model.safetensors", "embeddings", np.float16)


def _made(folder: Path, weights: str, tensor: str, kind: type[np.floating]) -> Path:
    (folder / weights).parent.mkdir(parents=True)
    words = WordLevel({word: number for number, word in enumerate(VOCABULARY)}, unk_token=VOCABULARY[0])
    tokenizer = Tokenizer(words)
    tokenizer.normalizer, tokenizer.pre_tokenizer = Lowercase(), Whitespace()
    tokenizer.save(str((folder / weights).parent / "tokenizer.json"))
    save_file({tensor: np.array(DIRECTIONS, dtype=kind)}, folder / weights)
    return folder


def test_texts_of_one_subject_are_near_without_a_common_word(model: Path) -> None:
    read = static_embeddings(model)
    same = semantic_score("The parser is syntax", "treebank", read)
    other = semantic_score("The parser is syntax", "gan image pixel", read)
    assert same > 0.95
    assert other < 0.5
    assert semantic_score("treebank", "The parser is syntax", read) == pytest.approx(same)


def test_a_text_without_a_known_token_is_near_nothing(model: Path) -> None:
    read = static_embeddings(model)
    assert semantic_score("", "parser", read) == 0
    assert semantic_score("zzyx", "parser", read) == 0


def test_the_layout_of_sentence_transformers_is_read_as_well(clean_place: Path) -> None:
    folder = _made(clean_place / "st", "0_StaticEmbedding/model.safetensors", "embedding.weight", np.float32)
    assert semantic_score("parser", "parser", static_embeddings(folder)) == pytest.approx(1)


async def test_the_best_reference_counts(model: Path, a_run: Callable[..., Run], score_of: ScoreOf) -> None:
    context = EvaluationContext(semantic_model=model)
    score = await score_of(SemanticScore(), a_run(), context)
    assert score.value is not None
    assert {measure.name: measure.value for measure in score.measures}["references"] == 3


async def test_without_a_model_it_is_not_measured_and_says_how(a_run: Callable[..., Run], score_of: ScoreOf) -> None:
    score = await score_of(SemanticScore(), a_run())
    assert (score.value, score.reason) == (None, "not_measured")
    assert "AGENTS_EVAL_SEMANTIC_MODEL" in score.explanation


async def test_without_the_extra_it_is_not_measured_and_says_what_to_install(
    model: Path, a_run: Callable[..., Run], score_of: ScoreOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    score = await score_of(SemanticScore(), a_run(), EvaluationContext(semantic_model=model))
    assert (score.value, score.reason) == (None, "not_measured")
    assert "agents-eval[semantic]" in score.explanation


@pytest.mark.parametrize("broken", ["nothing", "damaged", "no table"])
def test_a_folder_without_a_usable_model_is_refused_with_what_it_needs(model: Path, broken: str) -> None:
    weights = model / "model.safetensors"
    if broken == "nothing":
        weights.unlink()
    elif broken == "damaged":
        weights.write_bytes(b"\x00" * 99)
    else:
        save_file({"other": np.zeros((2, 2), dtype=np.float32)}, weights)
    with pytest.raises(SettingsError, match="model"):
        static_embeddings(model)


def test_the_model_that_the_settings_name_is_used(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENTS_EVAL_SEMANTIC_MODEL", str(model))
    done = run_review_sync("sparse-gates", dataset="sample", composition="manager", settings=load_settings(None))
    assert done.scorecard is not None
    score = done.scorecard.score("semantic_score")
    assert score is not None
    assert score.value is not None
