"""The words that search compares."""

import unicodedata
from datetime import date
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_admin.indexing.lexemes import CAP, SPACE, STOP_WORDS, date_in_words, hashed, lexemes

ANNA, BEN = UUID(int=1), UUID(int=2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Prefers window seats", ("prefer", "window", "seat")),
        ("STRASSE Straße straße", ("strass",)),
        ("ﬁle ＡＢＣ e\u0301te\u0301", ("file", "abc", "été")),
        ("cof\u00adfee co\u200bffee", ("coffe",)),
        ("Я люблю места у окна", ("я", "любл", "мест", "у", "окн")),
        ("東京の天気", ("東京", "京の", "の天", "天気")),
        ("我喜欢windows座位", ("我喜", "喜欢", "window", "座位")),
        ("ที่นั่ง", ("ที", "ี่", "่น", "นั", "ั่", "่ง")),
        ("水", ("水",)),
        ("Caroline's 3.5 km_run", ("carolin", "3", "5", "km", "run")),
        ("हिन्दी", ("हिन्द",)),
        ("😀 — …", ()),
    ],
)
def test_a_text_becomes_the_words_of_its_script(text: str, expected: tuple[str, ...]) -> None:
    assert lexemes(text) == expected


def test_stop_words_are_left_out_unless_nothing_else_is_left() -> None:
    assert lexemes("What did you do with the piano?") == ("piano",)
    assert lexemes("To be or not to be") == ("to", "be", "or", "not")


def test_a_month_that_is_also_a_verb_is_kept() -> None:
    assert "may" not in STOP_WORDS
    assert lexemes(date_in_words(date(2023, 5, 8))) == ("8", "may", "2023")


def test_a_very_long_text_keeps_its_first_words() -> None:
    found = lexemes(" ".join(f"w{number}" for number in range(1000)))

    assert len(found) == CAP
    assert found[0] == "w0"


@given(st.text())
def test_any_text_has_at_most_the_cap_of_distinct_words(text: str) -> None:
    found = lexemes(text)

    assert len(found) == len(set(found)) <= CAP
    assert all(found)


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_writing_a_text_in_another_normal_form_changes_nothing(text: str) -> None:
    assert lexemes(unicodedata.normalize("NFD", text)) == lexemes(unicodedata.normalize("NFC", text))


def test_the_same_word_of_two_subjects_has_two_hashes() -> None:
    assert hashed(["window", "seat"], subject_id=ANNA) == hashed(["window", "seat"], subject_id=ANNA)
    assert not set(hashed(["window", "seat"], subject_id=ANNA)) & set(hashed(["window", "seat"], subject_id=BEN))


@given(st.lists(st.text()))
def test_hashes_fit_the_dimensions_of_the_column(words: list[str]) -> None:
    assert all(0 <= number < SPACE for number in hashed(words, subject_id=ANNA))
