"""How the Reader words a fact, so that the Assessor can take the words apart again.

A `ResearchSummary` is passed on as plain text fields, as it would be by a language model. One pattern serves for all.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_agents.providers.extractive.lines import ABSTRACT
from agents_eval_agents.review_team.outputs import Fact, FactKind

ONLY_ABSTRACT: Final = "all sections: only the abstract was given"
STATED, FOUND, ABSENT = "Stated", "Looked for and found", "Looked for in vain"
_KINDS: Final[Mapping[str, FactKind]] = {STATED: "claim", FOUND: "measurement", ABSENT: "missing"}
_PATTERN = re.compile(
    rf"(?P<status>{STATED}|{FOUND}|{ABSENT}): (?P<topic>[^(;]+?)(?: \((?P<names>[^()]+)\))?(?:; near (?P<near>.+))?\."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that was read in a paper, or looked for in it.

    Attributes:
        status: `STATED`, `FOUND` or `ABSENT`.
        topic: What it is about, as a check names it.
        names: What was found, by its names or labels.
        near: The paper's own phrases that stand near it.
        anchor: Where it stands or, when absent, where it would belong.
        quote: The words that show it.
    """

    status: str
    topic: str
    names: Sequence[str] = ()
    near: Sequence[str] = ()
    anchor: str = ABSTRACT
    quote: str = ""

    def fact(self) -> Fact:
        """Return it as a fact.

        >>> Finding(status=STATED, topic="data", names=["MNIST", "SVHN"], near=["web text"]).fact().text
        'Stated: data (MNIST and SVHN); near web text.'
        """
        names = f" ({enumerate_names(self.names)})" if self.names else ""
        near = f"; near {enumerate_names(self.near)}" if self.near else ""
        text = f"{self.status}: {self.topic}{names}{near}."
        return Fact(kind=_KINDS[self.status], text=text, anchor=self.anchor, quote=self.quote)


def read_facts(facts: Iterable[Fact]) -> Iterator[Finding]:
    """Yield the findings that facts were worded from; facts in other words are left alone.

    >>> finding = Finding(status=ABSENT, topic="an ablation", near=("trees", "web text"))
    >>> next(read_facts([finding.fact()])) == finding
    True
    """
    for fact in facts:
        found = _PATTERN.fullmatch(fact.text)
        if found:
            yield Finding(
                status=found["status"],
                topic=found["topic"],
                names=_names(found["names"]),
                near=_names(found["near"]),
                anchor=fact.anchor or ABSTRACT,
                quote=fact.quote,
            )


def enumerate_names(names: Sequence[str]) -> str:
    """Return names as one readable enumeration.

    >>> enumerate_names(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(name for name in re.split(r", | and ", text or "") if name)
