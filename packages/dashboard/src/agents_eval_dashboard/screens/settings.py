"""The page of settings: what is in force and from where, edits of this session, live tests, prompts, rubrics."""

import os
from pathlib import Path
from typing import Final

import streamlit as st

from agents_eval_core import registry
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import AgentsEvalError
from agents_eval_core.local_ollama import local_models
from agents_eval_core.settings import load_settings, setting_sources
from agents_eval_core.settings_in_force import settings_in_force
from agents_eval_core.use_cases.judge_check import check_judges
from agents_eval_core.use_cases.prompt_copies import keep_prompt, prompt_copies, prompt_diff, prompt_text
from agents_eval_dashboard.awaited import awaited
from agents_eval_dashboard.drawing import plain, refusal, table
from agents_eval_dashboard.session import data_root, edits, settings

SHIPPED: Final = "shipped"
OWN: Final = "own"


def settings_page() -> None:
    """Draw the settings."""
    st.title("Settings")
    values, tests, prompts, rubrics = st.tabs(["Values", "Tests and keys", "Prompts", "Rubrics"])
    with values:
        _values()
    with tests:
        _tests()
    with prompts:
        _texts("prompts")
    with rubrics:
        _texts("rubrics")


def _values() -> None:
    sources = setting_sources(Path.cwd())
    mine = edits()
    rows = [
        {
            "setting": each.name,
            "value": each.value,
            "source": "this browser session" if each.name in mine else sources.get(each.name, "default"),
            "what it is": each.about,
        }
        for each in settings_in_force(settings())
    ]
    _edit([row["setting"] for row in rows])
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    with left:
        words = st.text_input("Search", key="search settings").lower()
    with right:
        only_changed = st.toggle("only changed ones")
    shown = [
        row
        for row in rows
        if words in f"{row['setting']} {row['what it is']}".lower() and (not only_changed or row["source"] != "default")
    ]
    if shown:
        for begin in range(0, len(shown), 50):
            table(shown[begin : begin + 50], f"{len(shown)} settings with their sources")
    else:
        st.info("No setting is left. Take a word away.")


def _edit(names: list[str]) -> None:
    st.subheader("Change one for this browser session")
    st.caption("Nothing is written to a file, and no other session sees it. It holds until the page is reloaded.")
    first, second, third = st.columns([3, 3, 1], vertical_alignment="bottom")
    with first:
        name = st.selectbox("Setting", names, key="edited setting")
    with second:
        value = st.text_input("New value", key="edited value")
    with third:
        is_wanted = st.button("Use it")
    if is_wanted and name:
        try:
            load_settings(Path.cwd(), options=edits() | {name: value})
        except AgentsEvalError as problem:
            refusal(problem)
        else:
            edits()[name] = value
            st.rerun()
    if edits():
        st.warning(plain(f"Changed in this session: {', '.join(f'{key}={text}' for key, text in edits().items())}"))
        if st.button("Reset all of them", icon=":material/undo:"):
            edits().clear()
            st.rerun()


def _tests() -> None:
    st.subheader("The judge")
    st.caption("Asks each judge that is set one short question; with a hosted model that costs what it costs.")
    if st.button("Ask the judge", icon=":material/gavel:"):
        for check in awaited(check_judges(settings())):
            said = plain(f"{check.judge or 'no judge'}: {check.sentence}")
            (st.success if check.answers else st.warning)(said)
    st.subheader("The Ollama of this machine")
    if st.button("Look for its models", icon=":material/dns:"):
        models = local_models()
        if models is None:
            st.warning("None answers on this machine. `ollama serve` starts it, OLLAMA_BASE_URL names another port.")
        else:
            st.success(plain(f"It answers and has {len(models)} models: {', '.join(models) or 'none'}"))
    st.subheader("Providers")
    st.caption("Of keys it is only told whether they are there.")
    if st.button("Look at all providers", icon=":material/key:"):
        table([_provider(name) for name in registry.provider_names()], "the providers")


def _provider(name: str) -> dict[str, object]:
    provider = registry.provider(name)
    problem = provider.unavailable_because()
    return {
        "provider": name,
        "now": "can be used" if problem is None else f"cannot be used: {problem}",
        "default model": provider.default_model or "none",
        "language model": "yes" if provider.has_language_model else "no",
    }


def _texts(prompt_set: str) -> None:
    root = data_root()
    files = sorted(registry.prompt_set(prompt_set).texts())
    copies = prompt_copies(prompt_set, root)
    left, right = st.columns(2)
    with left:
        file = st.selectbox("File", files, key=f"{prompt_set} file") or files[0]
    with right:
        copy = st.selectbox("Read from", [SHIPPED, *copies], key=f"{prompt_set} copy") or SHIPPED
    begun = prompt_text(prompt_set, None if copy == SHIPPED else copy, file, root)
    text = st.text_area("Text", begun, height=320, key=f"{prompt_set} {file} {copy}")
    difference = prompt_diff(prompt_set, file, text)
    st.subheader("How it differs from the shipped one")
    st.code(difference or "not at all", language="diff" if difference else None, wrap_lines=True)
    _keep(prompt_set, file, text, OWN if copy == SHIPPED else copy, root)


def _keep(prompt_set: str, file: str, text: str, copy: str, root: DataRoot) -> None:
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    with left:
        name = st.text_input("Name of the copy", copy, key=f"{prompt_set} name {copy}")
    with right:
        is_wanted = st.button("Keep as a copy", key=f"{prompt_set} keep")
    if not is_wanted:
        return
    try:
        kept = keep_prompt(prompt_set, name, file, text, root)
    except AgentsEvalError as problem:
        refusal(problem)
        return
    st.success(plain(f"Kept as {os.fspath(kept)}. The shipped text is as it was."))
    if prompt_set == "rubrics":
        st.caption("JUDGE_RUBRIC names the file that judges use for the output.")
    else:
        st.caption("The page Review a paper offers it under Prompts; it does for the command line as --prompts FOLDER.")


settings_page()
