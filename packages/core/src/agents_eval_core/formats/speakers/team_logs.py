"""Text logs of two teams that MAST holds: ChatDev's and MetaGPT's.

ChatDev: an entry that names two roles, a phase and a turn is a message of the one who speaks to the other; what stands
in brackets before it repeats the listener's prompt and is left in the file. Token counts that the log gives between
entries are model calls of nobody known. MetaGPT: blocks of messages, to all or to somebody. The times of both lack a
zone, and ChatDev has days and months in either order, so they are kept as the attribute `logged_at`.
"""

import re
from collections.abc import Iterator
from typing import Final

from agents_eval_core.formats.speakers.speaker_log import SpeakerLog
from agents_eval_core.trace import Usage

CHATDEV: Final = re.compile(r"^\[(?P<at>[\d-]{10} [\d:]{8}) [A-Z]{4,8}\] ", re.MULTILINE)
TURN: Final = re.compile(
    r"(?P<name>[^:*\n]{1,80}): \*\*(?P<one>[^<*\n]{1,80})<->(?P<other>[^*\n]{1,80}?) on ?: (?P<phase>\w{1,80}),"
    r" turn (?P<turn>\d{1,6})\*\*\s*"
)
STARTED: Final = re.compile(r"(?P<name>[^:*\n]{1,80}): \*\*\[Start Chat\]\*\*\s*")
HEADING: Final = re.compile(r"(?:System: )?\*\*\[(?P<what>[^\]\n]{1,80})\]\*\*:?\s*")
TOKENS: Final = re.compile(r"\b(prompt|completion)_tokens: (\d{1,9})\b")
METAGPT: Final = re.compile(
    r"^\[(?P<at>[\d-]{10} [\d:]{8})\] (?:FROM: (?P<name>[^\n]{1,80}?) TO: \{(?P<to>[^}\n]{0,200})\}|NEW MESSAGES:)"
    r"[ \t]*$",
    re.MULTILINE,
)
CONTENT: Final = re.compile(r"\s*(?:ACTION: (?P<action>[^\n]{0,200})\n)?CONTENT:\s*")
SAID: Final = re.compile(r"\s*(?P<name>\w{1,80}): ?")
RULE: Final = re.compile(r"\n-{20,}\s*$")


def team_log(text: str, longest_text: int | None) -> SpeakerLog | None:
    """Return the log of a text that is of either kind, else None."""
    log = SpeakerLog(longest_text)
    if METAGPT.search(text):
        _read_metagpt(text, log)
    elif CHATDEV.search(text) and "<->" in text:
        _read_chatdev(text, log)
    return log if len(log.spans) > 1 else None


def _blocks(pattern: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each heading with the text up to the next one."""
    before: re.Match[str] | None = None
    for match in pattern.finditer(text):
        if before is not None:
            yield before, text[before.end() : match.start()]
        before = match
    if before is not None:
        yield before, text[before.end() :]


def _read_chatdev(text: str, log: SpeakerLog) -> None:
    for place, (heading, said) in enumerate(_blocks(CHATDEV, text)):
        attributes = {"logged_at": heading.group("at")}
        turn, started, other = TURN.match(said), STARTED.match(said), HEADING.match(said)
        if turn is not None:
            pair = (turn.group("one"), turn.group("other"))
            name = turn.group("name")
            to = pair[1] if name == pair[0] else pair[0]
            attributes |= {"phase": turn.group("phase"), "turn": turn.group("turn")}
            log.say(name, _without_prompt(said[turn.end() :]), str(place), attributes=attributes)
            if log.spans[-1].operation == "message":
                log.change(log.spans[-1].seq, to_agent_id=log.speaker(to))
        elif started is not None:
            log.say(started.group("name"), _without_prompt(said[started.end() :]), str(place), attributes=attributes)
        elif other is not None:
            _take_heading(other.group("what"), said[other.end() :], str(place), log, attributes)
        else:
            log.miss("line of the program's own log")


def _take_heading(what: str, said: str, place: str, log: SpeakerLog, attributes: dict[str, str]) -> None:
    tokens = {kind: int(count) for kind, count in TOKENS.findall(said)}
    if tokens:
        usage = Usage(input_tokens=tokens.get("prompt"), output_tokens=tokens.get("completion"))
        log.add("chat", "chat", id=place, parent_id=log.root, usage=usage, source_ids=[place], attributes=attributes)
        return
    log.add("other", what, id=place, parent_id=log.root, text=said.strip(), source_ids=[place], attributes=attributes)


def _without_prompt(said: str) -> str:
    end = said.find("]\n\n") if said.startswith("[") else -1
    return (said[end + 3 :] if end >= 0 else said).strip()


def _read_metagpt(text: str, log: SpeakerLog) -> None:
    for place, (heading, block) in enumerate(_blocks(METAGPT, text)):
        attributes = {"logged_at": heading.group("at")}
        said = RULE.sub("", block.rstrip())
        name, content = heading.group("name"), CONTENT.match(said)
        if name is not None and content is not None:
            attributes |= {"to": heading.group("to"), "action": content.group("action") or ""}
            log.say(name, said[content.end() :].strip(), str(place), attributes=attributes)
        elif (spoken := SAID.match(said)) is not None:
            log.say(spoken.group("name"), said[spoken.end() :].strip(), str(place), attributes=attributes)
        else:
            log.miss("block without a speaker")
