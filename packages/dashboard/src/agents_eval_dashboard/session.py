"""What this browser session works with: the settings with its own edits, and the data root they name."""

from pathlib import Path
from typing import Final

import streamlit as st

from agents_eval_core.data_root import DataRoot
from agents_eval_core.settings import Settings, load_settings

EDITS: Final = "settings of this session"


def edits() -> dict[str, str]:
    """Return what this session changed, by the settings' names."""
    return st.session_state.setdefault(EDITS, {})


def settings() -> Settings:
    """Return the settings as they stand, with the edits of this session.

    Raises:
        SettingsError: They do not fit.
    """
    return load_settings(Path.cwd(), options=edits())


def data_root() -> DataRoot:
    """Return where runs are kept."""
    return DataRoot(path=settings().home)
