"""Damaged files: what can be read is read, the rest is counted, and nothing but an UnreadableError is ever raised."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.claude_code_export import ClaudeCodeExportFormat
from agents_eval_core.formats.claude_code_session import ClaudeCodeSessionFormat
from agents_eval_core.formats.claude_code_stream import ClaudeCodeStreamFormat
from agents_eval_core.ports.trace_format import TraceFormat
from agents_eval_core.trace import Trace

SAMPLES = Path(__file__).parents[2] / "data" / "traces"
STREAM = (SAMPLES / "claude_code_stream" / "sub_agents.jsonl").read_bytes()
SESSION = (SAMPLES / "claude_code_session" / "5e55-0010.jsonl").read_bytes()
OLD = (SAMPLES / "claude_code_session_old" / "5e55-0020.jsonl").read_bytes()
PIECES = (
    b"null",
    b"-1",
    b"[]",
    b"{}",
    b'""',
    b"1e999",
    b"\xff",
    rb'"\ud800"',
    b'"main"',
    b'"toolu_a"',
    b"true",
    b"99999999999999999999999",
    b"\n",
    b"\x00",
)


def read(form: TraceFormat, source: Path, longest_text: int | None = None) -> list[Trace]:
    try:
        return list(form.read(source, longest_text=longest_text))
    except UnreadableError:
        return []


def is_sound(trace: Trace) -> bool:
    """Whether ids differ, parents come first, agents exist and no usage is negative."""
    seen = set[str]()
    agents = {agent.id for agent in trace.agents}
    for seq, span in enumerate(trace.spans):
        assert span.seq == seq
        assert span.id not in seen
        assert span.parent_id is None or span.parent_id in seen
        assert {span.agent_id, span.to_agent_id} - {None} <= agents
        assert span.usage is None or (span.usage.input_tokens or 0) >= 0
        seen.add(span.id)
    return True


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """Draw a copy that is cut, has lines moved or repeated, or values replaced."""
    chance = draw(st.randoms(use_true_random=False))
    lines = whole.splitlines(keepends=True)
    for _ in range(draw(st.integers(1, 6))):
        place = chance.randrange(len(lines))
        match chance.randrange(5):
            case 0:
                lines[place] = lines[place][: chance.randrange(len(lines[place]) + 1)]
            case 1:
                lines.insert(chance.randrange(len(lines)), lines[place])
            case 2:
                lines[place], lines[0] = lines[0], lines[place]
            case 3:
                begin = chance.randrange(len(lines[place]) + 1)
                lines[place] = (
                    lines[place][:begin] + chance.choice(PIECES) + lines[place][begin + chance.randrange(9) :]
                )
            case _:
                parts = lines[place].split(b":")
                at = chance.randrange(len(parts))
                parts[at] = chance.choice(PIECES) + (b"," if chance.random() < 0.5 else b"}")
                lines[place] = b":".join(parts)
    return b"".join(lines)


@pytest.mark.parametrize(
    ("form", "whole"),
    [(ClaudeCodeStreamFormat(), STREAM), (ClaudeCodeSessionFormat(), SESSION), (ClaudeCodeSessionFormat(), OLD)],
    ids=["stream", "session", "old session"],
)
@settings(max_examples=150)
@given(data=st.data())
def test_damage_is_counted_and_never_raises(form: TraceFormat, whole: bytes, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        source = Path(folder) / "x"
        source.write_bytes(data.draw(damaged(whole)))
        form.recognises(source, source.read_bytes()[:65536])
        for trace in read(form, source, data.draw(st.sampled_from([None, 3]))):
            assert is_sound(trace)


@settings(max_examples=100)
@given(content=st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        place = Path(folder)
        for name in ("config.json", "metadata.json", "tool_calls.jsonl", "x"):
            (place / name).write_bytes(content)
        for form in (ClaudeCodeStreamFormat(), ClaudeCodeSessionFormat()):
            form.recognises(place / "x", content)
            read(form, place / "x")
        ClaudeCodeExportFormat().recognises(place, b"")
        read(ClaudeCodeExportFormat(), place)


@settings(max_examples=100)
@given(data=st.data())
def test_a_damaged_team_is_read_or_refused(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        for path in (SAMPLES / "claude_code_export" / "team").rglob("*.json"):
            copy = Path(folder) / path.relative_to(SAMPLES / "claude_code_export" / "team")
            copy.parent.mkdir(exist_ok=True)
            is_hit = data.draw(st.booleans())
            copy.write_bytes(data.draw(damaged(path.read_bytes())) if is_hit else path.read_bytes())
        for trace in read(ClaudeCodeExportFormat(), Path(folder)):
            assert is_sound(trace)


def test_a_stream_that_breaks_off_reads_to_its_last_whole_line(tmp_path: Path) -> None:
    source = tmp_path / "s"
    source.write_bytes(STREAM[:-40])
    [trace] = ClaudeCodeStreamFormat().read(source)
    assert trace.unread == {"line a_kind_of_tomorrow": 1, "damaged line": 1}
    assert trace.spans[0].usage is not None
    assert trace.spans[0].usage.cost_usd == 0.01  # of the first result


def test_output_of_the_terminal_between_the_lines_is_counted(tmp_path: Path) -> None:
    source = tmp_path / "s"
    lines = STREAM.splitlines(keepends=True)
    source.write_bytes(b"npm warn deprecated\n" + lines[0] + b"\x1b[0m\n\n" + b"".join(lines[1:]))
    [trace] = ClaudeCodeStreamFormat().read(source)
    assert trace.unread["damaged line"] == 2
    assert ClaudeCodeStreamFormat().recognises(source, source.read_bytes())


@pytest.mark.parametrize("form", [ClaudeCodeStreamFormat(), ClaudeCodeSessionFormat()], ids=["stream", "session"])
def test_ten_thousand_levels_are_no_way_in(tmp_path: Path, form: TraceFormat) -> None:
    source = tmp_path / "s"
    deep = b'{"a":' * 10_000 + b"1" + b"}" * 10_000
    message = b'"message":{"content":[{"type":"tool_use","input":' + deep + b"}]}}"
    is_stream = form.name == "claude_code_stream"
    session = b'"session_id":"s",' if is_stream else b'"sessionId":"s",'
    line = b'{"type":"assistant",' + session + message
    source.write_bytes(line + b"\n" + (STREAM if is_stream else SESSION))
    [trace] = form.read(source)
    assert sum(span.operation == "execute_tool" for span in trace.spans) >= 3


def test_letters_that_no_encoding_has_are_replaced_and_counted(tmp_path: Path) -> None:
    source = tmp_path / "s"
    source.write_bytes(
        STREAM.replace(b"Two helpers", b"Two \xff helpers").replace(b"All quiet", rb"All \ud83d quiet", 1)
    )
    [trace] = ClaudeCodeStreamFormat().read(source)
    assert trace.span_by_id["msg_1"].text == "Two \ufffd helpers will look."
    assert trace.span_by_id["msg_9"].text == "All \ufffd quiet."
    assert trace.unread["line with damaged characters"] == 2


def test_a_hundred_agents_that_each_name_the_next_as_their_caller_end(tmp_path: Path) -> None:
    folder = tmp_path / "s" / "subagents"
    folder.mkdir(parents=True)
    for number in range(100):
        call = f'{{"type":"tool_use","id":"c{number}","name":"Task","input":{{}}}}'
        (folder / f"agent-a{number}.jsonl").write_text(
            '{"type":"assistant","uuid":"' + f"{number}" + '","parentUuid":null,"isSidechain":true,"sessionId":"s",'
            f'"agentId":"a{number}","message":{{"id":"m{number}","content":[{call}]}}}}\n'
        )
        (folder / f"agent-a{number}.meta.json").write_text(f'{{"toolUseId":"c{(number + 1) % 100}"}}')
    [trace] = ClaudeCodeSessionFormat().read(tmp_path / "s")
    assert is_sound(trace)
    assert trace.unread == {"circular delegation": 1}
    assert sum(span.operation == "invoke_agent" for span in trace.spans) == 100
