"""Answering a question."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from accounts.actors import Actor
from accounts.models import Subject
from accounts.vocabulary import MemoryMode
from memory_admin.errors import Invalid, NotFound
from memory_admin.indexing import embedding
from memory_admin.indexing.models import Entry
from memory_admin.memories import services as memories
from memory_admin.memories.models import Link
from memory_admin.memories.vocabulary import DisputeReason, PauseTarget
from memory_admin.retrieval.models import Retrieval, RetrievalCandidate
from memory_admin.retrieval.ranking import Parts, score
from memory_admin.retrieval.scoring import scoring_of
from memory_admin.retrieval.services.search import prepare
from policies.baseline import RETRIEVAL
from tests.api.cast import Organisation
from tests.factories import NOON, Person, claim, person, remembered
from tests.retrieval.asking import ask, statements, turn


def diabetic(who: Person) -> None:
    """Store something sensitive, confirmed as it must be."""
    memory = remembered(who, "Has type 1 diabetes", kind="fact", categories=["health"])
    memories.confirm(memory_id=memory.id, by=who.actor, now=NOON)


def test_what_fits_the_question_comes_first_with_its_reason(alice: Person, helper: Actor) -> None:
    remembered(alice, "Prefers the window seat on trains")
    remembered(alice, "Plays the cello on Sundays")

    answer = ask(alice, "Which seat does she like?", by=helper)

    assert statements(answer)[0] == "Prefers the window seat on trains"
    assert answer.items[0].reason.startswith("It mentions “seat”, the person said it, and they confirmed it")
    assert answer.items[0].access_rule == "A-100"
    assert answer.policy_version == "retrieval/1"


def test_an_answer_may_be_empty(alice: Person, helper: Actor) -> None:
    remembered(alice, "Plays the cello on Sundays")

    answer = ask(alice, "Postcode of the Lisbon warehouse", by=helper)

    assert statements(answer) == []
    assert answer.dropped == {"below_threshold": 1}


def test_the_same_question_gets_the_same_answer(alice: Person, helper: Actor) -> None:
    for number in range(8):
        remembered(alice, f"Visited town {number} in summer", kind="fact")

    first, second = (ask(alice, "towns visited in summer", by=helper) for _ in range(2))

    assert [(item.statement, item.score) for item in first.items] == [(i.statement, i.score) for i in second.items]
    assert first.nonce != second.nonce


def test_a_statement_leaves_on_one_line_whatever_it_holds(alice: Person, helper: Actor) -> None:
    remembered(alice, "Likes tea\n\tand scones")

    assert statements(ask(alice, "tea", by=helper)) == ["Likes tea and scones"]


def test_a_word_in_another_script_is_found(alice: Person, helper: Actor) -> None:
    remembered(alice, "窓側の席が好きです")
    remembered(alice, "毎朝コーヒーを飲みます")

    assert statements(ask(alice, "窓側の席", by=helper))[0] == "窓側の席が好きです"


def test_a_date_is_found_by_its_words(alice: Person, helper: Actor) -> None:
    remembered(alice, "Went to the dentist", kind="fact", valid_from=NOON - timedelta(days=30))
    remembered(alice, "Went to the optician", kind="fact", valid_from=NOON - timedelta(days=60))

    assert statements(ask(alice, "what happened on 8 April 2026", by=helper))[0] == "Went to the dentist"


# ── hard filters ──


def test_another_subject_is_never_in_the_answer(alice: Person, helper: Actor, acme: Organisation) -> None:
    bob = person(acme, "bob")
    remembered(bob, "Prefers the window seat")
    remembered(alice, "Prefers the aisle seat")

    assert statements(ask(alice, "seat", by=helper)) == ["Prefers the aisle seat"]


def test_several_subjects_are_asked_together(alice: Person, helper: Actor, acme: Organisation) -> None:
    bob = person(acme, "bob")
    remembered(bob, "Prefers the window seat")
    remembered(alice, "Prefers the aisle seat")

    answer = ask(alice, "seat", by=helper, subjects=[alice.subject.ref, bob.subject.ref])

    assert {(item.subject, item.statement) for item in answer.items} == {
        ("user:alice", "Prefers the aisle seat"),
        ("user:bob", "Prefers the window seat"),
    }


def test_a_subject_that_does_not_exist_is_not_found(alice: Person, helper: Actor) -> None:
    with pytest.raises(NotFound):
        ask(alice, "seat", by=helper, subjects=["user:nobody"])
    assert not Retrieval.objects.exists()


def test_a_bound_key_finds_its_own_subject_only(alice: Person, helper: Actor, acme: Organisation) -> None:
    bob = person(acme, "bob")

    with pytest.raises(NotFound):
        ask(alice, "seat", by=replace(helper, subject_id=bob.subject.id))


def test_a_test_key_finds_test_subjects_only(alice: Person, helper: Actor) -> None:
    with pytest.raises(NotFound):
        ask(alice, "seat", by=replace(helper, is_test=True))


def test_a_disputed_memory_reaches_no_agent(alice: Person, helper: Actor) -> None:
    memory = remembered(alice, "Prefers the window seat")
    memories.dispute(memory_id=memory.id, by=alice.actor, reason=DisputeReason.WRONG, now=NOON)

    answer = ask(alice, "seat", by=helper)

    assert statements(answer) == []
    assert answer.left_out == {"disputed": 1}


def test_an_expired_memory_reaches_nobody_from_that_instant(alice: Person, helper: Actor) -> None:
    remembered(alice, "Prefers the window seat", expires_at=NOON + timedelta(hours=1))

    before = ask(alice, "seat", by=helper, now=NOON + timedelta(minutes=59))
    after = ask(alice, "seat", by=helper, now=NOON + timedelta(hours=1))

    assert len(before.items) == 1
    assert statements(after) == []
    assert after.left_out == {"expired": 1}


def test_what_does_not_hold_yet_is_not_handed_out(alice: Person, helper: Actor) -> None:
    remembered(alice, "Moves to Oslo", kind="fact", valid_from=NOON + timedelta(days=2))

    assert statements(ask(alice, "Oslo", by=helper)) == []
    assert statements(ask(alice, "Oslo", by=helper, now=NOON + timedelta(days=3))) == ["Moves to Oslo"]


def test_a_superseded_memory_gives_way_to_the_newer_one(alice: Person, helper: Actor) -> None:
    old = remembered(alice, "Lives in Oslo", kind="fact")
    later = NOON + timedelta(days=1)
    memories.supersede(
        memory_id=old.id, claim=claim(alice.subject, "Lives in Bergen", kind="fact"), by=alice.actor, now=later
    )

    answer = ask(alice, "Where does she live?", by=helper, now=later)

    assert statements(answer) == ["Lives in Bergen"]
    assert answer.left_out == {"superseded": 1}


def test_a_sensitive_memory_needs_the_right_to_it(alice: Person, helper: Actor, trusted: Actor) -> None:
    diabetic(alice)

    without, with_right = ask(alice, "diabetes", by=helper), ask(alice, "diabetes", by=trusted)

    assert statements(without) == []
    assert without.left_out == {"sensitive": 1}
    assert statements(with_right) == ["Has type 1 diabetes"]


def test_an_action_is_not_based_on_what_merely_happened(alice: Person, helper: Actor, importer: Actor) -> None:
    turn(alice, "I might want the window seat", 1, by=importer)
    remembered(alice, "Prefers the aisle seat")

    answer = ask(alice, "seat", by=helper, purpose="action")

    assert statements(answer) == ["Prefers the aisle seat"]
    assert answer.left_out == {"access": 1}


@pytest.mark.parametrize("mode", [MemoryMode.PAUSED, MemoryMode.SAVE_ONLY])
def test_a_subject_that_pauses_use_gives_nothing(alice: Person, helper: Actor, mode: MemoryMode) -> None:
    remembered(alice, "Prefers the window seat")
    Subject.objects.filter(id=alice.subject.id).update(memory_mode=mode)

    answer = ask(alice, "seat", by=helper)

    assert statements(answer) == []
    assert answer.left_out == {"mode": 1}
    assert answer.notice == "The use of these memories is paused."


def test_a_paused_memory_category_or_agent_is_left_out(alice: Person, trusted: Actor) -> None:
    one = remembered(alice, "Prefers the window seat")
    diabetic(alice)
    memories.pause(target=PauseTarget.MEMORY, memory_id=one.id, by=alice.actor, now=NOON)
    memories.pause(target=PauseTarget.CATEGORY, category="health", by=alice.actor, now=NOON)

    answer = ask(alice, "seat diabetes", by=trusted)

    assert statements(answer) == []
    assert answer.left_out == {"paused": 2}

    memories.pause(target=PauseTarget.AGENT, agent_id=trusted.agent_id, by=alice.actor, now=NOON)
    assert ask(alice, "seat", by=trusted).notice == "The use of these memories is paused."


def test_kinds_origins_scopes_and_categories_narrow_the_answer(alice: Person, trusted: Actor) -> None:
    remembered(alice, "Prefers tea at work", scopes=["project:apollo"])
    remembered(alice, "Drinks tea at home", kind="fact", categories=["household"])
    remembered(alice, "Has a tea garden", kind="fact", scopes=["project:gemini"])

    def found(**terms: Any) -> set[str]:
        return set(statements(ask(alice, "tea", by=trusted, **terms)))

    assert found(kinds=["preference"]) == {"Prefers tea at work"}
    assert found(categories=["household"]) == {"Drinks tea at home"}
    assert found(scopes=["project:apollo"]) == {"Prefers tea at work", "Drinks tea at home"}
    assert found(origins=["inferred"]) == set()


# ── lift, cut, pack ──


def test_a_turn_is_lifted_by_its_conversation(alice: Person, helper: Actor, importer: Actor) -> None:
    turn(alice, "Which pet did you choose at the shelter?", 1, by=importer, speaker="Ben")
    turn(alice, "A small grey one with white paws", 2, by=importer)
    turn(alice, "A small grey one with white stripes", 1, by=importer, session="s2")

    answer = ask(alice, "pet from the shelter", by=helper)

    said = statements(answer)
    assert said.index("A small grey one with white paws") < said.index("A small grey one with white stripes")
    assert answer.items[0].parts is not None
    assert answer.items[0].parts["session"] > 0


def test_statements_that_contradict_each_other_are_both_handed_out_and_marked(alice: Person, helper: Actor) -> None:
    one = remembered(alice, "Prefers the window seat")
    other = remembered(alice, "Prefers the aisle seat, always")
    Link.objects.create(from_id=one.id, to_id=other.id, relation="contradicts", created_at=NOON)

    answer = ask(alice, "seat", by=helper)

    assert {item.facts.memory_id: list(item.conflicts_with) for item in answer.items} == {
        one.id: [other.id],
        other.id: [one.id],
    }


def test_the_budget_is_never_exceeded(alice: Person, helper: Actor) -> None:
    for number in range(6):
        remembered(alice, f"Visited town {number} in summer with friends and a tent", kind="fact")

    answer = ask(alice, "towns visited in summer", by=helper, token_budget=30)

    assert 0 < answer.tokens <= 30
    assert answer.dropped["budget"] > 0


def test_the_profile_comes_first_when_asked_for(alice: Person, helper: Actor) -> None:
    remembered(alice, "Her time zone is Europe/Oslo", kind="fact", key="timezone", value="Europe/Oslo")
    remembered(alice, "Prefers the window seat")

    answer = ask(alice, "seat", by=helper, include_profile=True)

    assert statements(answer) == ["Her time zone is Europe/Oslo", "Prefers the window seat"]
    assert answer.items[0].is_profile
    assert answer.items[0].reason.startswith("It is part of the profile")


def test_what_finds_no_room_in_the_profile_is_still_found(alice: Person, helper: Actor) -> None:
    said = "Her time zone is Europe/Oslo and has been since the spring of last year"
    remembered(alice, said, kind="fact", key="timezone", value="Europe/Oslo")

    answer = ask(alice, "Which time zone is she in?", by=helper, include_profile=True, token_budget=25)

    assert [(item.statement, item.is_profile) for item in answer.items] == [(said, False)]
    assert "budget" not in answer.dropped


def test_the_gist_stands_in_when_nothing_is_close_enough(alice: Person, helper: Actor) -> None:
    gist = remembered(alice, "Lives quietly, likes music", kind="fact")
    type(gist).objects.filter(id=gist.id).update(kind="summary", level="gist")
    Entry.objects.filter(memory_id=gist.id).delete()

    answer = ask(alice, "Postcode of the Lisbon warehouse", by=helper)

    assert statements(answer) == ["Lives quietly, likes music"]
    assert answer.items[0].is_fallback
    assert answer.notice == "Nothing was close enough; this is the summary."


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"k": 0}, "k"),
        ({"k": 51}, "k"),
        ({"token_budget": 9_000}, "token_budget"),
        ({"subjects": []}, "subjects"),
        ({"query": "  "}, "query"),
    ],
)
def test_more_than_the_policy_allows_is_refused(
    alice: Person, helper: Actor, terms: dict[str, Any], field: str
) -> None:
    with pytest.raises(Invalid) as refused:
        ask(alice, **{"query": "seat", "by": helper, **terms})

    assert list(refused.value.fields) == [field]
    assert not Retrieval.objects.exists()


# ── without the model, and about the past ──


def test_without_the_model_memories_are_found_by_their_words(alice: Person, helper: Actor, settings: Settings) -> None:
    settings.EMBEDDING_MODEL = "no-such-model-anywhere"
    remembered(alice, "Prefers the window seat")
    remembered(alice, "Plays the cello")

    answer = ask(alice, "window seat", by=helper)

    assert statements(answer) == ["Prefers the window seat"]
    assert answer.notice.startswith("The embedding model could not be reached")
    assert Entry.objects.filter(embedding=None).count() == 2


def test_the_past_is_answered_from_the_versions(alice: Person, trusted: Actor) -> None:
    old = remembered(alice, "Lives in Oslo", kind="fact", valid_from=NOON - timedelta(days=100))
    later = NOON + timedelta(days=10)
    memories.supersede(
        memory_id=old.id, claim=claim(alice.subject, "Lives in Bergen", kind="fact"), by=alice.actor, now=later
    )

    def held(**terms: Any) -> list[str]:
        return statements(ask(alice, "Where does she live?", by=trusted, now=later, **terms))

    assert held() == ["Lives in Bergen"]
    assert held(valid_at=NOON) == ["Lives in Oslo"]
    assert held(recorded_at=NOON) == ["Lives in Oslo"]
    assert held(valid_at=NOON - timedelta(days=200)) == []


def test_what_has_expired_by_now_is_not_handed_out_under_an_older_date(alice: Person, trusted: Actor) -> None:
    remembered(alice, "Prefers the window seat", expires_at=NOON + timedelta(days=5))

    def held(days: int) -> list[str]:
        then, now = NOON + timedelta(days=1), NOON + timedelta(days=days)
        return statements(ask(alice, "Which seat?", by=trusted, now=now, valid_at=then))

    assert held(4) == ["Prefers the window seat"]
    assert held(5) == []


def test_a_paused_category_is_not_handed_out_under_an_older_date(alice: Person, trusted: Actor) -> None:
    old = remembered(alice, "Lives in Oslo", kind="fact", categories=["home"], valid_from=NOON - timedelta(days=9))
    newer = claim(alice.subject, "Lives in Bergen", kind="fact", categories=["home"])
    memories.supersede(memory_id=old.id, claim=newer, by=alice.actor, now=NOON)
    memories.pause(target=PauseTarget.CATEGORY, category="home", by=alice.actor, now=NOON)

    held = ask(alice, "Where does she live?", by=trusted, valid_at=NOON - timedelta(days=1))

    assert statements(held) == []


# ── the log ──


def test_every_score_in_the_log_can_be_computed_again(alice: Person, helper: Actor, importer: Actor) -> None:
    remembered(alice, "Prefers the window seat")
    for position, words in enumerate(["Where do you sit?", "At the window, always", "I see"]):
        turn(alice, words, position, by=importer)

    answer = ask(alice, "window seat", by=helper, k=2)

    logged = list(RetrievalCandidate.objects.filter(retrieval_id=answer.retrieval_id).order_by("rank"))
    assert [(row.returned, row.drop_reason) for row in logged][:2] == [(True, None), (True, None)]
    assert all(row.drop_reason for row in logged[2:])
    for row in logged:
        assert score(Parts(**row.parts), scoring=scoring_of(RETRIEVAL)) == row.score


def test_the_log_names_policy_counts_and_provenance_and_no_words_of_a_memory(alice: Person, helper: Actor) -> None:
    memory = remembered(alice, "Prefers the window seat")

    answer = ask(alice, "seat", by=helper)

    row = Retrieval.objects.get(id=answer.retrieval_id)
    assert (row.asked_by, row.purpose, row.policy_version, row.access_version) == (
        helper.ref,
        "chat",
        "retrieval/1",
        "access/1",
    )
    assert (row.considered, row.returned, row.tokens) == (1, 1, answer.tokens)
    assert set(row.stages) == {"embedding", "scope", "candidates", "ranking", "packing"}
    [used] = row.candidates.all()
    assert (used.memory_id, used.memory_version, used.channel, used.access_rule) == (memory.id, 1, "portal", "A-100")
    assert "window" not in f"{used.reason} {used.parts}"


def test_the_text_of_a_question_is_kept_for_the_days_of_the_policy(alice: Person, helper: Actor) -> None:
    answer = ask(alice, "Which seat?", by=helper)

    row = Retrieval.objects.get(id=answer.retrieval_id)
    assert row.query_text == "Which seat?"
    assert row.query_text_until == NOON + timedelta(days=7)
    assert b"seat" not in bytes(row.query_digest)


def test_a_search_takes_few_statements(alice: Person, helper: Actor) -> None:
    remembered(alice, "Prefers the window seat")
    prepare("seat")
    ask(alice, "seat", by=helper)

    with CaptureQueriesContext(connection) as captured:
        ask(alice, "seat", by=helper)

    assert len(captured) <= 8, [query["sql"][:80] for query in captured]


def test_a_question_of_many_words_is_answered(alice: Person, helper: Actor) -> None:
    remembered(alice, "Prefers the window seat")
    words = " ".join(f"word{number}" for number in range(30))

    answer = ask(alice, f"{words} window {words}x seat", by=helper)

    assert answer.items[0].parts is not None
    assert answer.items[0].parts["keyword"] > 0


def test_the_vector_of_a_question_is_remembered(alice: Person, helper: Actor) -> None:
    embedding.forget_queries()
    prepare("seat")

    assert len(embedding._remembered) == 1


def test_a_question_that_holds_a_secret_is_answered_and_its_text_is_not_kept(alice: Person, helper: Actor) -> None:
    ask(alice, "Is AKIA" + "QYLPMN5HHHFPZAM2 the key of the backup bucket?", by=helper)

    assert Retrieval.objects.get().query_text is None


@pytest.mark.parametrize("purpose", ["ghp_a8xk29dlmqp3rt7vw1yz5bc6nf0hj4ks2ue7", "to book a seat", ""])
def test_a_purpose_is_a_short_name_and_holds_no_secret(alice: Person, helper: Actor, purpose: str) -> None:
    with pytest.raises(Invalid):
        ask(alice, "seat", by=helper, purpose=purpose)

    assert not Retrieval.objects.exists()


def test_the_kept_text_of_a_question_has_placeholders_for_personal_data(alice: Person, helper: Actor) -> None:
    ask(alice, "Was it card 4111 1111 1111 1111?", by=helper)

    text = Retrieval.objects.get().query_text
    assert text is not None
    assert "4111" not in text
