"""What a page about one run shows: a run that is kept or a trace file, as the address names it."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from agents_eval_core.errors import AgentsEvalError
from agents_eval_core.run import RunRecord
from agents_eval_core.run_list import RunOrder
from agents_eval_core.use_cases.run_list import list_runs
from agents_eval_core.use_cases.selection import select_run
from agents_eval_dashboard.drawing import refusal
from agents_eval_dashboard.links import label_of
from agents_eval_dashboard.session import data_root

OFFERED: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A run that is kept (`record`), or the path of somebody's trace (`file`)."""

    record: RunRecord | None = None
    file: str = ""

    @property
    def address(self) -> dict[str, str]:
        """What names it in the address of a page."""
        return {"file": self.file} if self.record is None else {"id": self.record.id}

    @property
    def name(self) -> str:
        """What names it where there is no room for more."""
        return self.file if self.record is None else self.record.id


def chosen_subject() -> Subject | None:
    """Return what the address names, offer the newest runs and a trace file, and write the choice into the address.

    What is wrong with the address is said in place of the run; None then, and where there is no run yet.
    """
    file = _file()
    if file:
        return Subject(file=file)
    record = _record()
    return None if record is None else Subject(record=record)


def _file() -> str:
    file = st.query_params.get("file", "")
    with st.expander("A trace file of your own", expanded=bool(file)):
        given = st.text_input("Path of a trace file or session folder", value=file, key=f"file {file}").strip()
    if given != file:
        st.query_params.from_dict({"file": given} if given else {})
        st.rerun()
    return file


def _record() -> RunRecord | None:
    root = data_root()
    named = st.query_params.get("id", "")
    newest = list_runs(root, order=RunOrder(size=OFFERED))
    if not newest.records and not named:
        st.info("There is no run yet. `agents-eval quickstart` makes some in a few seconds, offline and without a key.")
        return None
    try:
        record = select_run(named, root) if named else None
    except AgentsEvalError as problem:
        refusal(problem)
        st.page_link("screens/runs.py", label="All runs there are", icon=":material/list:")
        return None
    offered = [each for each in newest.records if record is None or each.id != record.id]
    options = ([record] if record else []) + offered
    chosen = st.selectbox(
        f"Run (the newest {len(newest.records)} of {newest.total:,}; the page Runs finds any)",
        options,
        format_func=label_of,
        key=f"run {named}",
    )
    if chosen.id != named:
        st.query_params["id"] = chosen.id
    return chosen
