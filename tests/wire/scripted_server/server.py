"""The server: real HTTP on a port of this machine, one thread a connection."""

import json
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from types import ModuleType
from typing import Any, Final, cast

from scripted_server import anthropic_messages, cohere, gemini, openai_chat, openai_responses
from scripted_server.exchange import Ask, Fault, Json, Say, Script
from scripted_server.schema_rules import SchemaRule, broken_rule
from scripted_server.script import capable

DIALECTS: Final = (openai_chat, openai_responses, anthropic_messages, gemini, cohere)


class ScriptedServer:
    """A model's server that answers from a script and remembers what it was asked.

    Attributes:
        script: What it says.
        asked: The requests so far.
        rules: What schemas must be like; a schema that breaks one is refused with HTTP 422.
        models: The models that it says it has, to those who ask.
        most_at_once: How many requests it has had open at a time.
        characters_a_token: How it counts tokens for those who ask (Gemini's dialect).
    """

    def __init__(self, script: Script = capable) -> None:
        self.script = script
        self.asked: list[Ask] = []
        self.rules: tuple[SchemaRule, ...] = ()
        self.models: tuple[str, ...] = ("scripted-1",)
        self.most_at_once = 0
        self.characters_a_token = 4
        self.port = 0
        self._at_once = 0
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        """Where it is, without a path."""
        return f"http://127.0.0.1:{self.port}"

    @contextmanager
    def running(self, port: int = 0) -> Generator["ScriptedServer"]:
        """Serve while the block lasts."""
        http = _Http(("127.0.0.1", port), _Handler)
        http.scripted = self
        self.port = http.server_port
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            http.shutdown()
            http.server_close()
            thread.join(5)

    def answer(self, ask: Ask) -> Say | Fault:
        """Return what is said to a request."""
        broken = broken_rule(self.rules, ask)
        return Fault(status=422, code="invalid_schema", message=broken) if broken else self.script(ask)

    @contextmanager
    def taken(self, ask: Ask) -> Generator[Ask]:
        """Remember a request while it is open."""
        with self._lock:
            numbered = replace(ask, number=len(self.asked) + 1)
            self.asked.append(numbered)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            yield numbered
        finally:
            with self._lock:
                self._at_once -= 1


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    scripted: ScriptedServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    @property
    def scripted(self) -> ScriptedServer:
        return cast("_Http", self.server).scripted

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the base's name
        """Say nothing."""

    def do_GET(self) -> None:
        names = self.scripted.models
        if self.path.endswith("/api/tags"):
            self._json(200, {"models": [{"name": name, "model": name} for name in names]}, {})
        else:
            listed = [{"id": name, "object": "model", "created": 0, "owned_by": "us"} for name in names]
            self._json(200, {"object": "list", "data": listed}, {})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path.endswith(":countTokens"):
            length = sum(len(part.get("text", "")) for each in body["contents"] for part in each["parts"])
            self._json(200, {"totalTokens": length // self.scripted.characters_a_token}, {})
            return
        dialect = next((each for each in DIALECTS if each.recognises(self.path)), None)
        if dialect is None:
            self._json(404, {"error": {"message": f"no {self.path} here"}}, {})
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        with self.scripted.taken(dialect.read(self.path, headers, body)) as ask, suppress(ConnectionError):
            said = self.scripted.answer(ask)
            time.sleep(said.after_seconds)
            self._say(dialect, ask, said)

    def _say(self, dialect: ModuleType, ask: Ask, said: Say | Fault) -> None:
        if isinstance(said, Say):
            if ask.is_streamed:
                self._stream(islice(dialect.stream(ask, said), said.cut_after))
            else:
                self._json(200, dialect.write(ask, said), {})
        elif said.cuts:
            self.close_connection = True
            self.wfile.write(said.raw or b"")
        elif said.raw is not None:
            self._bytes(said.status, said.raw, {"content-type": "text/html", **said.headers})
        else:
            self._json(said.status, dialect.error(said), said.headers)

    def _json(self, status: int, content: Json, headers: Any) -> None:
        self._bytes(status, json.dumps(content).encode(), {"content-type": "application/json", **headers})

    def _bytes(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"content-length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _stream(self, events: Iterator[bytes]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for event in events:
            self.wfile.write(event)
            self.wfile.flush()
