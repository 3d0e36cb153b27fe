import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.redaction import redact, redact_bytes

BODY = "a1B2c3D4" * 8  # put together here, so that no text in this file looks like a key

TOKENS = [
    f"sk-{BODY}",
    f"sk-proj-{BODY[:20]}_{BODY}-x",
    f"sk-ant-api03-{BODY}_-AA",
    f"sk-or-v1-{BODY}",
    f"sk-svcacct-{BODY}",
    f"ghp_{BODY[:36]}",
    f"gho_{BODY[:36]}",
    f"github_pat_{BODY[:22]}_{BODY}",
    f"glpat-{BODY[:20]}",
    f"AIza{BODY[:35]}",
    f"gsk_{BODY[:52]}",
    f"hf_{BODY[:34]}",
    f"xai-{BODY}",
    f"r8_{BODY[:37]}",
    f"pplx-{BODY[:48]}",
    f"nvapi-{BODY}",
    f"tvly-dev-{BODY[:32]}",
    f"tvly-{BODY[:32]}",
    f"AKIA{'Q1W2E3R4' * 2}",
    f"xoxb-{'123456789012'}-{BODY[:24]}",
    f"npm_{BODY[:36]}",
    f"lsv2_pt_{BODY[:32]}_{BODY[:10]}",
    f"pylf_v1_eu_{BODY[:40]}",
    f"sk_live_{BODY[:24]}",
    f"SG.{BODY[:22]}.{BODY[:43]}",
    f"eyJ{BODY[:20]}.eyJ{BODY[:40]}.{BODY[:30]}",
]
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}\n{BODY}\nQUJD==\n-----END RSA PRIVATE KEY-----"

HARMLESS = [
    "a task-based, risk-averse, desk-rejected sk-learn pipeline; sk-learn-based-pipelines-v2 and disk-based",
    "commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad, sha256 " + "0123456789abcdef" * 4,
    "https://doi.org/10.1145/3292500.3330701 and arXiv:1804.09635v2, mail me@example.org, http://localhost:8080/a@b",
    r"\begin{equation} p(x_{t}|x_{<t}) = \mathrm{softmax}(W h_t) \end{equation} \label{eq:token_prob}",
    "We mask each token: the model sees 15% of them. Key: value memories. The secret is depth.",
    "max_tokens=400, input_tokens: 1200, pad_token='[PAD]', eos_token=\"</s>\", tokenizer=bert-base-cased",
    '{"max_tokens": 400, "eos_token": "</s>", "key": "value", "secretary": "x", "token": "the"}',
    "the bearer of bad news; bearer token authentication; passwords are hashed; bypass=True; keyboard=qwerty",
    "api_key=None, api_key=api_key, api_key=settings.api_key, password=get_password(), password: the word users choose",
    "a xai-explanation-of-predictions, hf_hub_download, eyJ is how a JWT begins, AKIA alone, ghp_ alone",
    "-----BEGIN PRIVATE KEY----- is the line with which such a file begins, and then come sixteenormoreletters",
]


@pytest.mark.parametrize("token", TOKENS, ids=lambda token: token[:8])
def test_a_providers_key_is_taken_out_wherever_it_stands(token: str) -> None:
    assert redact(token) == "[REDACTED]"
    assert redact(f"used {token}, then") == "used [REDACTED], then"
    assert BODY[:12] not in redact(json.dumps({"note": f"line\n{token}\tmore", "list": [token]}))
    assert BODY[:12] not in redact(json.dumps(json.dumps({"a": f"\n{token}"})))
    assert BODY[:12] not in redact(f"https://example.org/?q={token}&x=1")


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ('{"api_key": "x"}', '{"api_key": "[REDACTED]"}'),
        ('{"apiKey":"x","b":1}', '{"apiKey":"[REDACTED]","b":1}'),
        ('{"password": "a \\" b\\\\", "b": "c"}', '{"password": "[REDACTED]", "b": "c"}'),
        (r'{"a": "{\"api_key\": \"x\"}"}', r'{"a": "{\"api_key\": \"[REDACTED]\"}"}'),
        (r'"{\\\"client_secret\\\": \\\"x\\\"}"', r'"{\\\"client_secret\\\": \\\"[REDACTED]\\\"}"'),
        ("{'password': 'hunter2'}", "{'password': '[REDACTED]'}"),
        ('{"password": 123456}', '{"password": "[REDACTED]"}'),
        ("password=hunter2&user=me", "password=[REDACTED]&user=me"),
        ('OPENAI_API_KEY="abc def"', 'OPENAI_API_KEY="[REDACTED]"'),
        ("DB_PASSWORD=swordfish", "DB_PASSWORD=[REDACTED]"),
        ("password: hunter2", "password: [REDACTED]"),
        ("x-api-key: 0f3c9a", "x-api-key: [REDACTED]"),
        ("--api-key abc123 --verbose", "--api-key [REDACTED] --verbose"),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [REDACTED]"),
        ("Authorization: Bearer abcdefgh", "Authorization: Bearer [REDACTED]"),
        ("sent with Bearer 0f3c9a1d77aa42", "sent with Bearer [REDACTED]"),
        ("postgres://me:pa55@db.example.org/x", "postgres://me:[REDACTED]@db.example.org/x"),
        ("GITHUB_TOKEN=0f3c9a1d77aa42", "GITHUB_TOKEN=[REDACTED]"),
        (
            '{"key":"http.request.header.x-api-key","value":{"stringValue":"abc"}}',
            '{"key":"http.request.header.x-api-key","value":{"stringValue":"[REDACTED]"}}',
        ),
    ],
)
def test_a_value_after_the_word_for_a_secret_is_taken_out(text: str, clean: str) -> None:
    assert redact(text) == clean


def test_a_private_key_is_taken_out_between_its_lines() -> None:
    around = "-----BEGIN RSA PRIVATE KEY-----[REDACTED]\n-----END RSA PRIVATE KEY-----"
    assert redact(f"before {PEM} after") == f"before {around} after"
    assert json.loads(redact(json.dumps({"pem": PEM}))) == {"pem": around}
    assert BODY not in redact(PEM[:90])


@pytest.mark.parametrize("text", HARMLESS, ids=lambda text: text[:20])
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text) == text
    assert redact(json.dumps(text)) == json.dumps(text)


def test_clean_bytes_come_back_as_they_are() -> None:
    data = b"\xff\x00 not even text"
    assert redact_bytes(data) is data


def test_real_papers_and_reviews_stay_as_they_are(peerread: Path) -> None:
    changed: list[Any] = []
    for path in peerread.rglob("*.json"):
        data = path.read_bytes()
        assert redact_bytes(data) is data, path.name
        changed += [text for text in _texts(json.loads(data)) if redact(text) != text]
    assert changed == []


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for entry in cast("list[Any]", value):
            yield from _texts(entry)
    elif isinstance(value, dict):
        for entry in cast("dict[str, Any]", value).values():
            yield from _texts(entry)


PIECES = [
    *TOKENS,
    *(
        f"{word}{sign}"
        for word in ("password", "api_key", "token", "secret", "x-api-key", "--password")
        for sign in "=: "
    ),
    *('"', "'", "\\", '\\"', '"api_key": "', '\\"password\\": \\"', "'password': '", "Bearer ", "authorization: "),
    *(
        "\n",
        "\t",
        ", ",
        "}",
        "]",
        "[REDACTED]",
        "://a:",
        "@",
        "hunter22",
        "123",
        "eyJ",
        "sk-",
        "\r8_",
        "\npm_",
        "\bfw_",
    ),
    *(PEM, PEM[:60], "-----BEGIN PRIVATE KEY-----", "é", "\ud800"),
]
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=12).map("".join)


@given(texts)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@given(texts, st.integers(0, 3))
def test_encoded_json_stays_json_at_any_depth(text: str, depth: int) -> None:
    value: Any = {"a": text, "password": [text, 1], "api_key": 7, text: {"token": text}}
    for _ in range(depth):
        value = {"a": json.dumps(value, ensure_ascii=depth == 1), "b": text}
    json.loads(redact(json.dumps(value)))
    json.loads(redact(json.dumps(value, ensure_ascii=False, indent=1)))


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "sk-",
            "a-",
            "eyJ",
            "eyJaaaaaaaaaaaa.eyJ",
            '"api_key": "',
            '\\"api_key\\": \\"',
            "password",
            "password ",
            "\\",
        ),
        *(
            'password="\\"',
            "://",
            "://a:",
            "://a:b@",
            "-----BEGIN PRIVATE KEY-----",
            "-----BEGIN ",
            "bearer ",
            "hf_a",
            "'",
        ),
        *(
            "\\n" * 8 + "A" * 16,
            "password=\\\\\\",
            "token=a1",
            'key":',
            "--password ",
            "x" * 40 + "@",
            "password='\"",
            "@",
        ),
    ],
)
def test_hostile_text_costs_time_in_proportion_to_its_length(piece: str) -> None:
    def seconds(size: int) -> float:
        text = (piece * (size // len(piece) + 1))[:size]
        begun = time.process_time()
        redact("-----BEGIN PRIVATE KEY-----" + text)
        redact('"api_key": "' + text)
        return time.process_time() - begun

    short, long = seconds(8_000), seconds(128_000)
    assert long < 64 * max(short, 0.002)  # 16 times the length: linear is 16, quadratic 256
