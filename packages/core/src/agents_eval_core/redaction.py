r"""Secrets taken out of everything that is written down: keys, tokens, passwords, private keys.

Texts are searched as bytes. What looks for something cheap goes first (a run of key characters, a key word, an `@`), so
that clean text passes at the speed of `bytes.find`; the patterns only see the places that are left. Every quantifier
that could overlap with what follows it is bounded or possessive, so hostile text costs linear time.

Encoded JSON may be given as it is: a replacement never begins within an escape sequence nor removes a quote, and a key
after an escape such as `\n` is found.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from agents_eval_core.secret_assignments import REDACTED, Replacement, assigned_secrets

RUN: Final = 16
KEY_CHARACTERS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."
IS_KEY_CHARACTER: Final = bytes(ord("w") if code in KEY_CHARACTERS else ord(" ") for code in range(256))

# A start within a word ("task-based") is none; a start right after an escape of encoded JSON ("\nsk-…") is one,
# unless its first letter belongs to that escape ("\r8_…" is a carriage return before "8_…").
_START: Final = rb"(?:(?<![A-Za-z0-9\\])|(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4})|(?<=\\)(?![bfnrtu]))"

_TOKENS: Final = (
    rb"sk-(?:ant|proj|svcacct|admin|or|lf|None)-[\w-]{8,}+",  # Anthropic, OpenAI, OpenRouter, Langfuse
    rb"sk-(?:[a-z0-9]{1,12}-){0,2}(?=[A-Za-z]{0,64}[0-9])[A-Za-z0-9]{16,}+[\w-]*+",  # OpenAI, DeepSeek, Stability, …
    rb"[srp]k_(?:live|test|prod)_[A-Za-z0-9]{10,}+",  # Stripe
    rb"csk-[a-z0-9]{20,}+",  # Cerebras
    rb"gh[opusr]_[A-Za-z0-9]{16,}+",  # GitHub
    rb"github_pat_[A-Za-z0-9_]{20,}+",
    rb"gl(?:pat|dt|rt|ptt|cbt)-[\w-]{16,}+",  # GitLab
    rb"AIza[\w-]{30,}+",  # Google
    rb"ya29\.[\w-]{20,}+",
    rb"GOCSPX-[\w-]{20,}+",
    rb"(?:AKIA|ASIA|AGPA|AROA|AIDA)[A-Z0-9]{16}(?![A-Za-z0-9])",  # AWS
    rb"ABSK[A-Za-z0-9]{40,}+",
    rb"gsk_[A-Za-z0-9]{20,}+",  # Groq
    rb"hf_(?=[A-Za-z]{0,64}[0-9A-Z])[A-Za-z0-9]{20,}+",  # Hugging Face
    rb"xai-(?=[A-Za-z]{0,64}[0-9])[A-Za-z0-9]{20,}+",  # xAI
    rb"r8_[A-Za-z0-9]{20,}+",  # Replicate
    rb"pplx-[A-Za-z0-9]{20,}+",  # Perplexity
    rb"nvapi-[\w-]{20,}+",  # NVIDIA
    rb"tvly-[\w-]{11,}+",  # Tavily
    rb"fw_(?=[A-Za-z]{0,64}[0-9])[A-Za-z0-9]{20,}+",  # Fireworks
    rb"tgp_v1_[\w-]{20,}+",  # Together
    rb"jina_[A-Za-z0-9]{20,}+",
    rb"fc-[0-9a-f]{32}",  # Firecrawl
    rb"lsv2_[a-z]{2}_[A-Za-z0-9_]{20,}+",  # LangSmith
    rb"pylf_v[0-9]_[a-z]{2,8}_[A-Za-z0-9]{20,}+",  # Logfire
    rb"wandb_v1_[\w-]{20,}+",
    rb"dapi[0-9a-f]{32}",  # Databricks
    rb"xox[abceoprs]-[A-Za-z0-9-]{10,}+",  # Slack
    rb"xapp-[A-Za-z0-9-]{10,}+",
    rb"npm_[A-Za-z0-9]{30,}+",
    rb"pypi-[\w-]{40,}+",
    rb"SG\.[\w-]{16,}\.[\w-]{16,}+",  # SendGrid
    rb"hvs\.[\w-]{20,}+",  # Vault
    rb"dop_v1_[0-9a-f]{40,}+",  # DigitalOcean
    rb"eyJ[\w-]{8,}+\.eyJ[\w-]{4,}+\.[\w-]*+",  # JWT
)
TOKEN: Final = re.compile(_START + rb"(?:" + rb"|".join(_TOKENS) + rb")", re.ASCII)

_LINE_END: Final = rb"(?:[ \t\r\n]|\\++[nrt])"
PRIVATE_KEY: Final = re.compile(
    rb"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    rb"(?P<body>(?:" + _LINE_END + rb"{0,8}[A-Z][A-Za-z-]{2,20}: [\w,.: +-]{1,120}+){0,4}"
    rb"(?:" + _LINE_END + rb"{0,64}+[A-Za-z0-9+/=]{16,}+)++"
    rb"(?:" + _LINE_END + rb"{0,64}+[A-Za-z0-9+/=]{1,15}+(?=" + _LINE_END + rb"{0,64}+-----END))?)"
)
URL_PASSWORD: Final = re.compile(rb"://[^\s/:@\"'\\<>\[\]]{0,128}:(?P<password>[^\s/@\"'\\<>\[\]]{1,256})\Z")
URL_REACH: Final = 400


def redact(text: str) -> str:
    """Return a text with its secrets replaced by `[REDACTED]`; clean text comes back as it is.

    Redacting twice changes nothing more, and valid JSON stays valid JSON.

    >>> redact("export OPENAI_API_KEY=sk-proj-abcdefgh12345678 # a task-based, risk-averse sk-learn pipeline")
    'export OPENAI_API_KEY=[REDACTED] # a task-based, risk-averse sk-learn pipeline'
    >>> redact('{"api_key": "x", "max_tokens": 400}')
    '{"api_key": "[REDACTED]", "max_tokens": 400}'
    """
    data = text.encode("utf-8", "surrogatepass")
    clean = redact_bytes(data)
    return text if clean is data else clean.decode("utf-8", "surrogatepass")


def redact_bytes(data: bytes) -> bytes:
    """Return bytes with the secrets of their text replaced; clean bytes are returned themselves.

    >>> redact_bytes(b"https://me:hunter2@example.org/")
    b'https://me:[REDACTED]@example.org/'
    """
    while replacements := sorted(_secrets(data)):  # a replacement can lay bare a further one; each pass leaves less
        data = _replaced(data, replacements)
    return data


def _secrets(data: bytes) -> Iterator[Replacement]:
    yield from _tokens(data)
    yield from _private_keys(data)
    yield from _url_passwords(data)
    yield from assigned_secrets(data)


def _tokens(data: bytes) -> Iterator[Replacement]:
    runs = data.translate(IS_KEY_CHARACTER)
    wanted, end = b"w" * RUN, 0
    while (start := runs.find(wanted, end)) >= 0:
        end = runs.find(b" ", start)
        end = len(data) if end < 0 else end
        for found in TOKEN.finditer(data, start, end):
            yield found.start(), found.end(), REDACTED


def _private_keys(data: bytes) -> Iterator[Replacement]:
    for start in _places(data, b"-----BEGIN "):
        if found := PRIVATE_KEY.match(data, start):
            yield found.start("body"), found.end("body"), REDACTED


def _url_passwords(data: bytes) -> Iterator[Replacement]:
    for at in _places(data, b"@"):
        if found := URL_PASSWORD.search(data, max(0, at - URL_REACH), at):
            yield found.start("password"), found.end("password"), REDACTED


def _places(data: bytes, wanted: bytes) -> Iterator[int]:
    place = data.find(wanted)
    while place >= 0:
        yield place
        place = data.find(wanted, place + len(wanted))


def _replaced(data: bytes, replacements: Iterable[Replacement]) -> bytes:
    """Return the data with places replaced; of places that overlap, the first says with what."""
    parts: list[bytes] = []
    done = 0
    for start, end, substitute in replacements:
        if start >= done:
            parts += [data[done:start], substitute]
        done = max(done, end)
    return b"".join([*parts, data[done:]])
