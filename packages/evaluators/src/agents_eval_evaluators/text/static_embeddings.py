"""Static embeddings: a vector a token, read from a folder of the user's, and the vector of a text made of them."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from agents_eval_core.errors import SettingsError, UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

TOKENIZER: Final = "tokenizer.json"
WEIGHTS: Final = ("model.safetensors", "0_StaticEmbedding/model.safetensors")
TENSORS: Final = ("embeddings", "embedding.weight")
SETTING: Final = "AGENTS_EVAL_SEMANTIC_MODEL"
EXTRA: Final = "agents-eval[semantic]"


class Tokens(Protocol):
    """What a tokenizer cuts a text into."""

    @property
    def ids(self) -> list[int]:
        """The numbers of its tokens."""
        ...


class Tokenizer(Protocol):
    """Cuts texts."""

    def encode(self, sequence: str, *, add_special_tokens: bool = True) -> Tokens:
        """Return the tokens of a text."""
        ...


class StaticEmbeddings:
    """A model whose vector of a text is the mean of its tokens' vectors: no network is run, only looked up."""

    def __init__(self, vectors: "NDArray[Any]", tokenizer: Tokenizer) -> None:
        self._vectors = vectors
        self._tokenizer = tokenizer

    def vector(self, text: str) -> "Vector | None":
        """Return the mean vector of a text's tokens, of length 1; None where no token has one."""
        import numpy as np  # noqa: PLC0415  0.1 s that evaluations without a model are spared

        known = [token for token in self._ids(text) if token < len(self._vectors)]
        if not known:
            return None
        mean = self._vectors[known].astype(np.float32).mean(axis=0)
        length = float(np.linalg.norm(mean))
        return mean / length if length > 0 else None

    def _ids(self, text: str) -> Sequence[int]:
        return self._tokenizer.encode(text, add_special_tokens=False).ids


def static_embeddings(folder: Path) -> StaticEmbeddings:
    """Return the model in a folder, read once: `tokenizer.json` and the vectors as safetensors.

    Both usual layouts are read: `model.safetensors` with a tensor `embeddings` (Model2Vec), and
    `0_StaticEmbedding/model.safetensors` with `embedding.weight` (sentence-transformers). Nothing is downloaded.

    Raises:
        UsageError: The extra that reads models is not installed.
        SettingsError: The folder holds no such model.
    """
    weights = next((folder / name for name in WEIGHTS if (folder / name).is_file()), None)
    tokenizer = folder / TOKENIZER
    nested = folder / "0_StaticEmbedding" / TOKENIZER
    tokenizer = tokenizer if tokenizer.is_file() or not nested.is_file() else nested
    if weights is None or not tokenizer.is_file():
        raise SettingsError(
            f"{SETTING} names {folder}, and no static embedding model is there: it needs {TOKENIZER} and "
            f"{' or '.join(WEIGHTS)}"
        )
    return _read(weights, tokenizer, weights.stat().st_mtime_ns)


@lru_cache(maxsize=2)  # some 30 to 500 MB each
def _read(weights: Path, tokenizer: Path, _changed: int) -> StaticEmbeddings:
    try:
        from safetensors import safe_open  # noqa: PLC0415  optional
        from tokenizers import Tokenizer as Reader  # noqa: PLC0415  optional
    except ImportError as problem:
        raise UsageError(f"a semantic model needs two more packages: install {EXTRA!r}") from problem
    try:
        reader: Tokenizer = Reader.from_file(str(tokenizer))
        table = _table(safe_open, weights)
    except Exception as problem:  # both libraries raise bare exceptions of their own
        raise SettingsError(f"the model in {weights.parent} cannot be read: {problem}") from problem
    if table is None or table.ndim != 2:  # noqa: PLR2004  a row a token
        raise SettingsError(f"{weights.name} in {weights.parent} has no table of vectors named {' or '.join(TENSORS)}")
    return StaticEmbeddings(table, reader)


def _table(safe_open: Any, weights: Path) -> "NDArray[Any] | None":
    with safe_open(weights, framework="numpy") as file:
        return next((file.get_tensor(name) for name in file.keys() if name in TENSORS), None)  # noqa: SIM118  no mapping
