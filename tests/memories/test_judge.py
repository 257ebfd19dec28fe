"""What the deterministic judge says of two statements about one subject."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_admin.memories.judge import ExistingStatement, NewStatement, Verdict, is_same_value, judge, may_supersede

RANK = {"stated": 5, "verified_outcome": 4, "observed": 3, "imported": 2, "inferred": 1}
OLD_ID = UUID(int=1)


def old(statement: str, **given: Any) -> ExistingStatement:
    told: dict[str, Any] = {"id": OLD_ID, "statement": statement, "kind": "fact", "is_same_text": False}
    return ExistingStatement(**(told | given))


def judged(new: str, existing: str, *, cosine: float | None = 0.9, **given: Any) -> Verdict:
    return judge(NewStatement(new, kind="fact"), [old(existing, cosine=cosine, **given)])


def related(new: str, existing: str) -> str:
    return judged(new, existing).relation


def test_the_same_key_with_the_same_value_is_a_duplicate() -> None:
    verdict = judge(
        NewStatement("Is in Oslo time", kind="fact", key="timezone", value="Europe/Oslo"),
        [old("Timezone is Europe/Oslo", key="timezone", value="europe/oslo ")],
    )

    assert verdict == Verdict("duplicate", OLD_ID, "J-010")


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (1, True, False),
        (0, False, False),
        ([1], [True], False),
        ({"on": 1}, {"on": True}, False),
        ({"on": 1}, {"on": 1, "off": None}, False),
        (None, False, False),
        (1, 1.0, True),
        ({"a": [1, "x"], "b": True}, {"b": True, "a": [1.0, "x"]}, True),
        (True, True, True),
    ],
)
def test_values_are_compared_as_json_means_them(one: object, other: object, is_same: bool) -> None:
    assert is_same_value(one, other) is is_same
    assert is_same_value(other, one) is is_same


def test_the_same_key_with_another_value_is_an_update() -> None:
    verdict = judge(
        NewStatement("Timezone is Europe/Oslo", kind="fact", key="timezone", value="Europe/Oslo"),
        [old("Timezone is Asia/Tokyo", key="timezone", value="Asia/Tokyo")],
    )

    assert verdict == Verdict("update", OLD_ID, "J-020")


def test_the_same_key_without_values_is_judged_by_the_words() -> None:
    existing = [old("Prefers window seats", key="seat")]

    assert judge(NewStatement("Prefers a window seat", kind="fact", key="seat"), existing).relation == "duplicate"
    assert judge(NewStatement("Prefers the aisle", kind="fact", key="seat"), existing).relation == "update"


def test_different_keys_have_nothing_to_do_with_each_other() -> None:
    existing = [old("Oslo", key="birthplace", is_same_text=True, cosine=1.0)]

    assert judge(NewStatement("Oslo", kind="fact", key="city"), existing).relation == "unrelated"


def test_a_key_given_to_a_known_text_is_an_update() -> None:
    existing = [old("Timezone is Europe/Oslo", is_same_text=True)]

    assert judge(NewStatement("Timezone is Europe/Oslo", kind="fact", key="timezone"), existing).rule == "J-035"


def test_a_profile_entry_is_replaced_by_its_key_alone() -> None:
    existing = [old("Timezone is Europe/Oslo", key="timezone")]

    assert judge(NewStatement("Timezone is Asia/Tokyo", kind="fact"), existing).relation == "unrelated"
    assert judge(NewStatement("My timezone is Europe/Oslo", kind="fact"), existing).rule == "J-040"


def test_a_profile_entry_replaces_what_was_known_without_a_key() -> None:
    existing = [old("Timezone is Asia/Tokyo")]

    assert judge(NewStatement("Timezone is Europe/Oslo", kind="fact", key="timezone"), existing).rule == "J-070"


def test_the_same_text_is_a_duplicate() -> None:
    assert judged("PREFERS  window seats!", "Prefers window seats", is_same_text=True).rule == "J-030"


@pytest.mark.parametrize(
    ("new", "existing"),
    [
        ("User prefers window seats.", "Prefers a window seat"),
        ("I prefer window seats", "The user prefers window seats"),
        ("Favorite color is green", "Favourite colour is green"),
        ("Does not eat meat", "Doesn't eat meat"),
        ("I'm a nurse", "Is a nurse"),
    ],
)
def test_the_same_words_are_a_duplicate_even_without_embeddings(new: str, existing: str) -> None:
    assert judged(new, existing, cosine=None) == Verdict("duplicate", OLD_ID, "J-040")


def test_a_wording_that_differs_by_fillers_alone_is_a_duplicate_when_the_vectors_agree() -> None:
    one, other = "Strongly prefers window seats on flights", "Prefers window seats on flights"

    assert judged(one, other, cosine=0.97).rule == judged(other, one, cosine=0.97).rule == "J-050"
    assert judged(one, other, cosine=0.94).relation == judged(one, other, cosine=None).relation == "unrelated"


@pytest.mark.parametrize(
    ("new", "existing"),
    [
        ("Drinks coffee in the office", "Drinks coffee only in the office"),
        ("Likes to travel by train", "Likes to travel by train with Anna"),
        ("Takes the train to work", "Takes the 7:15 train to work"),
        ("Prefers window seats on long flights with a meal", "Prefers window seats on long flights"),
        ("Meets Anna on Monday about money", "Meets Anna on Friday about money"),
        ("Has meeting room 12 booked for the review", "Has meeting room 14 booked for the review"),
        ("Flies from Oslo to Rome", "Flies from Rome to Oslo"),
    ],
)
def test_similar_vectors_alone_make_no_duplicate(new: str, existing: str) -> None:
    assert judged(new, existing, cosine=0.99).relation == "unrelated"


@pytest.mark.parametrize(
    ("new", "existing"),
    [
        ("Does not like coriander", "Likes coriander"),
        ("Likes coriander", "Doesn't like coriander"),
        ("Hates coriander", "Loves coriander"),
        ("Is not allergic to peanuts", "Is allergic to peanuts"),
        ("Never books flights before 9am", "Always books flights before 9am"),
        ("I can't swim", "I can swim"),
        ("Has no dog", "Has a dog"),
        ("Prefers not to fly", "Prefers to fly"),
        ("Mag keinen Koriander", "Mag Koriander"),
    ],
)
def test_a_denied_claim_is_a_contradiction(new: str, existing: str) -> None:
    assert judged(new, existing) == Verdict("contradiction", OLD_ID, "J-060")


@pytest.mark.parametrize(
    ("new", "existing"),
    [
        ("No longer eats meat", "Eats meat"),
        ("Does not drink coffee anymore", "Drinks coffee"),
        ("Used to like jazz", "Likes jazz"),
    ],
)
def test_a_claim_that_is_over_is_an_update(new: str, existing: str) -> None:
    assert judged(new, existing) == Verdict("update", OLD_ID, "J-065")


@pytest.mark.parametrize(
    ("new", "existing"),
    [
        ("Lives in Bergen", "Lives in Oslo"),
        ("The user lives in Bergen now", "I live in Oslo"),
        ("Moved to Bergen", "Lives in Oslo"),
        ("Is based in Berlin since 2024", "Lives in Oslo, Norway"),
        ("Works at Globex", "Works at Acme"),
        ("User now works at the University of Oslo", "Works at Acme"),
        ("The user now lives in Paris, France", "The user lives in Berlin, Germany"),
        ("Works as a teacher", "Works as a nurse"),
        ("Sister lives in Rome", "Sister lives in Paris"),
        ("Timezone is Europe/Oslo", "Timezone is Asia/Tokyo"),
        ("My time zone is Europe/Oslo", "Time zone: Asia/Tokyo"),
        ("User works in UTC+1", "User works in UTC+2"),
        ("Favourite colour is green", "Favorite color is blue"),
        ("Preferred language is Norwegian", "Preferred language is English"),
        ("Is 35 years old", "Is 34 years old"),
        ("Has three children", "Has two children"),
        ("Has two children", "Has no children"),
        ("Is a vegan", "Is vegetarian"),
        ("Is divorced", "Is married"),
        ("Wakes up at 7:00", "Wakes up at 6:30"),
        ("Is free after 18:00", "Is free after 17:00"),
        ("Birthday is 4 May", "Birthday is 5 May"),
        ("Manager is Olga", "Manager is Priya"),
        ("Email address is a@new.example", "Email address is a@old.example"),
    ],
)
def test_another_value_of_one_attribute_is_an_update(new: str, existing: str) -> None:
    assert judged(new, existing) == Verdict("update", OLD_ID, "J-070")


@pytest.mark.parametrize(
    ("new", "existing"),
    [
        ("Prefers aisle seats", "Prefers window seats"),
        ("Prefers an aisle seat on long flights", "Prefers a window seat on long flights"),
        ("User prefers evening meetings", "Prefers morning meetings"),
        ("Prefers detailed answers", "Prefers short answers"),
        ("Prefers coffee", "Prefers tea"),
        ("Prefers contact by phone", "Prefers contact by email"),
        ("From now on write to me in Spanish", "From now on write to me in English"),
        ("Wants metric units", "Wants imperial units"),
    ],
)
def test_another_choice_is_an_update(new: str, existing: str) -> None:
    assert judged(new, existing) == Verdict("update", OLD_ID, "J-080")


def test_a_comparison_turned_round_is_an_update() -> None:
    assert judged("Prefers coffee over tea", "Prefers tea to coffee") == Verdict("update", OLD_ID, "J-090")


UNRELATED_PAIRS = [
    ("Has a dog named Rex", "Has a cat named Tom"),
    ("Likes tea", "Likes coffee"),
    ("Likes dark mode", "Likes light mode"),
    ("Prefers Italian food", "Prefers French food"),
    ("Prefers vegetarian meals", "Prefers spicy meals"),
    ("Prefers short answers", "Prefers brief answers"),
    ("Prefers window seats", "Prefers vegetarian meals"),
    ("Prefers hot drinks in winter", "Prefers cold drinks in summer"),
    ("Prefers tea over coffee", "Prefers tea over juice"),
    ("Lives in Norway", "Lives in Oslo"),
    ("Lives in Oslo, Norway", "Lives in Norway"),
    ("Lives in Oslo", "Lives in a small flat"),
    ("Lives in Oslo during the week", "Lives in Bergen during the summer"),
    ("Sometimes lives in Bergen", "Lives in Oslo"),
    ("Sister lives in Rome", "Lives in Oslo"),
    ("Lives in Oslo", "Moved to Bergen in 2010"),
    ("Lived in Bergen", "Lives in Oslo"),
    ("Wants to live in Rome", "Lives in Oslo"),
    ("Works at night", "Works at Acme"),
    ("Works with Python", "Works with Java"),
    ("Works at Acme", "Works from home"),
    ("Used to work at Acme", "Works at Globex"),
    ("Speaks Norwegian", "Speaks English"),
    ("Has a meeting at 9", "Has a meeting at 10"),
    ("Has two cats", "Has three children"),
    ("Ticket 5512 closed", "Ticket 5513 closed"),
    ("Build 4821 passed", "Build 4822 passed"),
    ("Is allergic to peanuts", "Is allergic to shellfish"),
    ("Is allergic to nuts", "Is allergic to pine nuts"),
    ("Allergic to peanuts", "Not allergic to shellfish"),
    ("Partner is a nurse", "Partner is Tom"),
    ("Name is hard to spell", "Name is Kari"),
    ("Sister is a nurse", "Sister is in Paris"),
    ("Birthday is in May", "Birthday is 4 May"),
    ("Favourite colour is blue", "Favourite band is Blue Note"),
    ("Favourite colours are red and blue", "Favourite colours are green and blue"),
    ("Anna introduced Tom", "Tom introduced Anna"),
    ("Plays the guitar", "Plays the piano"),
    ("Likes hiking with Anna", "Likes hiking with Tom"),
    ("Visited Rome in 2019", "Visited Rome in 2023"),
    ("Decided on Postgres rather than MySQL", "Decided on Redis rather than Memcached"),
    ("Call the tool shed supplier on Monday", "Call the bakery on Monday"),
    ("好きな飲み物はお茶です", "好きな食べ物は寿司です"),
    ("Is married", "Is married to Kari"),
    ("Is tired", "Is hungry"),
    ("Does not like tea", "Likes coffee"),
    ("Prefers email", "Prefers window seats"),
    ("Reads on the train", "Reads in bed"),
    ("Works at Acme and lives in Oslo", "Works at Globex"),
    ("Works at Acme in Oslo", "Works at Acme on Fridays"),
    ("Works at Acme as a designer", "Works at Globex"),
    ("Son is 5 years old", "Daughter is 7 years old"),
    ("Has a cat", "Has two cats"),
    ("Works from 9 to 5", "Works from 10 to 6"),
    ("Lives in Oslo with Anna", "Lives in Oslo"),
    ("", "Likes tea"),
    ("...", "!!!"),
]


@pytest.mark.parametrize(("one", "other"), UNRELATED_PAIRS)
@pytest.mark.parametrize("cosine", [None, 0.5, 0.99])
def test_what_can_both_hold_never_retires_the_other(one: str, other: str, cosine: float | None) -> None:
    assert judged(one, other, cosine=cosine).relation == "unrelated"


def test_a_past_value_does_not_replace_a_present_one_nor_the_other_way_round() -> None:
    assert related("Lived in Oslo", "Lives in Oslo") == "unrelated"
    assert related("Liked jazz", "Likes jazz") == "unrelated"


def test_an_event_is_never_judged() -> None:
    same = old("Asked about Kubernetes", kind="event", is_same_text=True, cosine=1.0)

    assert judge(NewStatement("Asked about Kubernetes", kind="event"), [same]).relation == "unrelated"
    assert judge(NewStatement("Asked about Kubernetes", kind="fact"), [same]).relation == "unrelated"


def test_an_episode_is_judged_by_its_text_alone() -> None:
    existing = [old("Lives in Oslo", kind="episode")]

    assert judge(NewStatement("Lives in Bergen", kind="episode"), existing).relation == "unrelated"
    assert (
        judge(
            NewStatement("Lives in Oslo", kind="episode"), [old("Lives in Oslo", kind="episode", is_same_text=True)]
        ).rule
        == "J-030"
    )


def test_nothing_stored_means_unrelated() -> None:
    assert judge(NewStatement("Likes tea", kind="fact"), []) == Verdict("unrelated", None, "J-000")


def test_the_surest_rule_decides_among_several() -> None:
    verdict = judge(
        NewStatement("Lives in Bergen", kind="fact"),
        [old("Lives in Oslo", id=UUID(int=2), cosine=0.9), old("Lives in Bergen", id=UUID(int=3), is_same_text=True)],
    )

    assert (verdict.relation, verdict.memory_id) == ("duplicate", UUID(int=3))


def test_the_latest_of_equals_is_the_one_replaced() -> None:
    verdict = judge(
        NewStatement("Lives in Bergen", kind="fact"),
        [
            old("Lives in Oslo", id=UUID(int=2), valid_from=datetime(2024, 1, 1, tzinfo=UTC)),
            old("Lives in Rome", id=UUID(int=3), valid_from=datetime(2025, 1, 1, tzinfo=UTC)),
        ],
    )

    assert verdict.memory_id == UUID(int=3)


@given(st.text(max_size=200), st.text(max_size=200), st.sampled_from([None, 0.0, 0.99]))
def test_any_text_is_judged_the_same_way_every_time(new: str, existing: str, cosine: float | None) -> None:
    verdict = judged(new, existing, cosine=cosine)

    assert verdict == judged(new, existing, cosine=cosine)
    assert (verdict.memory_id is None) == (verdict.relation == "unrelated")


@given(st.text(min_size=1, max_size=60), st.integers(0, 10_000), st.integers(0, 10_000))
def test_identifiers_that_differ_keep_statements_apart(thing: str, one: int, other: int) -> None:
    relation = judged(f"Order {one} for {thing} arrived", f"Order {other} for {thing} arrived", cosine=0.99).relation

    assert (relation == "duplicate") == (one == other)


def test_a_long_text_is_judged_in_linear_time() -> None:
    long = "lives in Oslo is " * 240

    assert judged(long, long + "Bergen").relation == "unrelated"


@pytest.mark.parametrize(
    ("new_origin", "channel", "old_origin", "confirmed", "expected"),
    [
        ("stated", "portal", "stated", True, True),
        ("stated", "user_message", "inferred", False, True),
        ("stated", "agent", "stated", True, False),
        ("inferred", "agent", "inferred", True, False),
        ("inferred", "user_message", "inferred", True, False),
        ("inferred", "agent", "stated", False, False),
        ("inferred", "agent", "inferred", False, True),
        ("imported", "import", "inferred", False, True),
        ("imported", "import", "imported", True, False),
        ("observed", "agent", "verified_outcome", False, False),
        ("verified_outcome", "agent", "observed", False, True),
        ("unheard_of", "portal", "inferred", False, False),
        ("stated", "portal", "unheard_of", False, False),
    ],
)
def test_only_a_claim_of_equal_standing_supersedes(
    new_origin: str, channel: str, old_origin: str, confirmed: bool, expected: bool
) -> None:
    allowed = may_supersede(
        new_origin=new_origin, new_channel=channel, old_origin=old_origin, old_confirmed=confirmed, rank=RANK
    )

    assert allowed is expected
