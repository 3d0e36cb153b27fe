"""Words by which a sentence shows that it criticises, gives a reason, or asks for something."""

import re
from typing import Final

_CRITICISM: Final = re.compile(
    r"\b(?:not|no|nor|never|lacks?|lacking|missing|absent|unclear|vague|weak\w*|limited|limitations?|insufficient\w*"
    r"|however|but|only|fails?|failed|hard to|difficult to|confus\w+|unconvinc\w+|questionable|concern\w*|problem\w*"
    r"|issues?|without|incremental|unfair|overclaim\w*|unsupported|omit\w*|ignor\w+|neglect\w*|too)\b|n't\b"
)
_REASON: Final = re.compile(
    r"\b(?:because|since|therefore|thus|hence|due to|so that|otherwise|for example|for instance|e\.g|i\.e|given that"
    r"|which means|which makes|as a result|in contrast|whereas|while|although|even though|compared (?:to|with)"
    r"|so it|so the|makes it|this means)\b|\d"
)
_REQUEST: Final = re.compile(
    r"\?|\b(?:please|should|could|would (?:like|be|help|strengthen|benefit)|suggest\w*|recommend\w*|needs? to"
    r"|consider|clarif\w+|provide|elaborate|must|ought to|(?:would|might|may) want to|missing a comparison)\b"
    r"|^(?:add|compare|report|include|discuss|explain|describe|test|show|state|justify|release|define|evaluate)\b"
)


def criticises(text: str) -> bool:
    """Whether a sentence finds fault.

    >>> criticises("The baselines are missing."), criticises("A fine paper.")
    (True, False)
    """
    return _CRITICISM.search(text.lower()) is not None


def gives_reason(text: str) -> bool:
    """Whether a sentence argues: with a connective, an example or a figure.

    >>> gives_reason("This is unfair because the budget differs."), gives_reason("This is unfair.")
    (True, False)
    """
    return _REASON.search(text.lower()) is not None


def asks(text: str) -> bool:
    """Whether a sentence asks or says what to do.

    >>> asks("Compare with dropout."), asks("It is compared with dropout.")
    (True, False)
    """
    return _REQUEST.search(text.lower()) is not None
