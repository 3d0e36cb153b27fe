from agents_eval_evaluators.text.words import sentences, words


def test_an_asterisk_inside_a_word_is_the_apostrophe_it_once_was() -> None:
    assert words("it isn*t and isn\u2019t *new*") == ("it", "isn't", "and", "isn't", "new")


def test_numbers_and_words_of_one_letter_are_words() -> None:
    assert words("A 3.5x gain") == ("a", "3", "5x", "gain")


def test_an_abbreviation_before_a_small_letter_ends_no_sentence() -> None:
    assert sentences("Some baselines, e.g. dropout. Others fail! Why?") == (
        "Some baselines, e.g. dropout.",
        "Others fail!",
        "Why?",
    )


def test_list_marks_are_no_part_of_a_sentence() -> None:
    assert sentences("1. First\n\n- second\n\u2022 Third") == ("First", "second", "Third")


def test_a_text_of_marks_only_has_neither_words_nor_sentences_of_words() -> None:
    assert words("... !? --") == ()
    assert sentences(" \n ") == ()
