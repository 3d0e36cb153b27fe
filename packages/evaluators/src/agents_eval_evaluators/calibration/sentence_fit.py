"""Fitting the model that tells sentences of reviews from sentences of papers; what needs scikit-learn is here."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, Final, cast

from sklearn.feature_extraction.text import (  # pyright: ignore[reportMissingTypeStubs]  scikit-learn has none
    TfidfVectorizer,
)
from sklearn.linear_model import LogisticRegression  # pyright: ignore[reportMissingTypeStubs]  as above

from agents_eval_evaluators.calibration.language_fit import Cut
from agents_eval_evaluators.calibration.sentence_model import SentenceModel

FEWEST_WORDS: Final = 3
FEWEST_SENTENCES: Final = 4
SIGNIFICANT: Final = 5


def fitted_pipeline(reviews: Sequence[Cut], papers: Sequence[Cut]) -> tuple[Any, Any]:
    """Return scikit-learn's vectorizer and regression, fitted so that both kinds count the same."""
    own, theirs = _long_enough(reviews), _long_enough(papers)
    make = cast("Any", TfidfVectorizer)
    vectorizer = make(analyzer=_as_it_is, sublinear_tf=True, min_df=FEWEST_SENTENCES)
    regression = cast("Any", LogisticRegression(class_weight="balanced", C=1.0, max_iter=300))
    regression.fit(vectorizer.fit_transform([*own, *theirs]), [1] * len(own) + [0] * len(theirs))
    return vectorizer, regression


def sentence_model(reviews: Sequence[Cut], papers: Sequence[Cut]) -> SentenceModel:
    """Return the fitted model as a dictionary of words."""
    vectorizer, regression = fitted_pipeline(reviews, papers)
    names, frequencies, weights = vectorizer.get_feature_names_out(), vectorizer.idf_, regression.coef_[0]
    return SentenceModel(
        bias=_rounded(regression.intercept_[0]),
        words={
            str(name): (_rounded(idf), _rounded(weight))
            for name, idf, weight in zip(names, frequencies, weights, strict=True)
        },
    )


def _long_enough(texts: Sequence[Cut]) -> list[Sequence[str]]:
    return [sentence for sentence in chain.from_iterable(texts) if len(sentence) >= FEWEST_WORDS]


def _as_it_is(sentence: Sequence[str]) -> Sequence[str]:
    return sentence


def _rounded(value: float) -> float:
    return float(f"{value:.{SIGNIFICANT}g}")
