import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.formats.json_text.json_pieces import Piece, Pieces, closed
from agents_eval_core.formats.json_text.json_values import as_record

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='ab"\\{}[],: é', max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(alphabet='ab"\\', max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)
DOCUMENTS = st.lists(JSON, max_size=5) | st.dictionaries(st.text(max_size=3), JSON, max_size=5)


def pieces_of(data: bytes, size: int) -> list[Piece]:
    return list(Pieces(iter([data[at : at + size] for at in range(0, len(data), size)])))


def put_together(pieces: list[Piece], whole: Any) -> Any:
    """Build the document again from its pieces; empty lists in objects leave no piece."""
    if isinstance(whole, list):
        return [json.loads(piece.raw) for piece in pieces]
    built: dict[str, Any] = {}
    for piece in pieces:
        assert piece.key is not None
        if piece.index is None:
            built[piece.key] = json.loads(piece.raw)
        else:
            built.setdefault(piece.key, []).append(json.loads(piece.raw))
    return built


@given(DOCUMENTS, st.integers(1, 30), st.sampled_from([None, 2]))
def test_the_pieces_of_any_document_make_it_again_however_it_is_chunked(
    document: Any, size: int, indent: int | None
) -> None:
    pieces = pieces_of(json.dumps(document, indent=indent, ensure_ascii=False).encode(), size)
    without_empty = document
    if isinstance(document, dict):
        without_empty = {key: value for key, value in as_record(document).items() if value != []}
    assert put_together(pieces, document) == without_empty
    assert not any(piece.is_cut for piece in pieces)


@given(DOCUMENTS, st.integers(0, 200))
def test_a_document_that_was_cut_anywhere_closes_to_json(document: Any, length: int) -> None:
    cut = closed(json.dumps(document).encode()[:length])
    if length == 0:
        assert cut is None
    else:
        assert cut is not None
        assert type(json.loads(cut)) is type(document)


def test_what_the_end_cuts_off_comes_last_and_is_marked() -> None:
    *_, last = pieces_of(b'{"id": 1, "messages": [{"a": 1}, {"b": "ha', 5)
    assert (last.key, last.index, last.raw, last.is_cut) == ("messages", 1, b'{"b": "ha', True)


@pytest.mark.parametrize("depth", [10, 100_000])
def test_depth_is_no_matter(depth: int) -> None:
    data = b"[1, " + b"[" * depth + b"]" * depth + b", 2]"
    assert [piece.index for piece in pieces_of(data, 1000)] == [0, 1, 2]


def test_a_string_much_longer_than_the_chunks_is_read_in_reasonable_time() -> None:
    (piece,) = pieces_of(b'["' + b"x" * 2_000_000 + b'"]', 100)
    assert len(piece.raw) == 2_000_002
