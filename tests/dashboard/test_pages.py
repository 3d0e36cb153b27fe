"""Each page in each of its states, drawn by Streamlit's own harness from real runs."""

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from streamlit.testing.v1 import AppTest

from agents_eval_core.data_root import DataRoot
from agents_eval_core.run import RunRecord
from agents_eval_core.run_list import RunFilter
from agents_eval_core.settings import load_settings
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.sweep import SweepPlan
from agents_eval_core.use_cases.run_list import list_runs
from agents_eval_core.use_cases.sweep import begin_sweep

Draw = Callable[..., AppTest]
FULL = "manager+researcher+analyst+synthesizer"
PAGES = ("home", "review", "runs", "run", "trace", "graph", "compare", "sweeps", "metrics", "settings")
pytestmark = pytest.mark.filterwarnings("default")


def words(page: AppTest) -> str:
    """Return all that a page says, without the backslashes that keep text of others from being markup."""
    return "\n".join(_said(page)).replace("\\", "")


def _said(page: AppTest) -> Iterator[str]:
    assert not page.exception, [problem.message for problem in page.exception]
    for kind in (page.title, page.header, page.subheader, page.text, page.markdown, page.caption, page.html):
        yield from (str(element.value) for element in kind)
    for kind in (page.info, page.warning, page.error, page.success):
        yield from (str(element.value) for element in kind)
    for table in (*page.table, *page.dataframe):
        yield cast("Any", table.value).to_csv()
    yield from (str(link.label) for link in page.page_link)


def newest(home: Path, paper: str = "dialect-tags") -> RunRecord:
    return list_runs(DataRoot(path=home), RunFilter(having={"paper": paper})).records[0]


@pytest.mark.parametrize("page", PAGES)
def test_without_any_run_each_page_says_what_to_do(page: str, draw: Draw) -> None:
    said = words(draw(page))
    expected = {
        "review": "the floor that one must beat",
        "compare": "Name two sets of runs",
        "metrics": "in the composite",
        "settings": "JUDGE_REPEATS",
        "sweeps": "agents-eval sweep",
    }
    assert expected.get(page, "agents-eval quickstart") in said
    assert not Path("_Agents-eval").exists()


def test_home_says_what_will_not_be_measured_as_things_are_set(
    home: Path, draw: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = words(draw("home"))
    assert "planning_rationality and all of tier 2 will not be measured" in said
    assert "All 5 runs" in said
    monkeypatch.setenv("AGENTS_EVAL_PROVIDER", "openai")
    assert "openai cannot be used now" in words(draw("home"))


def test_runs_are_filtered_by_the_address_and_searched(home: Path, draw: Draw) -> None:
    assert "5 runs" in words(draw("runs"))
    page = draw("runs", composition="manager")
    assert "2 runs match" in words(page)
    page.text_input(key="words").set_value("nobody has this word").run()
    assert "No run matches" in words(page)


def test_a_metric_over_time_says_over_how_many_runs_and_in_what_they_differ(home: Path, draw: Draw) -> None:
    page = draw("runs")
    assert "composite of 5 of the newest 5 runs" in words(page)
    assert "These runs differ in composition and paper" in words(page)
    page.selectbox(key="trend").set_value("planning_rationality").run()
    assert "none has a value of planning_rationality" in words(page)


def test_a_run_shows_what_was_not_measured_and_why(home: Path, draw: Draw) -> None:
    said = words(draw("run", id=newest(home).id))
    assert "no judge configured" in said
    assert "between" in said
    assert "What came out, beside the human reviews" in said
    assert "unknown is not zero" in said
    assert "left out" in said


def test_a_run_whose_directory_is_gone_says_so_in_one_sentence(home: Path, draw: Draw) -> None:
    record = newest(home)
    shutil.rmtree(home / record.directory)
    page = draw("run", id=record.id)
    assert len(page.error) == 1
    assert "its directory" in words(page)
    assert "doctor" in words(page)


def test_a_run_that_does_not_exist_leads_to_those_that_do(home: Path, draw: Draw) -> None:
    page = draw("run", id="no-such-run")
    assert "no run answers to 'no-such-run'" in words(page)
    assert "All runs there are" in words(page)


def test_a_half_failed_run_shows_what_is_left_of_it(home: Path, draw: Draw) -> None:
    record = newest(home)
    folder = home / record.directory
    content = json.loads((folder / "run.json").read_text())
    inner = content.get("run", content)
    inner.update(status="failed", problem={"error_type": "ModelTimeoutError", "message": "it took too long"})
    (folder / "run.json").write_text(json.dumps(content))
    (folder / "scorecard.json").unlink()
    (folder / "trace.otlp.jsonl").write_text('{"resourceSpans": [')
    said = words(draw("run", id=record.id))
    assert "ModelTimeoutError: it took too long" in said
    assert "gets no scorecard by itself" in said
    assert "What came out" in said


def test_a_huge_trace_is_refused_with_the_command_that_reads_it(
    home: Path, draw: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = newest(home)
    file = home / record.directory / "trace.otlp.jsonl"
    with file.open("ab") as huge:
        huge.truncate(2**30)  # sparse: it takes no room
    page = draw("trace", id=record.id)
    assert "1,024 MB" in words(page)
    assert "agents-eval trace stats" in words(page)
    assert "Its trace cannot be shown" in words(draw("run", id=record.id))


@pytest.mark.parametrize("page", ["home", "runs", "run", "trace", "graph"])
def test_a_store_of_a_newer_version_is_one_message_with_what_to_do(home: Path, draw: Draw, page: str) -> None:
    with sqlite3.connect(home / "agents-eval.db") as store:
        store.execute("insert into migrations values ('9999_from_the_future', '2030-01-01')")
    drawn = draw(page)
    assert len(drawn.error) == 1
    assert "newer version of Agents-eval" in words(drawn)
    assert "upgrade" in words(drawn)


HOLDING = """
import sqlite3, sys
store = sqlite3.connect(sys.argv[1], isolation_level=None)
store.execute("pragma locking_mode = exclusive")
store.execute("begin exclusive")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def locked(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a data root whose store another process holds for itself; that is waited for only shortly."""
    monkeypatch.setattr("agents_eval_core.store.sqlite.BUSY_SECONDS", 0.2)
    command = [sys.executable, "-c", HOLDING, str(home / "agents-eval.db")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield home
        holder.communicate(timeout=20)


@pytest.mark.parametrize("page", ["home", "runs", "run", "compare"])
def test_a_store_that_another_process_holds_is_one_message_with_what_to_do(locked: Path, draw: Draw, page: str) -> None:
    assert locked.is_dir()
    drawn = draw(page, a="night:manager", b="night:manager+researcher")
    assert len(drawn.error) == 1
    assert "another process has been writing to it" in words(drawn)
    assert "try again when it is done" in words(drawn)


def test_a_store_that_is_no_database_is_one_message_with_what_to_do(home: Path, draw: Draw) -> None:
    for file in home.glob("agents-eval.db*"):
        file.unlink()
    (home / "agents-eval.db").write_bytes(b"no database" * 1000)
    page = draw("runs")
    assert "it is no SQLite file" in words(page)
    assert len(page.error) == 1


def test_a_trace_is_filtered_and_a_step_shows_what_went_in_and_came_out(home: Path, draw: Draw) -> None:
    record = newest(home)
    run = RunDirectory.open(home / record.directory).read_run()
    assert run.trace is not None
    call = next(span for span in run.trace.spans if span.tool and span.tool.name == "read_section")
    page = draw("trace", id=record.id, span=call.id)
    assert call.tool is not None
    assert any(str(call.tool.result)[:40] in block.value for block in page.code)
    assert "read_section" in words(page)
    page.multiselect[1].set_value(["read_section"]).run()
    shown = cast("Any", page.dataframe[0].value)
    assert shown["step"].str.contains("read_section").all()
    page.multiselect[2].set_value(["error"]).run()
    assert "No step is left" in words(page)


def test_a_trace_file_of_ones_own_is_opened_by_its_path(home: Path, draw: Draw) -> None:
    file = home / newest(home).directory / "trace.otlp.jsonl"
    assert "otlp" in words(draw("trace", file=str(file)))
    assert "nothing.jsonl" in words(draw("trace", file="nothing.jsonl"))


def test_a_trace_of_others_is_evaluated_for_the_page_and_nothing_of_it_is_kept(
    home: Path, tmp_path: Path, draw: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_TIER2_PROVIDER", "openai")
    kept = home / newest(home).directory
    before = {file: file.stat().st_mtime_ns for file in home.rglob("*") if file.is_file()}
    file = shutil.copy(kept / "trace.otlp.jsonl", tmp_path / "theirs.jsonl")
    page = draw("run", file=str(file))
    said = words(page)
    assert "nothing of it is kept" in said
    assert "tier 2 was not asked for" in said
    assert not [link for link in page.page_link if link.label == "Compare with another"]
    assert "gives work to researcher once" in words(draw("graph", file=str(file)))
    assert "The three tiers" in words(draw("run", file=str(kept)))  # a run of ours, by its path
    assert {file: file.stat().st_mtime_ns for file in home.rglob("*") if file.is_file()} == before


def test_a_graph_is_stepped_through_and_told_in_words(home: Path, draw: Draw) -> None:
    page = draw("graph", id=newest(home).id)
    assert "manager gives work to researcher once" in words(page)
    page.slider[0].set_value(1).run()
    assert "Step 1 of" in words(page)
    assert "manager gives work to researcher" in page.html[0].value


def test_a_comparison_says_its_conclusion_and_what_would_settle_it(home: Path, draw: Draw) -> None:
    page = draw("compare", a="night:manager", b="night:manager+researcher")
    said = words(page)
    assert "not enough data" in said
    assert "2 papers cannot decide" in said
    assert "papers needed" in said
    assert "Paper by paper, regressions first" in said
    assert "n = 2 runs" in said


def test_many_pairs_are_told_at_a_glance_and_drawn_one_at_a_time(tmp_path: Path, draw: Draw) -> None:
    settings = load_settings(None, environment={})
    compositions = ("manager", "manager+analyst", "manager+researcher", FULL)
    plan = SweepPlan(name="dusk", dataset="sample", papers=1, compositions=compositions, scheduler="asyncio")
    asyncio.run(begin_sweep(plan, settings=settings))
    page = draw("compare", a="dusk:*", pair="6")
    said = words(page)
    assert "Of 6 pairs: 6 not enough data" in said
    drawn = [heading.value for heading in page.header if " against " in heading.value.replace("\\", "")]
    assert len(drawn) == 2 + 1  # each against each, cost against quality, and one pair
    assert "full against manager" in drawn[1]
    swept = words(draw("sweeps", name="dusk"))
    assert "Of 6 pairs: 6 not enough data" in swept
    assert FULL not in swept  # it has one name


def test_a_comparison_of_what_is_not_there_says_so(home: Path, draw: Draw) -> None:
    assert "nosuch" in words(draw("compare", a="night:manager", b="composition=nosuch"))
    assert "runs in common" in words(draw("compare", a="night", b="night:manager"))


def test_a_sweep_shows_its_progress_cells_and_systems(home: Path, draw: Draw) -> None:
    said = words(draw("sweeps", name="night"))
    assert "4 cells: 4 done" in said
    assert "n = 2 papers of sample, 2 systems" in said
    assert "composite of 4 of 4 cells" in said
    assert "no sweep named 'day'" in words(draw("sweeps", name="day"))


def test_every_metric_stands_in_the_catalogue_with_its_figure_or_that_there_is_none(draw: Draw) -> None:
    said = words(draw("metrics", name="output_similarity"))
    assert "output_similarity (in the composite)" in said
    assert "none published" in said
    assert "known answers" in said


def test_settings_tell_their_source_and_an_edit_holds_for_this_session_until_reset(
    draw: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_REPEATS", "3")
    page = draw("settings")
    assert ",JUDGE_REPEATS,3,the environment," in words(page)
    page.selectbox(key="edited setting").set_value("JUDGE_REPEATS").run()
    page.text_input(key="edited value").set_value("4").run()
    next(button for button in page.button if button.label == "Use it").click().run()
    assert ",JUDGE_REPEATS,4,this browser session," in words(page)
    assert ",JUDGE_REPEATS,3,the environment," in words(draw("settings"))
    next(button for button in page.button if button.label == "Reset all of them").click().run()
    assert ",JUDGE_REPEATS,3,the environment," in words(page)


def test_a_value_that_does_not_fit_is_refused(draw: Draw) -> None:
    page = draw("settings")
    page.selectbox(key="edited setting").set_value("JUDGE_REPEATS").run()
    page.text_input(key="edited value").set_value("often").run()
    next(button for button in page.button if button.label == "Use it").click().run()
    assert "JUDGE_REPEATS" in page.error[0].value.replace("\\", "")


def test_no_key_is_ever_shown(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-a-key-that-must-not-be-seen")
    page = draw("settings")
    next(button for button in page.button if button.label == "Look at all providers").click().run()
    said = words(page)
    assert "openai,can be used" in said
    assert "must-not-be-seen" not in said
    next(button for button in page.button if button.label == "Ask the judge").click().run()
    assert "no judge configured" in words(page)


def test_a_prompt_is_edited_as_a_copy_and_its_difference_is_shown(
    draw: Draw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENTS_EVAL_HOME", str(tmp_path / "root"))
    page = draw("settings")
    page.text_area[0].set_value("Say what you see.").run()
    assert "+Say what you see." in page.code[0].value
    page.button(key="prompts keep").click().run()
    assert "The shipped text is as it was" in words(page)
    assert (tmp_path / "root/prompts/prompts/own/analyst.md").read_text() == "Say what you see."
    assert "own" in draw("review").selectbox(key="prompts").options
