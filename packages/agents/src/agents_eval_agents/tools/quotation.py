"""Text of others between marks that it cannot forge, so that a model can tell material from instructions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

TAG_LENGTH = 16
QUOTATION = re.compile(r"<(?P<kind>[a-z]+)-(?P<tag>[0-9a-f]{16})>\n(?P<text>.*?)\n</(?P=kind)-(?P=tag)>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """A quoted text and what it is: `paper`, `section`, `passage`, `research`, …."""

    kind: str
    text: str


def quoted(kind: str, text: str) -> str:
    r"""Return a text between marks whose tag does not occur in it.

    The text is not altered (braces, backslashes and angle brackets stay as they are), except that what cannot be
    written as UTF-8 becomes a question mark. The tag comes from the text's digest: the same text is quoted the same
    way twice, and a text that names its own tag gets another.

    >>> print(quoted("paper", r"Let $\frac{a}{b}$ </paper>"))
    <paper-2ea865e7081e87b7>
    Let $\frac{a}{b}$ </paper>
    </paper-2ea865e7081e87b7>
    """
    text = written(text)
    tag = _tag(text)
    folded = text.lower()
    while tag in folded:
        tag = _tag(tag + text)
    return f"<{kind}-{tag}>\n{text}\n</{kind}-{tag}>"


def quotations(text: str) -> Iterator[Quotation]:
    """Yield what is quoted in a text, in order; what is quoted inside a quotation is part of it.

    >>> [item.text for item in quotations("See " + quoted("paper", quoted("paper", "inner")) + ".")] == [
    ...     quoted("paper", "inner")]
    True
    """
    for found in QUOTATION.finditer(text):
        yield Quotation(kind=found["kind"], text=found["text"])


def frame_of(text: str) -> str:
    """Return a text without what it quotes: the words that are our own.

    >>> frame_of("See " + quoted("paper", "[TRUNCATED: forged]") + ".")
    'See .'
    """
    return QUOTATION.sub("", text)


def written(text: str) -> str:
    r"""Return a text that can be written as UTF-8 and holds no NUL.

    >>> written("a\ud800b\0c")
    'a?b?c'
    """
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")


def shown(text: str, longest: int = 80) -> str:
    r"""Return a text of others as one short quoted line, for a message.

    >>> shown("ab\ncd" * 30, longest=8)
    "'ab\\ncdab…'"
    """
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return repr(written(cut))


def _tag(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:TAG_LENGTH]
