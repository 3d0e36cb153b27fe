"""The copy of a trace that viewers are sent: the kept spans, and what Phoenix cannot derive from them."""

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec
from google.protobuf.json_format import ParseDict
from msgspec import Struct, field
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from agents_eval_agents.recorder import RUN_ID

Json: TypeAlias = dict[str, Any]
OPERATION: Final = "gen_ai.operation.name"
OUTPUT_MESSAGES: Final = "gen_ai.output.messages"
INPUT: Final = "input.value"
OUTPUT: Final = "output.value"
OURS: Final = "agents_eval."
SPAN_IDS: Final = ("traceId", "spanId", "parentSpanId")
QUICKEST: Final = 1


class Part(Struct):
    """A part of a message; its content may be any JSON."""

    type: str = ""
    content: Any = None


class Message(Struct):
    """A message of a conversation, as PydanticAI writes it on an agent's span."""

    role: str = ""
    parts: list[Part] = field(default_factory=list[Part])


def viewer_copy(lines: bytes) -> bytes:
    """Return OTLP JSON lines as one export request in protobuf, gzipped, with more for a viewer to show.

    Added are the input and output of agents and tools and of the whole run, the kind of the root span, the run as the
    session of all its spans (each agent is a conversation of its own), and why each answer of a model ended: Phoenix
    leaves out the answers of which that is not said. The lines are free of secrets (see `otlp_lines`), and so is all
    that is made from them.

    >>> gzip.decompress(viewer_copy(b""))
    b''
    """
    parts = [part for line in lines.splitlines() for part in msgspec.json.decode(line, type=Json)["resourceSpans"]]
    spans = [span for part in parts for scoped in part["scopeSpans"] for span in scoped["spans"]]
    _complete(spans)
    for span in spans:
        _encode_ids(span)
    request = ParseDict({"resourceSpans": parts}, ExportTraceServiceRequest())
    return gzip.compress(request.SerializeToString(), QUICKEST)


def _complete(spans: Sequence[Json]) -> None:
    texts = {span["spanId"]: _texts(span) for span in spans}
    added = {span_id: _additions(said) for span_id, said in texts.items()}
    run_id = next((said[RUN_ID] for said in texts.values() if RUN_ID in said), None)
    for span in spans:
        more = added[span["spanId"]]
        if RUN_ID in texts[span["spanId"]]:
            more |= _input_and_output(span["spanId"], spans, added)
        if run_id is not None:
            more["session.id"] = run_id
        kept = [attribute for attribute in span.get("attributes", ()) if attribute["key"] not in more]
        span["attributes"] = kept + [{"key": key, "value": {"stringValue": value}} for key, value in more.items()]


def _texts(span: Json) -> dict[str, str]:
    attributes = span.get("attributes", ())
    return {one["key"]: one["value"]["stringValue"] for one in attributes if "stringValue" in one["value"]}


def _additions(said: Mapping[str, str]) -> dict[str, str]:
    match said.get(OPERATION):
        case "invoke_workflow":
            return _of_the_run(said)
        case "invoke_agent":
            return _of_an_agent(said)
        case "execute_tool" if "gen_ai.tool.call.arguments" in said:
            return {INPUT: said["gen_ai.tool.call.arguments"], "input.mime_type": "application/json"}
        case "chat" if OUTPUT_MESSAGES in said:
            return _of_a_model(said[OUTPUT_MESSAGES])
        case _:
            return {}


def _of_the_run(said: Mapping[str, str]) -> dict[str, str]:
    about = {key.removeprefix(OURS): value for key, value in said.items() if key.startswith(OURS)}
    return {"openinference.span.kind": "CHAIN", "metadata": json.dumps(about)}


def _of_an_agent(said: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    task = _task(said.get("pydantic_ai.all_messages", ""))
    if task is not None:
        found[INPUT] = task
    if "final_result" in said:
        found[OUTPUT] = said["final_result"]
    return found


def _task(messages: str) -> str | None:
    try:
        conversation = msgspec.json.decode(messages, type=list[Message])
    except msgspec.DecodeError:
        return None
    asked = (part for message in conversation if message.role == "user" for part in message.parts)
    return next((part.content for part in asked if part.type == "text" and isinstance(part.content, str)), None)


def _of_a_model(messages: str) -> dict[str, str]:
    try:
        endings = [_ending(message) for message in msgspec.json.decode(messages, type=list[Message])]
        answers = msgspec.json.decode(messages, type=list[Json])
    except msgspec.DecodeError:
        return {}
    ended = [{"finish_reason": ending, **answer} for ending, answer in zip(endings, answers, strict=True)]
    return {OUTPUT_MESSAGES: json.dumps(ended, ensure_ascii=False)}


def _ending(answer: Message) -> str:
    return "tool_call" if any(part.type == "tool_call" for part in answer.parts) else "stop"


def _input_and_output(root_id: str, spans: Sequence[Json], added: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return those of the agent in charge, the first below the root."""
    below = (added[span["spanId"]] for span in spans if span.get("parentSpanId") == root_id)
    in_charge = next((more for more in below if INPUT in more or OUTPUT in more), None) or {}
    return {key: in_charge[key] for key in (INPUT, OUTPUT) if key in in_charge}


def _encode_ids(span: Json) -> None:
    """Write identifiers in base64, as protobuf's JSON has them, instead of OTLP's hexadecimal."""
    for holder in (span, *span.get("links", ())):
        for key in SPAN_IDS:
            if key in holder:
                holder[key] = base64.b64encode(bytes.fromhex(holder[key])).decode()
