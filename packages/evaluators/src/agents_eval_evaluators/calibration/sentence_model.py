"""How much a sentence sounds like a review and not like a paper: a fitted linear model, applied without its library."""

from collections import Counter
from collections.abc import Sequence
from math import exp, fsum, log, sqrt

from agents_eval_core.frozen import Frozen


class SentenceModel(Frozen):
    """A logistic regression over TF-IDF weights of words, scaled to length 1.

    Attributes:
        bias: The constant term.
        words: For each word its IDF and its coefficient; other words are not seen.
    """

    bias: float
    words: dict[str, tuple[float, float]]

    def probability(self, sentence: Sequence[str]) -> float:
        """Return the probability that a sentence is a reviewer's.

        Equal to scikit-learn's `TfidfVectorizer(sublinear_tf=True)` and `LogisticRegression` that it was fitted by.

        >>> model = SentenceModel(bias=0.0, words={"we": (1.0, -2.0), "authors": (1.0, 2.0)})
        >>> model.probability(["we"]) < 0.5 < model.probability(["the", "authors"])
        True
        """
        known = [(self.words[word], count) for word, count in Counter(sentence).items() if word in self.words]
        weights = [idf if count == 1 else (1 + log(count)) * idf for (idf, _), count in known]
        length = sqrt(fsum([weight * weight for weight in weights])) or 1.0
        pairs = zip(known, weights, strict=True)
        score = self.bias + fsum([weight * signed for ((_, signed), _), weight in pairs]) / length
        return 1 / (1 + exp(-max(-500.0, min(500.0, score))))

    def review_likeness(self, sentences: Sequence[Sequence[str]]) -> float | None:
        """Return the mean probability over the sentences with three words or more; None without one."""
        values = [self.probability(sentence) for sentence in sentences if len(sentence) > 2]  # noqa: PLR2004  see above
        return fsum(values) / len(values) if values else None
