"""Documents: files that hold one JSON object, which names its kind and the version of its shape."""

import re
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import msgspec
from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticSerializationError, to_json

from agents_eval_core.errors import UnreadableError
from agents_eval_core.redaction import redact_bytes
from agents_eval_core.store.atomic_file import write_atomically

T = TypeVar("T", bound=BaseModel)
VERSION: Final = 1
LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def write_document(path: Path, kind: str, content: BaseModel) -> None:
    """Write a value as a document, without its secrets.

    Raises:
        StorageError: It could not be written; what was there before is still there.
    """
    write_atomically(path, document(kind, content))


def document(kind: str, content: BaseModel) -> bytes:
    """Return what the document of a value holds, without its secrets."""
    head = b'{\n  "schema": "%s",' % schema(kind).encode()
    return head + redact_bytes(_encoded(content)).removeprefix(b"{") + b"\n"


def read_document(path: Path, kind: str, shape: type[T]) -> T:
    """Return the value of a document.

    Raises:
        UnreadableError: It is no such document, is damaged, or was written by a newer version.
    """
    try:
        content = msgspec.json.decode(path.read_bytes())
    except OSError as problem:
        raise UnreadableError(f"{path} cannot be read: {(problem.strerror or str(problem)).lower()}") from problem
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise UnreadableError(f"{path} is not valid JSON: {problem}; the file is damaged or was edited") from problem
    return _validated(path, shape, _fields(path, kind, content))


def schema(kind: str) -> str:
    """Return the name of a document's shape.

    >>> schema("run")
    'agents-eval/run/1'
    """
    return f"agents-eval/{kind}/{VERSION}"


def _encoded(content: BaseModel) -> bytes:
    try:
        return content.model_dump_json(indent=2).encode()
    except PydanticSerializationError:  # half of a surrogate pair, as models sometimes write
        return to_json(_repaired(content.model_dump()), indent=2, inf_nan_mode="null")


def _repaired(value: Any) -> Any:
    match value:
        case str():
            return LONE_SURROGATE.sub("\ufffd", value)
        case dict():
            entries = cast("dict[Any, Any]", value)
            return {_repaired(key): _repaired(entry) for key, entry in entries.items()}
        case list() | tuple():
            return [_repaired(entry) for entry in cast("list[Any]", value)]
        case _:
            return value


def _fields(path: Path, kind: str, content: object) -> dict[str, Any]:
    found = cast("dict[str, Any]", content).pop("schema", None) if isinstance(content, dict) else None
    if found == schema(kind):
        return cast("dict[str, Any]", content)
    name, _, version = str(found).rpartition("/")
    if name == f"agents-eval/{kind}" and version.isdecimal() and int(version) > VERSION:
        raise UnreadableError(
            f"{path} has the schema {found}, written by a newer version of Agents-eval; this one reads up to "
            f"{schema(kind)}: upgrade it with 'pip install --upgrade agents-eval'"
        )
    said = f"the schema {found!r}" if found is not None else "no schema"
    raise UnreadableError(f"{path} is no {kind} of Agents-eval: it has {said}, not {schema(kind)!r}")


def _validated(path: Path, shape: type[T], fields: dict[str, Any]) -> T:
    try:
        return shape.model_validate_json(msgspec.json.encode(fields))
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "its content"
        raise UnreadableError(
            f"{path}: {place} does not fit: {first['msg']}; the file was edited or damaged"
        ) from problem
