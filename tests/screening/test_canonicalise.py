"""The form by which an erased statement is known again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_admin.screening import canonicalise

ANY_TEXT = st.text(st.characters(exclude_categories=()))
STATEMENT = "Sings alto in the town choir."
DRESSED = [
    "SINGS ALTO IN THE TOWN CHOIR!!",
    "Sings al\u00adto in the town cho\u200bir",
    "  “Sings — alto, in the town choir” …",
    "Ｓｉｎｇｓ ａｌｔｏ ｉｎ ｔｈｅ ｔｏｗｎ ｃｈｏｉｒ",
    "S\u0336ings a\u0335lto in the town choir",
    "Sings\u00a0alto\u3000in\nthe\ttown choir",
    "Sіngs аlto іn the tоwn choir",
    "*Sings* alto; in the (town) choir?",
]
APART = [
    ("résumé", "resume"),
    ("Likes C#", "Likes C"),
    ("Likes C++", "Likes C"),
    ("10%", "10"),
    ("Schön", "Schon"),
    ("Reacts with 👍", "Reacts with 👎"),
    ("is a nurse", "is no nurse"),
    ("1.5", "15"),
]


@pytest.mark.parametrize("dressed", DRESSED)
def test_the_same_statement_in_other_dress_is_the_same(dressed: str) -> None:
    assert canonicalise(dressed) == canonicalise(STATEMENT)


@pytest.mark.parametrize(("one", "other"), APART)
def test_different_statements_stay_apart(one: str, other: str) -> None:
    assert canonicalise(one) != canonicalise(other)


def test_composed_and_decomposed_accents_are_the_same() -> None:
    assert canonicalise("cafe\u0301") == canonicalise("café") == "café"


def test_four_hundred_marks_leave_the_letter() -> None:
    assert canonicalise("h" + "\u0336" * 400) == "h"


@given(ANY_TEXT)
def test_it_never_raises_and_a_second_time_changes_nothing(text: str) -> None:
    once = canonicalise(text)

    assert canonicalise(once) == once


@given(ANY_TEXT)
def test_capitals_space_and_soft_hyphens_change_nothing(text: str) -> None:
    assert canonicalise(f"  \u00ad{text}\u200b ! ") == canonicalise(text)
