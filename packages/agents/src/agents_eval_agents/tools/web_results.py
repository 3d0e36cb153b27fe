"""What search engines answer: DuckDuckGo's page without scripts, and Tavily's JSON."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Annotated, Final
from urllib.parse import parse_qs, urlsplit

from pydantic import BaseModel, Field, ValidationError

from agents_eval_core.errors import NetworkError

RESULT_LINK: Final = "result__a"
RESULT_TEXT: Final = "result__snippet"
NO_RESULTS: Final = "no-results"
REDIRECT_PATH: Final = "/l/"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebResult:
    """One hit: where it is, its title, and the words around what was searched for."""

    url: str
    title: str
    text: str

    @property
    def host(self) -> str:
        """The host's name in lower case, "" where the address has none."""
        try:
            return (urlsplit(self.url).hostname or "").lower()
        except ValueError:
            return ""


def duckduckgo_results(page: str) -> list[WebResult]:
    """Return the hits on a page of DuckDuckGo's search without scripts.

    Raises:
        NetworkError: It is no page of results: it asks whether a person searches, or has changed.

    >>> [hit.url for hit in duckduckgo_results('<a class="result__a" href="https://a.test/x">T <b>b</b></a>')]
    ['https://a.test/x']
    """
    reader = _ResultPage()
    reader.feed(page)
    reader.close()
    if not reader.links and not reader.says_none:
        raise NetworkError("DuckDuckGo gave no page of results (it may take this machine for a robot)")
    texts = [*reader.texts, *[""] * len(reader.links)]
    return [
        WebResult(url=_target(url), title=" ".join(title.split()), text=" ".join(text.split()))
        for (url, title), text in zip(reader.links, texts, strict=False)
    ]


def tavily_results(body: bytes) -> list[WebResult]:
    """Return the hits in an answer of Tavily.

    Raises:
        NetworkError: It is no such answer.

    >>> tavily_results(b'{"results": [{"url": "https://a.test", "title": "T", "content": "C"}]}')[0].text
    'C'
    """
    try:
        answer = _TavilyAnswer.model_validate_json(body)
    except ValidationError as problem:
        raise NetworkError("Tavily gave something else than results") from problem
    return [WebResult(url=each.url, title=each.title, text=each.content) for each in answer.results]


class _TavilyResult(BaseModel):
    url: str
    title: str = ""
    content: str = ""


class _TavilyAnswer(BaseModel):
    results: Annotated[list[_TavilyResult], Field(max_length=100)]


class _ResultPage(HTMLParser):
    """Gathers links and the texts below them, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.says_none = False
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a link or a text of a hit."""
        known = {name: value or "" for name, value in attrs}
        classes = known.get("class", "").split()
        self.says_none = self.says_none or NO_RESULTS in classes
        if tag == "a" and RESULT_LINK in classes:
            self.links.append((known.get("href", ""), ""))
            self._open = RESULT_LINK
        elif RESULT_TEXT in classes:
            missing = len(self.links) - 1 - len(self.texts)
            self.texts += [""] * max(missing, 0)
            self.texts.append("")
            self._open = RESULT_TEXT

    def handle_endtag(self, tag: str) -> None:
        """End what is open with its link."""
        if tag in {"a", "div", "td"}:
            self._open = ""

    def handle_data(self, data: str) -> None:
        """Add words to what is open."""
        if self._open == RESULT_LINK:
            url, title = self.links[-1]
            self.links[-1] = (url, title + data)
        elif self._open == RESULT_TEXT and self.texts:
            self.texts[-1] += data


def _target(url: str) -> str:
    """Return where a link of the page leads: DuckDuckGo's own links name it in their query."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    if parts.path == REDIRECT_PATH and (named := parse_qs(parts.query).get("uddg")):
        return named[0]
    return f"https:{url}" if url.startswith("//") else url


def shown_results(results: Iterable[WebResult], longest: int) -> Iterator[str]:
    """Yield each hit as lines of text, its words cut to a length."""
    for each in results:
        yield f"{each.title[:200]}\n{each.url[:300]}\n{each.text[:longest]}"
