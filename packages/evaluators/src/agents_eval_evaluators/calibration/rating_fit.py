"""Fitting the model from a review's words to its rating; what needs scikit-learn is here."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from statistics import correlation
from typing import Any, Final, cast

from sklearn.feature_extraction.text import (  # pyright: ignore[reportMissingTypeStubs]  scikit-learn has none
    TfidfVectorizer,
)
from sklearn.linear_model import Ridge  # pyright: ignore[reportMissingTypeStubs]  as above

from agents_eval_core.case import Case
from agents_eval_core.errors import PaperError
from agents_eval_core.review import Scale
from agents_eval_evaluators.calibration.agreement_table import Provenance, percentile
from agents_eval_evaluators.calibration.rating_model import RatingModel, rating_features
from agents_eval_evaluators.text.words import sentence_words

ALPHA: Final = 2.0
MOST_FEATURES: Final = 6000
FEWEST_REVIEWS: Final = 100
ENOUGH_FOR_TAILS: Final = 300
FEWEST_DOCUMENTS: Final = 3
FOLDS: Final = 10
LEAST_TOLD: Final = 0.2
SIGNIFICANT: Final = 4
METHOD: Final = (
    "ridge (alpha 2) on TF-IDF of the 6,000 most frequent words and pairs, negated words marked; gaps and correlation "
    "from models fitted on the other nine of ten folds of papers"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """A review's features, its rating, and the place of its paper."""

    features: tuple[str, ...]
    rating: float
    paper: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What scikit-learn made."""

    vectorizer: Any
    regression: Any

    def predict(self, items: Sequence[Rated]) -> list[float]:
        """Return the predicted ratings."""
        return [float(value) for value in self.regression.predict(self.vectorizer.transform(_features(items)))]


def fit_rating_model(
    cases: Sequence[Case], venue: str, *, source: str, licence: str, fitted_on: str, folds: int = FOLDS
) -> RatingModel:
    """Return a venue's model; the same cases in the same order give the same one. Gaps are of so many folds of papers.

    Raises:
        PaperError: There are too few rated reviews, or they are on several scales, or their words do not tell their
            ratings.
    """
    items, scale = rated_reviews(cases, venue)
    predicted = [
        (value, item.rating)
        for fold in range(folds)
        if (held := [item for item in items if item.paper % folds == fold])
        for value, item in zip(
            fitted([item for item in items if item.paper % folds != fold]).predict(held), held, strict=True
        )
    ]
    told = _rounded(_spearman(predicted))
    if told < LEAST_TOLD:
        raise PaperError(
            f"the words of {len(items)} reviews of {venue!r} do not tell their ratings (rank correlation {told:.2f} on "
            f"reviews held back, and {LEAST_TOLD} is needed): no warning could be trusted"
        )
    whole = fitted(items)
    names = whole.vectorizer.get_feature_names_out()
    return RatingModel(
        schema="agents-eval/rating-model/1",
        venue=venue,
        provenance=Provenance(
            source=source,
            papers=len({item.paper for item in items}),
            reviews=len(items),
            fitted_on=fitted_on,
            versions={name: version(name) for name in ("agents-eval-evaluators", "scikit-learn")},
            licence=licence,
            method=METHOD,
            warnings=_warnings(len(items)),
        ),
        rating_scale=scale,
        bias=_rounded(whole.regression.intercept_),
        features={
            str(name): (_rounded(idf), _rounded(weight))
            for name, idf, weight in zip(names, whole.vectorizer.idf_, whole.regression.coef_, strict=True)
        },
        gaps=tuple(sorted(_rounded(abs(_within(value, scale) - rating)) for value, rating in predicted)),
        rank_correlation=told,
    )


def rated_reviews(cases: Sequence[Case], venue: str) -> tuple[list[Rated], Scale]:
    """Return the rated reviews of a venue and the scale they are on.

    Raises:
        PaperError: There are too few, or they are on several scales.
    """
    rated = [
        (place, review, review.rating)
        for place, case in enumerate(cases)
        for review in case.references
        if review.rating is not None
    ]
    scales = {(rating.scale.lowest, rating.scale.highest) for _, _, rating in rated}
    if len(rated) < FEWEST_REVIEWS or len(scales) != 1:
        raise PaperError(
            f"venue {venue!r} has {len(rated)} rated reviews, on {len(scales)} scales; to learn what ratings words go "
            f"with takes {FEWEST_REVIEWS} on one scale: choose a larger venue or data folder"
        )
    lowest, highest = scales.pop()
    items = [
        Rated(features=tuple(rating_features(sentence_words(review.text))), rating=rating.value, paper=place)
        for place, review, rating in rated
    ]
    return items, Scale(lowest=lowest, highest=highest)


def fitted(items: Sequence[Rated]) -> Fitted:
    """Return scikit-learn's vectorizer and regression, fitted."""
    make = cast("Any", TfidfVectorizer)
    vectorizer = make(analyzer=_as_it_is, sublinear_tf=True, min_df=FEWEST_DOCUMENTS, max_features=MOST_FEATURES)
    regression = cast("Any", Ridge(alpha=ALPHA, solver="sparse_cg", tol=1e-9))
    regression.fit(vectorizer.fit_transform(_features(items)), [item.rating for item in items])
    return Fitted(vectorizer=vectorizer, regression=regression)


def _features(items: Sequence[Rated]) -> list[tuple[str, ...]]:
    return [item.features for item in items]


def _as_it_is(features: Sequence[str]) -> Sequence[str]:
    return features


def _within(value: float, scale: Scale) -> float:
    return min(scale.highest, max(scale.lowest, value))


def _warnings(reviews: int) -> tuple[str, ...]:
    if reviews >= ENOUGH_FOR_TAILS:
        return ()
    return (f"the widest gap of human reviews rests on {reviews} of them; below {ENOUGH_FOR_TAILS} it is uncertain",)


def _spearman(pairs: Sequence[tuple[float, float]]) -> float:
    first, second = (sorted(values) for values in zip(*pairs, strict=True))
    return correlation([percentile(one, first) for one, _ in pairs], [percentile(two, second) for _, two in pairs])


def _rounded(value: float) -> float:
    return float(f"{value:.{SIGNIFICANT}g}")
