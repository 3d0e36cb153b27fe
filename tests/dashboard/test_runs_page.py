"""The page of runs, drawn by Streamlit's own test harness from real runs."""

from pathlib import Path
from typing import Any, cast

import pytest
from streamlit.testing.v1 import AppTest

import agents_eval_dashboard
from agents_eval import run_review_sync

APP = str(Path(agents_eval_dashboard.__file__).with_name("app.py"))
LIMIT_SECONDS = 60


@pytest.mark.filterwarnings("default")
def test_without_runs_the_page_says_how_to_get_some() -> None:
    page = AppTest.from_file(APP, default_timeout=LIMIT_SECONDS).run()
    assert not page.exception
    assert "quickstart" in page.info[0].value


@pytest.mark.filterwarnings("default")
def test_a_run_is_opened_with_what_was_not_measured_and_why() -> None:
    run_review_sync("sparse-gates", dataset="sample", composition="manager+researcher")
    page = AppTest.from_file(APP, default_timeout=LIMIT_SECONDS).run()
    assert not page.exception
    assert "no language model" in page.caption[0].value
    assert "no judge configured" in str(cast("Any", page.dataframe[1].value).to_csv())
