"""How the format of a file is found, and one trace chosen."""

import bz2
import gc
import gzip
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agents_eval_core import registry
from agents_eval_core.content_kind import content_kind
from agents_eval_core.errors import UnreadableError, UsageError
from agents_eval_core.formats.native import NativeFormat
from agents_eval_core.trace import Trace
from agents_eval_core.trace_source import longest_text_of, read_trace, read_traces, recognised

SAMPLES = Path(__file__).parents[1] / "data" / "traces"
TEAM = SAMPLES / "native" / "team.jsonl"


def test_a_format_that_cannot_be_loaded_does_not_keep_others_from_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "names", lambda _: ("absent", "native"))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    assert recognised(TEAM).name == "native"
    with pytest.raises(UnreadableError, match="no format named 'absent'"):
        recognised(SAMPLES / "mini_swe_agent" / "labels.json")


def test_of_several_traces_one_has_to_be_chosen() -> None:
    with pytest.raises(UsageError, match=r"holds 2 traces \(team-1, team-2\); choose one with --trace ID"):
        read_trace(TEAM)
    assert read_trace(TEAM, trace_id="team-2").id == "team-2"
    with pytest.raises(UsageError, match=r"holds no trace 'team-3'; it holds 2: team-1, team-2"):
        read_trace(TEAM, trace_id="team-3")


def test_the_only_trace_needs_no_choice() -> None:
    assert read_trace(SAMPLES / "agents_eval_mas").id == "exec_0001"


def trail(folder: Path) -> Path:
    """Lay a trace and what somebody said about it side by side, as TRAIL does, and return the trace."""
    sample = SAMPLES / "otel_dump" / "trail_nested.json"
    trace_id = read_trace(sample).id
    for name in ("GAIA", "annotations_gaia"):
        (folder / name).mkdir(parents=True)
    (folder / "annotations_gaia" / f"{trace_id}.json").write_text('{"scores": [{"overall": 4}]}')
    return Path(shutil.copy(sample, folder / "GAIA" / f"{trace_id}.json"))


def scores(path: Path, root: Path | None) -> list[object]:
    return [label.value for label in read_trace(path, root=root).annotations if label.name == "overall"]


def test_labels_beside_the_folder_of_a_trace_are_read_as_far_as_the_root_goes(tmp_path: Path) -> None:
    path = trail(tmp_path / "set")
    assert scores(path, None) == scores(path, tmp_path) == scores(path, tmp_path / "set") == [4]
    assert scores(path, path.parent) == []


def test_a_link_among_the_labels_that_leads_out_of_the_root_is_not_followed(tmp_path: Path) -> None:
    path = trail(tmp_path / "set")
    outside = tmp_path / "annotations_outside"
    shutil.move(tmp_path / "set" / "annotations_gaia", outside)
    (tmp_path / "set" / "annotations_gaia").symlink_to(outside)
    assert scores(path, None) == [4]
    assert scores(path, tmp_path / "set") == []


def test_the_main_transcript_beside_a_sessions_folder_is_not_read_outside_of_the_root(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "claude_code_session", tmp_path / "project")
    folder = tmp_path / "project" / "5e55-0010"
    assert read_trace(folder).source.path == str(folder.with_suffix(".jsonl"))
    assert read_trace(folder, root=folder).source.path == str(folder)


def test_a_teams_tasks_are_not_read_outside_of_the_root(tmp_path: Path) -> None:
    team = tmp_path / "teams" / "t"
    shutil.copytree(SAMPLES / "claude_code_export" / "team", team)
    shutil.move(team / "tasks", tmp_path / "tasks" / "t")
    handed = [sum(span.is_delegation for span in read_trace(team, root=root).spans) for root in (None, tmp_path, team)]
    assert handed[0] == handed[1] > handed[2]


@pytest.mark.parametrize("name", ["labels.json", "reward.txt"])
def test_a_link_beside_a_trace_that_leads_out_of_the_root_is_refused_by_name(name: str, tmp_path: Path) -> None:
    sample = {
        "labels.json": SAMPLES / "mini_swe_agent" / "rounding.traj.json",
        "reward.txt": SAMPLES / "claude_code_session" / "5e55-0010.jsonl",
    }[name]
    root = tmp_path / "root"
    root.mkdir()
    path = Path(shutil.copy(sample, root))
    (tmp_path / name).write_text("{}" if name.endswith("json") else "1")
    read_trace(path, root=root)
    (root / name).symlink_to(tmp_path / name)
    read_trace(path)
    with pytest.raises(UsageError, match=f"is read together with {name}, which leads out of the root") as refused:
        read_trace(path, root=root)
    assert str(tmp_path) not in str(refused.value)


def test_the_search_for_cycles_goes_on_after_a_trace_was_read_or_could_not_be(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    with pytest.raises(UnreadableError):
        list(read_traces(empty, "otlp"))
    assert gc.isenabled()
    assert next(read_traces(TEAM)).id == "team-1"
    assert gc.isenabled()


def test_while_the_reader_works_no_cycles_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []

    class Watching:
        name = "watching"

        def recognises(self, source: Path, head: bytes) -> bool:
            return bool(source and head)

        def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
            seen.append(gc.isenabled())
            yield from NativeFormat().read(source, longest_text=longest_text)

    monkeypatch.setattr(registry, "trace_format", lambda _: Watching())  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    assert len(list(read_traces(TEAM, "watching"))) == 2
    assert seen == [False]


def test_a_large_trace_is_cut_and_says_how_long_its_texts_were(tmp_path: Path) -> None:
    line = {"role": "user", "content": "word " * 2_000_000}
    path = tmp_path / "large.jsonl"
    path.write_text((json.dumps(line) + "\n") * 4, encoding="utf-8")
    limit = longest_text_of(path.stat().st_size)
    [trace] = read_traces(path)
    assert limit is not None
    said = [span for span in trace.spans if span.text]
    assert {len(span.text or "") for span in said} == {limit}
    assert all(span.attributes["cut"] == {"text": 10_000_000} for span in said)


@pytest.mark.parametrize(("pack", "command"), [(gzip.compress, "gunzip -k"), (bz2.compress, "bunzip2 -k")])
def test_of_a_compressed_file_it_is_said_how_to_unpack_it(
    pack: Callable[[bytes], bytes], command: str, tmp_path: Path
) -> None:
    path = tmp_path / "team.jsonl.packed"
    path.write_bytes(pack(TEAM.read_bytes()))
    with pytest.raises(UnreadableError, match=f"unpack it with '{command}' and give what comes out"):
        read_trace(path)
    assert command in content_kind(path)
