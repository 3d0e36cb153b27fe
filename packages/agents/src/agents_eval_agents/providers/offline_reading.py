"""How the offline baseline reads a paper through the paper tools: look, search, read, and sum up."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from agents_eval_agents.providers.extractive.reader import read_paper
from agents_eval_agents.providers.offline_conversation import Conversation, Exchange
from agents_eval_agents.review_team.outputs import ResearchSummary
from agents_eval_agents.tools.quotation import frame_of, quotations

SEARCHES: Final = ("limitations failure cases future work", "baseline comparison ablation results table")
MOST_PAGES: Final = 60
PAGES_AT_ONCE: Final = 6
MOST_LISTS: Final = 4
MOST_NAMED: Final = 40
LISTED: Final = re.compile(r"^(?P<number>[0-9]+)\. (?P<heading>.*) \([0-9]+ characters\)$", re.MULTILINE)
PAGE: Final = re.compile(r"^Section (?P<number>[0-9]+) of [0-9]+, characters (?P<start>[0-9]+) to (?P<end>[0-9]+) of ")
PASSAGE_OF: Final = re.compile(r"^Section (?P<number>[0-9]+), from character ", re.MULTILINE)
MORE: Final = re.compile(r"^\[TRUNCATED: .*[ (]start=(?P<start>[0-9]+)\)\]$", re.MULTILINE)
ABSTRACT: Final = re.compile(r"^Abstract: (?P<abstract>.*)\Z", re.MULTILINE | re.DOTALL)
TITLE: Final = re.compile(r"^Title: (?P<title>.*)$", re.MULTILINE)

Call = tuple[str, dict[str, Any]]


@dataclass(slots=True, kw_only=True)
class Reading:
    """What has been seen of a paper so far.

    Attributes:
        headings: The listed sections by number.
        pages: The text of each section that was read, by number.
        asked: The pages that were asked for, as section and start.
        more: The next pages of sections that go on.
        found: The sections that a search found.
    """

    title: str = ""
    abstract: str = ""
    headings: dict[int, str] = field(default_factory=dict[int, str])
    pages: dict[int, str] = field(default_factory=dict[int, str])
    asked: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    more: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    found: list[int] = field(default_factory=list[int])

    def wanted(self) -> list[tuple[int, int]]:
        """The pages still to read, as many as may be; where not all can, sections that a search found go first."""
        pages = [*self.more, *((number, 0) for number in self.headings)]
        open_pages = [page for page in dict.fromkeys(pages) if page not in self.asked]
        room = max(0, MOST_PAGES - len(self.asked))
        if len(open_pages) > room:
            open_pages.sort(key=lambda page: page[0] not in self.found)
        return sorted(open_pages[:room])

    def summary(self) -> ResearchSummary:
        """What was read, summed up; sections that were not read, or not to their end, are named."""
        sections = [(_anchor(self.headings[number]), self.pages[number]) for number in sorted(self.pages)]
        summary = read_paper(self.title, self.abstract, sections)
        return summary.model_copy(update={"unread": [*summary.unread, *self._unread()]})

    def _unread(self) -> list[str]:
        cut = {number for number, start in self.more if (number, start) not in self.asked}
        unread = [heading for number, heading in self.headings.items() if number not in self.pages or number in cut]
        rest = len(unread) - MOST_NAMED
        return [*unread[:MOST_NAMED], f"and {rest} more sections"] if rest > 0 else unread


def next_reading_calls(talk: Conversation) -> list[Call]:
    """Return the next calls of the paper tools, or nothing when all is read that will be."""
    if not talk.called("paper_metadata"):
        return [("paper_metadata", {}), ("list_sections", {})]
    lists = tuple(talk.calls("list_sections"))
    if 0 < len(lists) < MOST_LISTS and (more := MORE.search(frame_of(lists[-1].text))):
        return [("list_sections", {"start": int(more["start"])})]
    reading = reading_of(talk)
    if not reading.headings:
        return []
    if not talk.called("search_paper"):
        return [("search_paper", {"query": query}) for query in SEARCHES]
    return [_read_call(number, start) for number, start in reading.wanted()[:PAGES_AT_ONCE]]


def reading_of(talk: Conversation) -> Reading:
    """Return what a conversation shows of its paper; the task itself may quote title and abstract."""
    reading = Reading()
    quoted = [item.text for item in talk.quoted("paper")]
    quoted += [text for exchange in talk.calls("paper_metadata") for text in _quoted(exchange, "paper")]
    for text in quoted:
        reading.title = _first(TITLE, text, "title")
        reading.abstract = _first(ABSTRACT, text, "abstract")
    for exchange in talk.calls("list_sections"):
        for text in _quoted(exchange, "sections"):
            reading.headings.update({int(found["number"]): found["heading"] for found in LISTED.finditer(text)})
    for exchange in talk.calls("search_paper"):
        reading.found += [int(found["number"]) for found in PASSAGE_OF.finditer(frame_of(exchange.text))]
    for exchange in talk.calls("read_section"):
        _take_page(reading, exchange)
    return reading


def _take_page(reading: Reading, exchange: Exchange) -> None:
    number, start = int(exchange.arguments["section"]), int(exchange.arguments.get("start", 0))
    reading.asked.add((number, start))
    found = PAGE.match(exchange.text)
    for text in _quoted(exchange, "section") if found else ():
        _, _, page = text.partition("\n\n")
        reading.pages[number] = reading.pages.get(number, "") + page
    if found and (more := MORE.search(frame_of(exchange.text))):
        reading.more.append((number, int(more["start"])))


def _read_call(number: int, start: int) -> Call:
    return "read_section", {"section": number, "start": start} if start else {"section": number}


def _anchor(heading: str) -> str:
    return "" if heading == "(no heading)" else heading


def _quoted(exchange: Exchange, kind: str) -> Iterator[str]:
    return (item.text for item in quotations(exchange.text) if item.kind == kind)


def _first(pattern: re.Pattern[str], text: str, group: str) -> str:
    found = pattern.search(text)
    return found[group] if found else ""
