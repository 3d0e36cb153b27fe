"""What a search may not bring: the paper's own reviews, which the agents' review is held against."""

import re
from typing import Final

from agents_eval_agents.reading.rarity import words
from agents_eval_agents.tools.web_results import WebResult
from agents_eval_core.paper import Paper

FORUMS: Final = (
    "openreview.net",
    "publons.com",
    "pubpeer.com",
    "prereview.org",
    "scirate.com",
    "papercopilot.com",
    "alphaxiv.org",
    "paperreview.ai",
    "reviewer2.com",
)
KEEPERS_OF_REVIEWS: Final = re.compile(
    r"peerread|openreview|reviews?-dataset|papers\.n(eur)?ips\.cc/.*review|proceedings\.n(eur)?ips\.cc/.*review",
    re.IGNORECASE,
)
ABOUT_REVIEWS: Final = re.compile(
    r"\b(meta.?)?(reviews?|reviewed|reviewers?|rebuttals?|decisions?|ratings?|area chairs?|accepted|rejected)\b",
    re.IGNORECASE,
)
SHARE_OF_TITLE: Final = 0.7
SHORTEST_TITLE: Final = 3


def asks_for_reviews(query: str, paper: Paper) -> bool:
    """Whether a query looks for reviews of this paper: a forum of reviews, or its title and a word about reviewing.

    >>> paper = Paper(id="1", dataset="d", title="Spectral Cuts for Graph Pooling", abstract="A.")
    >>> asks_for_reviews("spectral cuts graph pooling reviews", paper), asks_for_reviews("review of pooling", paper)
    (True, False)
    """
    if KEEPERS_OF_REVIEWS.search(query) or any(forum in query.lower() for forum in FORUMS):
        return True
    return bool(ABOUT_REVIEWS.search(_without_title(query, paper))) and names_paper(query, paper)


def forbidden_because(hit: WebResult, paper: Paper) -> str | None:
    """Return why a hit is withheld, or None.

    >>> paper = Paper(id="1", dataset="d", title="Spectral Cuts for Graph Pooling", abstract="A.")
    >>> forbidden_because(WebResult(url="https://openreview.net/forum?id=x", title="T", text=""), paper)
    'openreview.net is a forum of reviews'
    """
    for forum in FORUMS:
        if hit.host == forum or hit.host.endswith(f".{forum}"):
            return f"{forum} is a forum of reviews"
    if KEEPERS_OF_REVIEWS.search(hit.url):
        return f"{hit.host} keeps reviews there"
    said = f"{hit.title} {hit.text}"
    if names_paper(said, paper) and ABOUT_REVIEWS.search(_without_title(said, paper)):
        return f"{hit.host} speaks of reviews of this paper"
    return None


def names_paper(text: str, paper: Paper) -> bool:
    """Whether a text has most words of the paper's title, in any order; titles below three words must stand whole."""
    title = words(paper.title)
    said = set(words(text))
    if len(title) < SHORTEST_TITLE:
        return bool(title) and " ".join(title) in " ".join(words(text))
    return sum(word in said for word in title) >= SHARE_OF_TITLE * len(title)


def _without_title(text: str, paper: Paper) -> str:
    """Return a text without the title's own words: a paper may be about reviews."""
    title = set(words(paper.title))
    return " ".join(word for word in words(text) if word not in title)
