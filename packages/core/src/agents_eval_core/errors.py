"""The one family of errors.

AgentsEvalError
├── UsageError              asked for something that cannot be (exit code 2)
│   ├── UnknownNameError    a name that nothing answers to
│   ├── SeveralRunsError    several runs where one is asked for
│   ├── SettingsError       a setting that does not exist or does not fit
│   └── PaperError          a paper or data folder that cannot be used
├── UnreadableError         a file that is there but cannot be understood (exit code 2)
├── UndefinedMetricError    a measure that has no value for these arguments
├── RunFailedError          a run that ended without its result (exit code 3)
├── ModelError              a model that did not give its answer (exit code 3)
│   ├── UnreadableReplyError    an answer came that is not in the form that was asked for
│   └── RefusedReplyError       the model declined to answer
├── WorkerLostError         a worker that died of its work, or with it
├── NetworkError            something asked for over the network did not come (exit code 3)
│   ├── RefusedError        a URL or address that Agents-eval does not ask; nothing was sent
│   ├── UnreachableError    no connection to the host, or no network
│   └── RateLimitedError    the host wants no more requests for now
├── BudgetSpentError        a request that a budget has no room for; it was not sent
└── StorageError            something could not be written or read back (exit code 3)
"""

from collections.abc import Iterable
from difflib import get_close_matches

NAMES_SHOWN = 12


class AgentsEvalError(Exception):
    """Anything that Agents-eval reports to a person: one sentence, with what to do."""


class UsageError(AgentsEvalError):
    """What was asked cannot be done as asked."""


class SeveralRunsError(UsageError):
    """One run is asked for, and what was given is several."""


class SettingsError(UsageError):
    """A setting is unknown or its value does not fit."""


class PaperError(UsageError):
    """A paper, or the folder it should be in, cannot be used."""


class UnreadableError(AgentsEvalError):
    """A file exists but its content cannot be understood."""


class RunFailedError(AgentsEvalError):
    """A run ended without its result; what was done is kept."""


class ModelError(AgentsEvalError):
    """A model did not give the answer it was asked for.

    Attributes:
        error_type: What kind of failure it was, such as `ModelRateLimitError`.
    """

    def __init__(self, message: str, *, error_type: str) -> None:
        super().__init__(message)
        self.error_type = error_type


class UnreadableReplyError(ModelError):
    """An answer came that is not in the form that was asked for.

    >>> UnreadableReplyError("there is no JSON object in it", text="Sure!").text
    'Sure!'
    """

    def __init__(self, problem: str, *, text: str) -> None:
        super().__init__(problem, error_type="UnreadableReply")
        self.text = text


class RefusedReplyError(ModelError):
    """The model declined to answer."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem, error_type="RefusedReply")


class WorkerLostError(AgentsEvalError):
    """The process that did some work is gone, and the work with it."""


class NetworkError(AgentsEvalError):
    """Something asked for over the network did not come, or not as it should."""


class RefusedError(NetworkError):
    """A URL or address is outside of what Agents-eval may ask; nothing was sent to it."""


class UnreachableError(NetworkError):
    """There is no connection to the host, or no network at all."""


class RateLimitedError(NetworkError):
    """The host wants no more requests for longer than is waited for."""


class BudgetSpentError(AgentsEvalError):
    """A request does not fit into what is left of a budget; nothing was sent."""


class StorageError(AgentsEvalError):
    """A file or the database could not be written or read back."""


class UnknownNameError(UsageError):
    """A name that nothing answers to; says what is near it and what there is.

    >>> str(UnknownNameError("composition", "manger", ["manager", "full"], hint="'agents-eval plugins' lists all"))
    "no composition named 'manger'; did you mean 'manager'? 'agents-eval plugins' lists all"
    """

    def __init__(self, kind: str, name: str, known: Iterable[str], *, hint: str = "") -> None:
        names = sorted(known)
        near = get_close_matches(name, names, n=1)
        if near:
            advice = f"did you mean {near[0]!r}?"
        elif names:
            shown = ", ".join(names[:NAMES_SHOWN]) + (", …" if len(names) > NAMES_SHOWN else "")
            advice = f"there is: {shown}."
        else:
            advice = "there is none."
        super().__init__(f"no {kind} named {name!r}; {advice} {hint}".rstrip())


class UndefinedMetricError(AgentsEvalError):
    """A measure has no value for these arguments.

    >>> str(UndefinedMetricError("tool_recall", because="the case expects no tool call"))
    'tool_recall is undefined: the case expects no tool call'
    """

    def __init__(self, metric: str, *, because: str) -> None:
        super().__init__(f"{metric} is undefined: {because}")
        self.because = because
