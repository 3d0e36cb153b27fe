"""The form of a review: which paper, who does it, who judges, and what it may take."""

from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import streamlit as st

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.composition import composition_name
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import AgentsEvalError
from agents_eval_core.ports.dataset import PaperEntry
from agents_eval_core.ports.engine import Limits
from agents_eval_core.settings import Settings
from agents_eval_core.store.atomic_file import write_atomically
from agents_eval_core.use_cases.data_folder import data_folder
from agents_eval_core.use_cases.prompt_copies import copy_folder, prompt_copies
from agents_eval_dashboard.drawing import plain, refusal
from agents_eval_dashboard.session import data_root, settings

OWN: Final = "a paper of your own"
AS_SET: Final = "as the settings say"
BUILT_IN: Final = "the built-in ones"
KINDS: Final = ["pdf", "md", "txt", "tex", "json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewOrder:
    """What is asked for; `options` are those of the use case `run_review`."""

    paper: str | Path
    title: str
    options: dict[str, Any] = field(default_factory=dict[str, Any])


def review_form() -> ReviewOrder | None:
    """Draw the form, and return what it asks for; None as long as there is no paper."""
    current = settings()
    left, right = st.columns(2)
    with left:
        st.header("The paper")
        chosen = _paper(current)
        query = st.text_area("What else the agents are asked", placeholder="nothing beyond the review", key="query")
    with right:
        st.header("Who does it")
        options = _work(current) | _judge() | {"query": query, "limits": _limits()}
    if chosen is None:
        return None
    paper, title, dataset = chosen
    return ReviewOrder(paper=paper, title=title, options=options | ({"dataset": dataset} if dataset else {}))


def _paper(current: Settings) -> tuple[str | Path, str, str] | None:
    names = [*registry.names("datasets"), OWN]
    dataset = st.selectbox("From", names, index=names.index("sample") if "sample" in names else 0, key="dataset") or OWN
    if dataset == OWN:
        return _own()
    folder = data_folder(dataset, None, current)
    try:
        entries = _entries(dataset, folder)
    except AgentsEvalError as problem:
        refusal(problem)
        return None
    if not entries:
        st.info("This dataset has no paper here. `agents-eval papers download VENUE` gets some.")
        return None
    entry = st.selectbox("Paper", entries, format_func=lambda each: f"{each.title} ({each.id})", key=f"of {dataset}")
    _abstract(_case(dataset, entry.id, folder), entry)
    return entry.id, entry.title, dataset


def _own() -> tuple[str | Path, str, str] | None:
    upload = st.file_uploader("A file: PDF, Markdown, text, LaTeX or parsed JSON", type=KINDS)
    text = st.text_area("or its text", height=160, key="own text")
    if upload is not None:
        return _kept(upload.name, upload.getvalue()), upload.name, ""
    if text.strip():
        return _kept("pasted.md", text.encode("utf-8", "replace")), text.strip().splitlines()[0][:80], ""
    return None


def _kept(name: str, content: bytes) -> Path:
    """Keep what was handed in where the background work finds it, under a name that only its ending is taken from."""
    digest = sha256(content).hexdigest()[:12]
    place = data_root().path / "uploads" / f"{digest}{Path(name).suffix.lower()}"
    if not place.is_file():
        place.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(place, content)
    return place


@st.cache_data(max_entries=8, ttl=600, show_spinner="Looking for papers …")
def _entries(dataset: str, folder: Path | None) -> list[PaperEntry]:
    return list(registry.dataset(dataset).entries(folder))


@st.cache_data(max_entries=32, ttl=600, show_spinner=False)
def _case(dataset: str, paper: str, folder: Path | None) -> Case:
    return registry.dataset(dataset).case(paper, folder)


def _abstract(case: Case, entry: PaperEntry) -> None:
    references = entry.usable_references
    known = f"{references} usable human reviews" if references else "no usable human review: similarity not measured"
    st.caption(plain(f"{entry.venue}, {known}"))
    with st.expander("Abstract", expanded=True):
        st.text(case.paper.abstract if case.paper and case.paper.abstract else "It has no abstract.")


def _work(current: Settings) -> dict[str, Any]:
    engines = registry.names("engines")
    engine = st.selectbox("Engine", engines, index=engines.index("mas") if "mas" in engines else 0, key="engine")
    compositions = registry.engine(engine or "mas").compositions
    composition = st.selectbox("Composition", compositions, format_func=_composition, key="composition")
    providers = registry.provider_names()
    given = providers.index(current.provider) if current.provider in providers else 0
    provider = st.selectbox("Provider", providers, index=given, key="provider") or current.provider
    problem = registry.provider(provider).unavailable_because()
    if problem:
        st.warning(plain(f"{provider} cannot be used now: {problem}"))
    elif not registry.provider(provider).has_language_model:
        st.caption("This is no language model but the floor that one must beat. Nothing leaves this machine.")
    model = st.text_input("Model", placeholder="the provider's own choice", key="model")
    copies = [BUILT_IN, *prompt_copies("prompts", DataRoot(path=current.home))]
    prompts = st.selectbox("Prompts", copies, key="prompts") or BUILT_IN
    own = None if prompts == BUILT_IN else copy_folder("prompts", prompts, DataRoot(path=current.home)).resolve()
    return {
        "engine": engine,
        "composition": composition,
        "provider": provider,
        "model": model or None,
        "prompts_dir": own,
        "critic": st.checkbox("Let a critic challenge the draft", key="critic"),
    }


def _composition(composition: str) -> str:
    name = composition_name(composition)
    return name if name == composition else f"{name}: {composition}"


def _judge() -> dict[str, Any]:
    offered = [AS_SET, "auto", *(name for name in registry.provider_names() if name not in ("offline", "replay"))]
    judge = st.selectbox(
        "Judge", offered, key="judge", accept_new_options=True, help="provider, provider:model, or a panel a+b+c"
    )
    if judge in (None, AS_SET):
        st.caption("By default the settings name nobody: tier 2 is then not measured.")
        return {"judge": None}
    return {"judge": judge}


def _limits() -> Limits:
    with st.expander("What it may take"):
        tokens = st.number_input("Tokens", min_value=1, value=None, placeholder="the provider's value", key="tokens")
        requests = st.number_input("Requests", min_value=1, value=None, placeholder="the engine's value")
        cost = st.number_input("US dollars", min_value=0.0, value=None, placeholder="no limit", key="cost")
        seconds = st.number_input("Seconds", min_value=0.0, value=None, placeholder="no limit", key="seconds")
    return Limits(tokens=tokens, requests=requests, cost_usd=cost or None, seconds=seconds or None)
