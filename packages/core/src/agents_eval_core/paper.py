"""A scientific paper as the agents may see it: without its reviews, scores and decision."""

from functools import lru_cache
from typing import Literal

from agents_eval_core.frozen import Frozen

TextSource = Literal["parsed_json", "pdf", "markdown", "latex", "text", "abstract", "sample"]


class Section(Frozen):
    """A part of a paper; the heading is empty where the source had none."""

    heading: str
    text: str


class Paper(Frozen):
    """A paper's own words.

    Attributes:
        id: Its identity within the dataset.
        venue: Where it was submitted, as the dataset names it (`iclr_2017`); empty for a user's own file.
        text_source: What the text was read from; `abstract` means that the full text was not available.
        notes: What a reader should know of the reading, such as pages that could not be read.
    """

    id: str
    dataset: str
    venue: str = ""
    title: str
    abstract: str = ""
    authors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    text_source: TextSource = "abstract"
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        r"""Title, abstract and sections as one text.

        >>> Paper(id="1", dataset="d", title="T", abstract="A.", sections=(Section(heading="1 Intro", text="B."),)).text
        'T\n\nA.\n\n1 Intro\n\nB.'
        """
        return _joined(self.title, self.abstract, self.sections)


@lru_cache(maxsize=32)  # dozens of questions are asked of the text of one paper
def _joined(title: str, abstract: str, sections: tuple[Section, ...]) -> str:
    parts = [title, abstract]
    for section in sections:
        parts += [section.heading, section.text]
    return "\n\n".join(part for part in parts if part.strip())
