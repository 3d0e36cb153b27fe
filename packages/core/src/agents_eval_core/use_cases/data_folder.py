"""Where the papers of a dataset lie, when it is not said."""

from pathlib import Path

from agents_eval_core.data_root import DataRoot
from agents_eval_core.settings import Settings


def data_folder(dataset: str, data_dir: Path | None, settings: Settings) -> Path | None:
    """Return the folder that was given, else that of the settings, else that of the downloads if there is one.

    >>> data_folder("peerread", Path("venues"), Settings())
    PosixPath('venues')
    >>> data_folder("peerread", None, Settings(AGENTS_EVAL_HOME=Path("nowhere"))) is None
    True
    """
    if data_dir is not None or settings.data_dir is not None:
        return data_dir or settings.data_dir
    downloads = download_folder(dataset, settings)
    return downloads if downloads.is_dir() and any(child.is_dir() for child in downloads.iterdir()) else None


def download_folder(dataset: str, settings: Settings) -> Path:
    """Return the folder into which a dataset is downloaded.

    >>> download_folder("peerread", Settings()).as_posix()
    '_Agents-eval/datasets/peerread'
    """
    return DataRoot(path=settings.home).datasets / dataset
