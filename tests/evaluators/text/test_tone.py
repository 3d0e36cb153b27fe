from collections.abc import Awaitable, Callable

from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_evaluators.text.tone import Tone, is_generic_praise, is_harsh

Ask = Callable[..., Awaitable[Evaluation]]


async def test_harsh_sentences_are_a_warning_and_empty_praise_a_note(a_run: Callable[..., Run], ask: Ask) -> None:
    evaluation = await ask(Tone(), a_run(text="The paper is well written.\nThis section is a ridiculous claim."))
    found = {finding.name: (finding.severity, finding.evidence.quotes) for finding in evaluation.findings}
    assert found == {
        "harsh_tone": ("warning", ("This section is a ridiculous claim.",)),
        "generic_praise": ("info", ("The paper is well written.",)),
    }
    assert evaluation.scores == ()


async def test_plain_criticism_is_no_harshness(a_run: Callable[..., Run], ask: Ask) -> None:
    assert (await ask(Tone(), a_run())).findings == ()


def test_praise_with_a_reason_or_a_place_is_not_generic() -> None:
    assert is_generic_praise("This is an interesting idea.")
    assert not is_generic_praise("This is an interesting idea because it needs no labels.")
    assert not is_generic_praise("Table 3 has interesting results.")


def test_words_of_the_field_are_not_harsh() -> None:
    assert not is_harsh("The network is trained with weak labels and dropout.")
