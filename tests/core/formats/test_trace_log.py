from agents_eval_core.formats.building.trace_log import KINDS_COUNTED, Answer, TraceLog
from agents_eval_core.trace import Source


def test_ids_of_the_source_are_kept_and_repeated_ones_numbered() -> None:
    log = TraceLog()
    for _ in range(3):
        log.add("message", "user", id="m")
    assert [span.id for span in log.spans] == ["m", "m#2", "m#3"]


def test_many_equal_ids_and_names_take_no_time_that_grows_with_their_number() -> None:
    log = TraceLog()
    for number in range(20_000):
        log.add("message", "user", id="same")
        log.agent("same", key=str(number))
    assert len({span.id for span in log.spans}) == len(log.agents) == 20_000


def test_agents_of_equal_names_stay_apart_by_their_keys() -> None:
    log = TraceLog()
    ids = [log.agent("helper", key="1"), log.agent("helper", key="2"), log.agent("helper", key="1")]
    assert ids == ["helper", "helper#2", "helper"]
    assert [agent.name for agent in log.agents] == ["helper", "helper"]


def test_a_call_without_an_answer_is_unknown_and_an_answer_without_a_call_is_refused() -> None:
    log = TraceLog()
    log.call("read", None, call_id="a")
    assert log.spans[0].status == "unknown"
    assert not log.answer("b", Answer(text="x"))
    assert log.answer("a", Answer(text=""))
    assert not log.answer("a", Answer(text="again"))
    assert (log.spans[0].status, log.spans[0].tool and log.spans[0].tool.result) == ("ok", "")


def test_cut_lengths_of_all_fields_are_kept_side_by_side() -> None:
    log = TraceLog(longest_text=3)
    at = log.call("read", {"path": "abcdef"}, call_id="a", attributes={"cut": "of the source", "note": "abcd"})
    log.answer("a", Answer(text="12345"))
    log.extend(at, "uvwxyz")
    log.extend(at, "u")
    span = log.spans[at]
    assert span.attributes == {
        "source.cut": "of ",
        "note": "abc",
        "cut": {"attributes.cut": 13, "attributes.note": 4, "arguments.path": 6, "result": 5, "text": 8},
    }


def test_kinds_of_what_was_not_understood_are_bounded() -> None:
    log = TraceLog()
    for number in range(10 * KINDS_COUNTED):
        log.miss(f"kind {number} " + "x" * 1000)
    unread = log.trace("t", Source(format="test")).unread
    assert len(unread) == KINDS_COUNTED + 1
    assert sum(unread.values()) == 10 * KINDS_COUNTED
    assert max(map(len, unread)) <= 60
