import json
from hashlib import sha256
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.formats.json_text import json_stream
from agents_eval_core.formats.json_text.json_keys import first_keys
from agents_eval_core.formats.json_text.json_stream import BadJsonError, JsonStream

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def a_stream(data: bytes) -> JsonStream:
    return JsonStream(BytesIO(data))


@pytest.fixture(params=[1, 3, 4096])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "BLOCK_BYTES", request.param)
    monkeypatch.setattr(json_stream, "KEPT_BYTES", 2)


@given(
    st.lists(JSON.filter(lambda value: isinstance(value, dict | list)), max_size=4),
    st.sampled_from(["", "\n", " \r\n"]),
)
def test_values_one_after_another_are_taken_apart(values: list[object], between: str) -> None:
    stream = a_stream(between.join(json.dumps(value) for value in values).encode())
    taken: list[object] = []
    while stream.peek():
        taken.append(json.loads(stream.value()))
    assert taken == values


@pytest.mark.usefixtures("block")
def test_values_are_found_across_the_borders_of_blocks() -> None:
    document = {"a": [1, 'x \\" ]}', {"b": [2]}, -1.5e3, True, None], "c": {"d": "e" * 50}}
    data = json.dumps(document, indent=1).encode()
    stream = a_stream(data)
    taken = {
        key: [json.loads(stream.value()) for _ in stream.elements()]
        if stream.peek() == b"["
        else json.loads(stream.value())
        for key in stream.members()
    }
    assert taken == document
    assert (stream.peek(), stream.offset, stream.digest()) == (b"", len(data), sha256(data).hexdigest())
    assert stream.line_number == data.count(b"\n") + 1


@pytest.mark.parametrize(
    "data", [b"{", b'{"a"', b'{"a" 1}', b'{"a": 1 "b"}', b"[1, 2", b"[1; 2]", b'{"a": [}', b"[" * 5000]
)
def test_what_is_damaged_is_said(data: bytes) -> None:
    stream = a_stream(data)

    def go_through() -> None:
        if data.startswith(b"["):
            for _ in stream.elements():
                stream.value()
        else:
            for _ in stream.members():
                stream.value()

    with pytest.raises(BadJsonError):
        go_through()


def test_a_value_longer_than_memory_should_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "LONGEST_VALUE", 1000)
    monkeypatch.setattr(json_stream, "BLOCK_BYTES", 100)
    with pytest.raises(BadJsonError, match="more than 1000 bytes"):
        a_stream(json.dumps("x" * 5000).encode()).value()


def test_reading_goes_on_at_the_next_record() -> None:
    stream = a_stream(b'{"a": oops}\n  still damaged\n[1]\n{"b": 2}')
    stream.next_record(0)
    assert stream.value() == b"[1]"
    assert stream.value() == b'{"b": 2}'


def test_keys_within_texts_are_no_keys() -> None:
    assert first_keys(b'{"text": "{\\"resourceSpans\\": []}", "message": {"content": [{"spans": 1}]}}') == {
        "text",
        "message",
        "message.content",
    }


@given(st.binary(max_size=200))
def test_looking_for_keys_never_fails(data: bytes) -> None:
    assert isinstance(first_keys(b"{" + data), frozenset)
