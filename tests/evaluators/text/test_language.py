import pytest

from agents_eval_evaluators.text.language import other_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            "Cet article est bien \u00e9crit, mais les r\u00e9sultats ne sont pas nouveaux.",
            "French",
        ),
        (
            "El trabajo es bueno, pero la evaluaci\u00f3n no es completa y los resultados de la tabla no son claros.",
            "Spanish",
        ),
        (
            "Статья хорошо написана, но метод не нов.",
            "another script",
        ),
    ],
)
def test_another_language_is_named(text: str, language: str) -> None:
    assert other_language(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Qua frobnik zzyx wlop dasherit tomo kelp runtle vexos.",
        "The paper cites Die Entdeckung der Langsamkeit and de la Vega, and it is not clear to me why.",
        "We let \u03b1 and \u03b2 be small; for \u03bb the bound of the paper is not tight.",
    ],
)
def test_english_with_foreign_names_and_gibberish_are_in_no_other_language(text: str) -> None:
    assert other_language(text) is None
