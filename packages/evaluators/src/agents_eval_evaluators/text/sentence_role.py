"""What a sentence of a review does: ask, criticise, praise, or none of these."""

from typing import Literal

from agents_eval_evaluators.text.cues import asks, criticises
from agents_eval_evaluators.text.point_opening import praises

SentenceRole = Literal["request", "weakness", "strength", "other"]


def sentence_role(sentence: str) -> SentenceRole:
    """Return what a sentence does, by the word lists that points are told by; asking goes before criticising.

    References:
        Held against the labels of DISAPERE (ICLR 2019 and 2020): see `agents-eval validate sentence_roles`.

    >>> [sentence_role(said) for said in ("Please add X.", "No baseline.", "It is novel.", "They train.")]
    ['request', 'weakness', 'strength', 'other']
    """
    if asks(sentence):
        return "request"
    if criticises(sentence):
        return "weakness"
    return "strength" if praises(sentence) else "other"
