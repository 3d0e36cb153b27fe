"""Whether a text is in English, the only language that the tables are fitted on."""

import re
from collections import Counter
from functools import lru_cache
from typing import Final

FEWEST_LETTERS: Final = 20
MOST_FOREIGN_LETTERS: Final = 0.3
FEWEST_HITS: Final = 4
_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_FUNCTION_WORDS: Final = {
    "English": "the of and to is that this it are with for not be but which as by from they was however paper",
    "German": "der die das und ist nicht mit ein eine von den dem zu auf sich auch werden wird des im es für aber sind",
    "French": "le la les et est une des du dans que qui pour pas sur avec ce sont cette par plus ne mais aux il au",
    "Spanish": "el la los las y es una de que en por con no para se del al lo como más pero este esta son su",
    "Portuguese": "o os as e é uma de que em por com não para se do da dos no na como mais mas este são um",
    "Italian": "il la gli e è una di che in per con non si del della dei nel come più ma questo sono un le lo al",
    "Dutch": "de het een en is van niet met zijn dat op te voor aan ook wordt maar deze die door bij als er om",
    "Polish": "i w nie na jest się z do że to jak ale są oraz przez dla od po który praca tego czy ma być",
    "Turkish": "ve bir bu için ile da de çok olarak daha gibi ancak değil olan ama ne kadar sonra her en",
}
_LANGUAGES_OF: Final = {
    word: tuple(name for name, listed in _FUNCTION_WORDS.items() if word in listed.split())
    for words in _FUNCTION_WORDS.values()
    for word in words.split()
}


@lru_cache(maxsize=256)  # several metrics ask about the same review and the same references
def other_language(text: str) -> str | None:
    """Return the language or script that a text is in where it is not English; None for English and for no language.

    Told by letters beyond the Latin alphabet (more than 30 % of them), else by function words: another language
    must have four or more, and twice as many as English has. Gibberish is in no language.

    >>> other_language("Die Arbeit ist gut, aber die Methode ist nicht neu und es fehlt ein Vergleich.")
    'German'
    >>> other_language("The paper is fine, but it is not new."), other_language("xqz wlop runtle")
    (None, None)
    >>> other_language("\u672c\u6587\u7684\u65b9\u6cd5\u5f88\u597d" * 9)
    'another script'
    """
    if not text.isascii() and _is_in_another_script(text):
        return "another script"
    hits = Counter(name for word in _WORD.findall(text.lower()) for name in _LANGUAGES_OF.get(word, ()))
    english = hits.pop("English", 0)
    if not hits:
        return None
    name, count = max(hits.items(), key=lambda item: (item[1], item[0]))
    return name if count >= FEWEST_HITS and count >= 2 * english else None


def _is_in_another_script(text: str) -> bool:
    letters = [character for character in text if character.isalpha()]
    foreign = sum(character > "\u024f" for character in letters)
    return len(letters) >= FEWEST_LETTERS and foreign > MOST_FOREIGN_LETTERS * len(letters)
