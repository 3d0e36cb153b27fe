"""Hosts on this machine: under real names with TLS, PeerRead's repository as such a host gives it, a model."""

import datetime
import hashlib
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from agents_eval_agents.providers import patient_model
from agents_eval_agents.providers.table import ROWS
from agents_eval_agents.providers.traffic import traffic_with
from agents_eval_core.outgoing.policy import Policy
from scripted_server.server import ScriptedServer

SEARCHES = ("html.duckduckgo.com", "api.tavily.com")
API, RAW, FILES = "api.github.com", "raw.githubusercontent.com", "files.test"
COMMIT = "9bb37751781a900cee9e74ec3105997732c8e8e5"

Answer = Callable[[str, str], bytes | Iterator[bytes]]


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the keys of whoever runs the tests: no test may ask a real provider."""
    for row in ROWS:
        for name in (*row.key_variables, row.base_url_variable):
            monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def fresh_traffic() -> None:
    """Forget which providers failed in the tests before."""
    traffic_with.cache_clear()


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask again almost at once, where the provider does not say how long to wait."""
    monkeypatch.setattr(patient_model, "FIRST_PAUSE_SECONDS", 0.005)


@pytest.fixture
def scripted_server() -> Iterator[ScriptedServer]:
    """Return a server that speaks the dialects of all providers; its script carries a whole review unless changed."""
    with ScriptedServer().running() as server:
        yield server


@pytest.fixture
def reached(scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Return a function that lets a provider of the table be reached at the scripted server, with a made-up key."""

    def reach(name: str) -> str:
        row = next(row for row in ROWS if row.name == name)
        path = urlsplit(row.base_url).path or ("/v1" if "own_models" in row.quirks else "")
        monkeypatch.setenv(row.base_url_variable, scripted_server.url + path)
        monkeypatch.setenv(row.key, "made-up-key-of-a-test")
        return name

    return reach


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with a certificate of the hosts, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "for tests only")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName(host) for host in (API, RAW, FILES, *SEARCHES)]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("authority") / "both.pem"
    form = serialization.PrivateFormat.PKCS8
    file.write_bytes(
        certificate.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    )
    return file


@pytest.fixture
def heard() -> list[bytes]:
    """Return what the hosts of a test were sent: heads with their bodies."""
    return []


@pytest.fixture
def serve(authority: Path, heard: list[bytes]) -> Iterator[Callable[[Answer], Policy]]:
    """Return a function that starts a host and returns the policy under which it is reached.

    The host gives, for each name and target, the bytes it is told to give; no bytes are a dropped connection. A
    connection is kept for a next request only if the answer says so.
    """
    with ExitStack() as ends:

        def start(answer: Answer) -> Policy:
            listener = socket.create_server(("127.0.0.1", 0))
            ends.enter_context(_serving(listener, authority, answer, heard))
            port = int(listener.getsockname()[1])

            async def here(_host: str, _port: int) -> tuple[tuple[str, int], ...]:
                return (("127.0.0.1", port),)

            return Policy(
                hosts=frozenset({API, RAW, FILES, "other.test", *SEARCHES}),
                resolve=here,
                may_connect=_is_loopback,
                tls=lambda: ssl.create_default_context(cafile=authority),
            )

        yield start


def _is_loopback(address: IPv4Address | IPv6Address) -> bool:
    return address.is_loopback


class _serving:  # noqa: N801  a context, read as a verb
    def __init__(self, listener: socket.socket, authority: Path, answer: Answer, heard: list[bytes]) -> None:
        self._listener, self._answer, self._heard = listener, answer, heard
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(authority)
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)

    def __enter__(self) -> None:
        self._accepting.start()

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._accepting.join(5)
        for connection in list(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.add(connection)
            thread = threading.Thread(target=self._talk, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _talk(self, connection: socket.socket) -> None:
        with connection, suppress(OSError), self._context.wrap_socket(connection, server_side=True) as channel:
            self._open.add(channel)
            while self._answered(channel):
                pass

    def _answered(self, channel: ssl.SSLSocket) -> bool:
        head = b""
        while b"\r\n\r\n" not in head:
            more = channel.recv(65536)
            if not more:
                return False
            head += more
        lines = head.decode("latin-1").split("\r\n")
        length = next((int(line.split(": ")[1]) for line in lines if line.lower().startswith("content-length: ")), 0)
        while len(head.partition(b"\r\n\r\n")[2]) < length:
            head += channel.recv(65536)
        self._heard.append(head)
        host = next(line.split(": ", 1)[1] for line in lines if line.lower().startswith("host: "))
        reply = self._answer(host, lines[0].split(" ")[1])
        parts = [reply] if isinstance(reply, bytes) else reply
        sent = b""
        for sent in parts:
            channel.sendall(sent)
        return b"connection: keep-alive" in sent.split(b"\r\n\r\n")[0].lower()


@pytest.fixture(scope="session")
def reply() -> Callable[..., bytes]:
    """Return a function that makes the bytes of an answer."""

    def make(body: bytes = b"", *, status: int = 200, length: int | None = None, **headers: str | int) -> bytes:
        lines = [f"HTTP/1.1 {status} Said", f"content-length: {len(body) if length is None else length}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body

    return make


@pytest.fixture(scope="session")
def venue_files() -> Callable[..., dict[str, bytes]]:
    """Return a function that makes up papers, as the files that PeerRead would have of them."""

    def make(
        venue: str = "iclr_2017", *, papers: int = 3, splits: tuple[str, ...] = ("dev", "train")
    ) -> dict[str, bytes]:
        files = {f"data/{venue}/README.md": b"Made up; no paper is real.\n"}
        for split in splits:
            for number in range(papers):
                stem, title = f"{100 + number}", f"Made-up paper {number} of {split}"
                review = {"title": title, "abstract": f"We measure {title}.", "reviews": [{"comments": "Fine."}]}
                parsed = {
                    "metadata": {"title": title, "sections": [{"heading": "1", "text": f"Text of {title}. " * 20}]}
                }
                place = f"data/{venue}/{split}"
                files[f"{place}/reviews/{stem}.json"] = json.dumps(review).encode()
                files[f"{place}/parsed_pdfs/{stem}.pdf.json"] = json.dumps(parsed).encode()
                files[f"{place}/pdfs/{stem}.pdf"] = b"%PDF-1.4 " + title.encode() * 50
        return files

    return make


@pytest.fixture(scope="session")
def github(reply: Callable[..., bytes]) -> Callable[..., Callable[[str, str], bytes]]:
    """Return a function that makes a host give files as GitHub gives those of PeerRead's repository."""

    def make(files: Mapping[str, bytes], *, truncated: frozenset[str] = frozenset()) -> Callable[[str, str], bytes]:
        trees = _trees(files)

        def answer(host: str, target: str) -> bytes:
            if host == RAW:
                content = files.get(target.removeprefix(f"/allenai/PeerRead/{COMMIT}/").replace("%20", " "))
                return reply(status=404) if content is None else reply(content, connection="keep-alive")
            path, _, query = target.removeprefix("/repos/allenai/PeerRead/").partition("?")
            if path == "commits/master":
                return _json(reply, {"sha": COMMIT})
            folder = next((name for name, sha in trees.items() if path == f"git/trees/{sha}"), None)
            if folder is None:
                return reply(status=404)
            is_whole = query == "recursive=1"
            listed = _listed(files, trees, folder, is_whole=is_whole)
            if is_whole and folder in truncated:
                return _json(reply, {"tree": listed[:1], "truncated": True})
            return _json(reply, {"tree": listed, "truncated": False})

        return answer

    return make


def _json(reply: Callable[..., bytes], content: Any) -> bytes:
    return reply(json.dumps(content).encode(), connection="keep-alive")


def _trees(files: Mapping[str, bytes]) -> dict[str, str]:
    folders = {"": COMMIT}
    for path in files:
        parts = path.split("/")[:-1]
        for depth in range(1, len(parts) + 1):
            folder = "/".join(parts[:depth])
            folders[folder] = hashlib.sha1(folder.encode(), usedforsecurity=False).hexdigest()
    return folders


def _listed(
    files: Mapping[str, bytes], trees: Mapping[str, str], folder: str, *, is_whole: bool
) -> list[dict[str, object]]:
    start = f"{folder}/" if folder else ""
    folders: list[dict[str, object]] = [
        {"path": name.removeprefix(start), "mode": "040000", "type": "tree", "sha": sha}
        for name, sha in trees.items()
        if name.startswith(start) and name != folder
    ]
    blobs: list[dict[str, object]] = [
        {
            "path": path.removeprefix(start),
            "mode": "100644",
            "type": "blob",
            "size": len(content),
            "sha": hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest(),
        }
        for path, content in files.items()
        if path.startswith(start)
    ]
    lines = [*folders, *blobs]
    return lines if is_whole else [line for line in lines if "/" not in str(line["path"])]
