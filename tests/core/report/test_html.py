"""The page of a run: whole, without script or outside request, whatever the texts in it try."""

from html.parser import HTMLParser

from agents_eval_core.report.html import HtmlView
from agents_eval_core.report.markdown import MarkdownView
from agents_eval_core.run import Run
from agents_eval_core.score import Scorecard

MAY_LOAD = {"src", "href", "srcset", "action", "poster", "data", "background", "xlink:href"}
VOID = {"meta", "br", "link", "img", "input", "hr"}


class Page(HTMLParser):
    """Gathers tags, attributes that could load something, and the words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str | None] = []
        self.open: list[str] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [value for name, value in attrs if name in MAY_LOAD or name.startswith("on")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        self.words += data


def test_hostile_texts_stay_text_and_nothing_is_loaded(run: Run, scorecard: Scorecard) -> None:
    page = Page(HtmlView().render(run, scorecard))
    assert page.open == []
    assert not {"script", "img", "iframe", "link", "object", "form"} & set(page.tags)
    assert page.loads == ["#main"]
    assert page.words.count("<script>alert(1)</script>") >= 5


def test_the_page_says_what_was_not_measured_and_why(run: Run, scorecard: Scorecard) -> None:
    words = " ".join(Page(HtmlView().render(run, scorecard)).words.split())
    assert "not measured" in words
    assert "no judge configured" in words
    assert "composite 0.60, 75% of the evidence, between 0.45 and 0.70" in words


def test_bars_say_in_words_what_they_draw(run: Run, scorecard: Scorecard) -> None:
    page = HtmlView().render(run, scorecard)
    assert 'aria-label="output_similarity 0.20; the middle half of 90 human reviews of iclr_2017 lies between' in page
    assert 'aria-label="tool_efficiency 0.50, no human scale"' in page


def test_both_reports_show_the_same_suggestions_and_tokens(run: Run, scorecard: Scorecard) -> None:
    page, text = HtmlView().render(run, scorecard), MarkdownView().render(run, scorecard)
    for shown in (page, text):
        assert "Have each point made once." in shown
        assert "a missed point" in shown
        assert "120" in shown


def test_a_run_without_trace_or_scores_has_a_page(run: Run) -> None:
    bare = Scorecard(run_id="r", scores=(), composite=None, coverage=0, bounds=None, verdict=None, verdict_range=None)
    page = Page(HtmlView().render(run.changed(trace=None, output=None), bare))
    assert page.open == []
    assert "nothing was measured" in page.words
