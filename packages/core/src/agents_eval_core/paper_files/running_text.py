"""Running text put together from printed lines: divided words joined, control characters left out."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

SOFT_HYPHEN: Final = "\u00ad"
WORD: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
DIVIDED: Final = re.compile(r"([^\W\d_]{2,40})[-\u00ad]$")
LONGEST_PART: Final = 48
REST: Final = re.compile(r"[^\W\d_]{1,40}(?:-[^\W\d_]{1,40}){0,4}")
LIGATURES: Final = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st"})


def cleaned(text: str) -> str:
    r"""Return a text with line ends as newlines, ligatures as letters, and no control or hidden characters.

    >>> cleaned("a\x00 de\ufb01ned\u200b word\r\nb")
    'a defined word\nb'
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n").replace("\u2028", "\n")
    text = text.translate(LIGATURES)
    kept = (letter for letter in text if letter in "\n\t" or letter == SOFT_HYPHEN or _shows(letter))
    return "".join(kept)


def _shows(letter: str) -> bool:
    return letter.isprintable() or letter.isspace()


class Vocabulary:
    """The words of a text as they are written within its lines: what decides how a divided word is joined."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._counts = Counter(word.casefold() for line in lines for word in WORD.findall(line))

    def joined(self, first: str, second: str) -> str:
        """Return the two parts of a divided word as one; the hyphen stays where the text writes the word with it.

        >>> words = Vocabulary(["a well-known word", "information"])
        >>> words.joined("well", "known"), words.joined("infor", "mation"), words.joined("Pear", "Son")
        ('well-known', 'information', 'Pear-Son')
        """
        with_hyphen, without = f"{first}-{second}", f"{first}{second}"
        more_often = self._counts[with_hyphen.casefold()] - self._counts[without.casefold()]
        if more_often == 0:
            is_compound = "-" in second and not self._counts[f"{first}{second.partition('-')[0]}".casefold()]
            return with_hyphen if second[:1].isupper() or is_compound else without
        return with_hyphen if more_often > 0 else without


def joined_lines(lines: Sequence[str], vocabulary: Vocabulary) -> str:
    r"""Return lines as running text.

    >>> joined_lines(["We show infor-", "mation and", "more."], Vocabulary([]))
    'We show information and more.'
    """
    parts: list[str] = []  # the last line is kept apart, so that the time stays linear however many are joined
    last = ""
    for line in lines:
        text = line.strip()
        divided = DIVIDED.search(last, max(0, len(last) - LONGEST_PART))
        rest = REST.match(text)
        if divided and rest:
            parts.append(last[: divided.start()])
            last = vocabulary.joined(divided[1], rest[0]) + text[rest.end() :]
        elif text and last.endswith(("-", SOFT_HYPHEN)):
            parts.append(last.rstrip(SOFT_HYPHEN + "-") + "-")
            last = text
        elif text:
            parts += [last, " "] if last else []
            last = text
    return "".join((*parts, last)).replace(SOFT_HYPHEN, "")
