"""How near two texts are in meaning, as far as the vectors of their tokens tell."""

from dataclasses import dataclass
from functools import partial

from agents_eval_core.errors import UsageError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Tier
from agents_eval_evaluators.scoring import unmeasured
from agents_eval_evaluators.text.reference_scores import best_of_references
from agents_eval_evaluators.text.static_embeddings import SETTING, StaticEmbeddings, static_embeddings


def semantic_score(text: str, reference: str, model: StaticEmbeddings) -> float:
    """Return the cosine of the mean token vectors of two texts; 0 where it is negative or a text has no known token.

    It compares subjects, not judgements: "good" and "bad" lie near one another in most models.

    References:
        On ICLR 2017 reviews, embeddings tell two reviews of one paper from two of different papers no better than word
        weights do (AUC 0.951 against 0.961, a small transformer in a pilot); hence no weight and no default.
    """
    ours, theirs = model.vector(text), model.vector(reference)
    if ours is None or theirs is None:
        return 0.0
    return min(1.0, max(0.0, float(ours @ theirs)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticScore:
    """Scores a text by its best `semantic_score` with a reference, where the user has a model."""

    name: str = "semantic_score"
    version: str = "1"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("semantic_score",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Compare the output with each reference by the model that the settings name.

        Raises:
            SettingsError: The settings name a folder without a model.
        """
        if context.semantic_model is None:
            return unmeasured(self, "not_measured", f"no model compares texts by meaning; {SETTING} names its folder")
        try:
            model = static_embeddings(context.semantic_model)
        except UsageError as problem:
            if type(problem) is not UsageError:
                raise
            return unmeasured(self, "not_measured", str(problem))
        return best_of_references(self, run, partial(semantic_score, model=model))
