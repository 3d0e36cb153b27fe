"""Papers as PeerRead lays them out, real and made."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

LONG_ENOUGH = "We describe a method and measure it."


@pytest.fixture
def verbatim(real_data: Path) -> Path:
    """Return PeerRead's own files, byte for byte."""
    return real_data / "peerread" / "verbatim" / "data"


@pytest.fixture
def real_file() -> Callable[[Path], dict[str, Any]]:
    def read(path: Path) -> dict[str, Any]:
        return json.loads(path.read_text(encoding="utf-8"))

    return read


@pytest.fixture
def write_paper(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a paper and returns the folder of venues."""

    def write(
        content: dict[str, Any], *, paper_id: str = "7", place: str = "iclr_2017/train", parsed: object = None
    ) -> Path:
        data_dir = tmp_path / "venues"
        reviews = data_dir / place / "reviews" / f"{paper_id}.json"
        reviews.parent.mkdir(parents=True, exist_ok=True)
        reviews.write_text(json.dumps({"title": "T", "abstract": LONG_ENOUGH, **content}), encoding="utf-8")
        if parsed is not None:
            pdf = data_dir / place / "parsed_pdfs" / f"{paper_id}.pdf.json"
            pdf.parent.mkdir(parents=True, exist_ok=True)
            pdf.write_text(json.dumps(parsed), encoding="utf-8")
        return data_dir

    return write
