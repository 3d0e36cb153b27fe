"""Cases that people write themselves: a YAML or JSON file with the fields of `Case`."""

import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any, Final, cast

import yaml
from pydantic import ValidationError

from agents_eval_core.case import Case
from agents_eval_core.errors import UnknownNameError, UnreadableError, UsageError

LARGEST_BYTES: Final = 4 * 2**20
BOOL_TAG: Final = "tag:yaml.org,2002:bool"
PLAIN_TAGS: Final = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("int", "float", "null"))


class _Loader(yaml.SafeLoader):
    """YAML as JSON has it: no dates, no `yes` for true, no aliases, no key twice."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        events = cast("Any", self)  # PyYAML's parser has no types
        if events.check_event(yaml.AliasEvent):
            raise yaml.YAMLError(f"an alias (*name) in line {events.peek_event().start_mark.line + 1}; write it out")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in cast("list[tuple[yaml.Node, yaml.Node]]", node.value):
            name = str(key.value)
            if name in seen:
                raise yaml.YAMLError(f"the key {name!r} twice, in line {key.start_mark.line + 1}")
            seen.add(name)
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag in PLAIN_TAGS]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _first in "tf":
    _Loader.yaml_implicit_resolvers.setdefault(_first, []).append((BOOL_TAG, re.compile("^(?:true|false)$")))


def read_case(path: Path) -> Case:
    r"""Return the case that a file describes; without an `id` it has the file's name.

    JSON is read as the YAML it is. Words such as `yes` and dates stay texts, as they do in a trace's arguments.

    Raises:
        UsageError: There is no such file, or a field of it is unknown or does not fit.
        UnreadableError: It is neither YAML nor JSON, or no mapping.

    >>> file = Path("booking.yaml")
    >>> _ = file.write_text("expected_calls:\n  - name: book\n    arguments: {on: 2026-05-01}\n")
    >>> read_case(file).expected_calls
    (ExpectedCall(name='book', arguments={'on': '2026-05-01'}),)
    """
    fields = _fields(path)
    for name in fields:
        if name not in Case.model_fields:
            raise UnknownNameError("field of a case", str(name), Case.model_fields, hint=f"It stands in {path}.")
    try:
        return Case.model_validate({"id": path.stem, **fields})
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{path}: the field {place} does not fit: {first['msg']}; see the fields of Case") from problem


def _fields(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            written = file.read(LARGEST_BYTES + 1)
    except OSError as problem:
        raise UsageError(f"the case {path} cannot be read: {problem.strerror}; give a YAML or JSON file") from problem
    if len(written) > LARGEST_BYTES:
        raise UnreadableError(f"the case {path} is larger than {LARGEST_BYTES:,} bytes; give a file for one case")
    try:
        fields = yaml.load(written, Loader=_Loader)  # noqa: S506  a SafeLoader that knows even less
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as problem:
        said = " ".join(str(problem).split())
        raise UnreadableError(f"the case {path} is neither YAML nor JSON: {said}; repair it") from problem
    if not isinstance(fields, dict):
        raise UnreadableError(f"the case {path} holds {type(fields).__name__}, not fields such as expected_calls: …")
    return fields  # pyright: ignore[reportUnknownVariableType]  the model looks at what is in it
