"""Writing a memory."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.actors import Actor
from accounts.vocabulary import Channel
from memory_admin.errors import NotFound
from memory_admin.indexing.models import Entry
from memory_admin.memories import services as memories
from memory_admin.memories.models import Evidence, Link, Memory, MemoryRevision, Source, WriteDecision
from memory_admin.memories.services.capture import ChannelTooHigh
from policies.models import PolicyChangeRequest
from tests.factories import NOON, Person, agent, audited, claim, remembered

SAID = memories.SourceIn(trace_id="t-1", message_id="m-1", quote="I like the window seat.")


def _write(who: Person, statement: str, by: Actor, **fields: Any) -> memories.Outcome:
    return memories.capture(claim=claim(who.subject, statement, **fields), by=by, now=NOON)


def test_what_the_person_says_is_active_and_names_its_rule_and_policy(alice: Person, relay: Actor) -> None:
    outcome = _write(alice, "Prefers the window seat", relay, source=SAID)

    memory = Memory.objects.get(id=outcome.memory_id)
    assert (outcome.result, memory.status, memory.policy_version) == ("stored", "active", "write/1")
    assert memory.rule_ids == list(outcome.rule_ids) != []
    assert (memory.origin, memory.channel, memory.asserted_by) == ("stated", "user_message", relay.ref)
    assert memory.source is not None
    assert memory.source.quote == "I like the window seat."
    assert audited(memory) == ["memory.stored"]


def test_a_memory_comes_with_its_revision_its_decision_its_evidence_and_its_search_entry(
    alice: Person, relay: Actor
) -> None:
    outcome = _write(alice, "Prefers the window seat", relay, source=SAID)

    revision = MemoryRevision.objects.get(memory_id=outcome.memory_id)
    assert (revision.version, revision.statement, revision.recorded_to) == (1, "Prefers the window seat", None)
    assert WriteDecision.objects.get(id=outcome.decision_id).memory_id == outcome.memory_id
    assert Evidence.objects.filter(memory_id=outcome.memory_id).count() == 1
    assert Entry.objects.get(memory_id=outcome.memory_id).embedding is not None


@pytest.mark.parametrize("channel", ["agent", "tool", "document", "peer_agent"])
def test_an_agents_own_channel_never_makes_an_active_memory(alice: Person, channel: str) -> None:
    by = agent(alice.house, Channel(channel))

    for origin in ("stated", "observed", "inferred", "imported", "verified_outcome"):
        _write(alice, f"Works on the {origin} ledger of the northern depot", by, origin=origin)

    assert not Memory.objects.filter(status="active").exists()
    assert not Entry.objects.exists()


def test_stated_by_an_agent_is_inferred(alice: Person, helper: Actor) -> None:
    outcome = _write(alice, "Prefers the window seat", helper, origin="stated", confidence=1.0)

    memory = Memory.objects.get(id=outcome.memory_id)
    assert (memory.origin, memory.confidence) == ("inferred", 0.7)


def test_a_call_can_lower_its_channel_and_never_raise_it(alice: Person, relay: Actor, helper: Actor) -> None:
    lowered = _write(alice, "Prefers the window seat", relay, channel="tool")

    assert Memory.objects.get(id=lowered.memory_id).status == "proposed"
    with pytest.raises(ChannelTooHigh):
        _write(alice, "Prefers the aisle seat", helper, channel="user_message")


def test_what_the_person_types_is_confirmed_by_that(alice: Person) -> None:
    memory = remembered(alice, "Prefers the window seat")

    assert (memory.confirmed_at, memory.confirmed_by) == (NOON, alice.actor.ref)


def test_a_secret_is_refused_and_its_text_is_nowhere(alice: Person, relay: Actor) -> None:
    secret = "AKIA" + "QYLPMN5HHHFPZAM2"

    outcome = _write(alice, f"The backup key is {secret}", relay, source=SAID, value={"key": secret})

    assert (outcome.result, outcome.memory) == ("refused", None)
    assert not Memory.objects.exists()
    assert not Source.objects.exists()
    assert WriteDecision.objects.get(id=outcome.decision_id).sealed_text is None


@pytest.mark.parametrize("where", ["source", "value", "aliases", "key"])
def test_a_secret_beside_the_statement_is_refused_as_well(alice: Person, relay: Actor, where: str) -> None:
    secret = "ghp_" + "a8Xk29dLmQp3Rt7Vw1Yz5Bc6Nf0Hj4Ks2Ue7"
    told = f"token {secret}"
    places: dict[str, Any] = {
        "source": memories.SourceIn(quote=told, uri=f"https://example.net/?key={secret}"),
        "value": {"deep": [told]},
        "aliases": (told,),
        "key": told,
    }

    assert _write(alice, "Has a backup job", relay, **{where: places[where]}).result == "refused"


@pytest.mark.parametrize(
    "beside",
    [
        {"value": {"password": "hunter2zebra"}},
        {"value": {"wifi_password": "swordfish"}},
        {"value": {"wifiPassword": ["swordfish"]}},
        {"value": {"door code": 4821}},
        {"value": {"label": "wifi password", "text": "hunter3zebra"}},
        {"value": ["wifi password", "hunter3zebra"]},
        {"key": "wifi_password", "value": "swordfish"},
        {"key": "wifi_password", "value": {"home": "swordfish"}},
        {"statement": "hunter3zebra", "key": "wifi_password"},
        {"statement": "The wifi password.", "value": "hunter3zebra"},
        {"categories": ("ghp_a8xk29dlmqp3rt7vw1yz5bc6nf0hj4ks2ue7",)},
    ],
)
def test_a_secret_that_only_its_name_gives_away_is_refused_and_kept_nowhere(
    alice: Person, relay: Actor, beside: dict[str, Any]
) -> None:
    outcome = _write(alice, **{"statement": "The value is set now.", "by": relay, **beside})

    assert outcome.result == "refused"
    decision = WriteDecision.objects.get(id=outcome.decision_id)
    assert (decision.sealed_text, decision.categories) == (None, [])


@pytest.mark.parametrize(
    "beside",
    [
        {"value": {"password manager": "Bitwarden", "max_tokens": 4096, "pin_count": 2, "uses_password": True}},
        {"value": {"seat": "aisle", "rows": [12, 14], "since": 1_700_000_000}},
        {"key": "password_reset_on", "value": "2024-05-01"},
        {"key": "secret_santa", "value": "Bob"},
        {"value": ["tokens", "codes", "keys"]},
        {"categories": ("travel", "q3_2026")},
    ],
)
def test_names_that_only_sound_like_a_secret_are_stored(alice: Person, relay: Actor, beside: dict[str, Any]) -> None:
    outcome = _write(alice, "The value is set now.", relay, **beside)

    assert outcome.result == "stored"
    assert Memory.objects.get().value == beside.get("value")


def test_a_number_that_its_name_makes_personal_is_replaced(alice: Person, relay: Actor) -> None:
    _write(alice, "Gave their particulars.", relay, value={"ssn": 219099999, "card": 4111111111111111})

    assert Memory.objects.get().value == {"ssn": "[social security number]", "card": "[card number]"}


def test_personal_data_is_replaced_by_placeholders_everywhere(alice: Person, relay: Actor) -> None:
    source = memories.SourceIn(quote="pay with 4111 1111 1111 1111")

    outcome = _write(alice, "My card is 4111 1111 1111 1111 expiring 09/31.", relay, source=source)

    memory = Memory.objects.get(id=outcome.memory_id)
    assert memory.source is not None
    assert "4111" not in memory.statement + memory.source.quote


def test_a_guess_about_something_sensitive_is_refused_and_not_kept(alice: Person, helper: Actor) -> None:
    outcome = _write(alice, "Buys prenatal vitamins; likely pregnant.", helper, origin="inferred")

    assert outcome.result in ("refused", "quarantined")
    assert WriteDecision.objects.get(id=outcome.decision_id).sealed_text is None


def test_something_sensitive_that_was_said_waits_for_the_person(alice: Person, relay: Actor) -> None:
    outcome = _write(alice, "I have type 1 diabetes, so please plan meals around insulin times.", relay)

    assert outcome.result == "proposed"
    assert Memory.objects.get(id=outcome.memory_id).categories == ["health"]


def test_a_request_to_waive_a_control_goes_to_the_policy_queue_and_is_no_memory(alice: Person, relay: Actor) -> None:
    outcome = _write(alice, "Refunds for my account don't need approval from now on.", relay)

    assert (outcome.result, outcome.memory) == ("policy_change", None)
    assert not Memory.objects.exists()
    assert PolicyChangeRequest.objects.get().words == "Refunds for my account don't need approval from now on."


def test_the_same_statement_again_is_counted_and_not_stored(alice: Person, relay: Actor) -> None:
    first = _write(alice, "Prefers the window seat", relay, source=SAID)
    other = memories.SourceIn(trace_id="t-2", message_id="m-9")

    again = _write(alice, "PREFERS the window seat.", relay, source=other)

    assert (again.result, again.memory_id) == ("duplicate", first.memory_id)
    assert Memory.objects.count() == 1
    assert Evidence.objects.count() == 2


def test_thirty_repetitions_by_one_source_are_one_row_of_the_same_confidence(alice: Person, relay: Actor) -> None:
    before = _write(alice, "Prefers the window seat", relay, source=SAID, confidence=0.6)

    for _ in range(30):
        _write(alice, "Prefers the window seat", relay, source=SAID, confidence=1.0)

    memory = Memory.objects.get()
    assert (memory.id, memory.confidence) == (before.memory_id, 0.6)
    assert Evidence.objects.count() == 1


def test_a_new_value_of_a_key_supersedes_the_old_one(alice: Person, relay: Actor) -> None:
    old = _write(alice, "The time zone is Europe/Oslo", relay, kind="fact", key="timezone", value="Europe/Oslo")
    later = NOON + timedelta(days=3)

    new = memories.capture(
        claim=claim(alice.subject, "The time zone is Asia/Tokyo", kind="fact", key="timezone", value="Asia/Tokyo"),
        by=relay,
        now=later,
    )

    before = Memory.objects.get(id=old.memory_id)
    assert (before.status, before.valid_to) == ("superseded", later)
    assert new.result == "stored"
    assert Link.objects.get().relation == "supersedes"
    assert [e.memory_id for e in Entry.objects.all()] == [new.memory_id]
    assert audited(before) == ["memory.stored", "memory.superseded"]


def test_a_value_that_begins_later_leaves_the_present_one_in_force(alice: Person, relay: Actor) -> None:
    old = _write(alice, "Lives in Oslo", relay, kind="fact", key="city", value="Oslo")

    _write(
        alice, "Lives in Bergen", relay, kind="fact", key="city", value="Bergen", valid_from=NOON + timedelta(days=9)
    )

    before = Memory.objects.get(id=old.memory_id)
    assert (before.status, before.valid_to) == ("active", NOON + timedelta(days=9))
    assert Memory.objects.filter(status="active").count() == 2


def test_a_value_from_before_is_history_and_does_not_replace_the_present_one(alice: Person, relay: Actor) -> None:
    present = _write(alice, "Lives in Oslo", relay, kind="fact", key="city", value="Oslo")

    past = _write(
        alice, "Lives in Rome", relay, kind="fact", key="city", value="Rome", valid_from=NOON - timedelta(days=900)
    )

    assert Memory.objects.get(id=present.memory_id).status == "active"
    assert Memory.objects.get(id=past.memory_id).valid_to == NOON


def test_an_agent_cannot_supersede_what_the_person_confirmed(alice: Person, helper: Actor) -> None:
    mine = remembered(alice, "Lives in Oslo", kind="fact", key="city", value="Oslo")

    outcome = _write(alice, "Lives in Bergen", helper, kind="fact", key="city", value="Bergen", origin="observed")

    assert outcome.result == "proposed"
    assert Memory.objects.get(id=mine.id).status == "active"


def test_unrelated_facts_stand_beside_each_other(alice: Person, relay: Actor) -> None:
    _write(alice, "Has a dog named Rex", relay, kind="fact")
    _write(alice, "Has a cat named Tom", relay, kind="fact")

    assert Memory.objects.filter(status="active").count() == 2


def test_a_batch_sees_what_it_stored_before(alice: Person, relay: Actor) -> None:
    said = ["Likes green tea", "likes GREEN tea!", "Lives in Oslo", "Lives in Bergen"]

    outcomes = memories.capture_many(
        claims=[claim(alice.subject, words, kind="fact") for words in said], by=relay, now=NOON
    )

    assert [outcome.result for outcome in outcomes] == ["stored", "duplicate", "stored", "stored"]
    assert sorted(Memory.objects.values_list("status", flat=True)) == ["active", "active", "superseded"]


def test_a_batch_of_events_costs_a_fixed_number_of_statements(
    alice: Person, django_assert_max_num_queries: Any
) -> None:
    by = agent(alice.house, Channel.IMPORT)
    turns = [
        claim(
            alice.subject,
            f"Talked about topic {number}",
            kind="event",
            origin="observed",
            source=memories.SourceIn(trace_id="t", message_id=f"m{number}", position=number, speaker="Mia"),
        )
        for number in range(200)
    ]

    with django_assert_max_num_queries(20):
        outcomes = memories.capture_many(claims=turns, by=by, now=NOON)

    assert {outcome.result for outcome in outcomes} == {"stored"}


def test_the_same_turn_again_is_a_duplicate_and_the_same_words_in_another_turn_are_not(alice: Person) -> None:
    by = agent(alice.house, Channel.IMPORT)

    def turn(message: str) -> memories.Outcome:
        source = memories.SourceIn(trace_id="t", message_id=message)
        return _write(alice, "Good morning!", by, kind="event", origin="observed", source=source)

    results = [turn("m1").result, turn("m1").result, turn("m2").result]

    assert results == ["stored", "duplicate", "stored"]


def test_a_person_writes_about_themselves_only(alice: Person) -> None:
    with pytest.raises(NotFound):
        memories.capture(
            claim=memories.Claim(subject_ref="user:bob", kind="fact", statement="Likes tea", origin="stated"),
            by=alice.actor,
            now=NOON,
        )


def test_the_check_tells_the_verdict_and_stores_nothing(alice: Person, helper: Actor) -> None:
    checked = memories.check(claim=claim(alice.subject, "Prefers the window seat"), by=helper, now=NOON)

    assert (checked.verdict.outcome, checked.policy_version, checked.warnings) == ("propose", "write/1", ())
    assert not WriteDecision.objects.exists()


def test_a_memory_expires_when_its_policy_or_its_writer_says_whichever_is_sooner(alice: Person, relay: Actor) -> None:
    soon = NOON + timedelta(days=2)

    memory = remembered(alice, "Is in Lisbon this week", by=relay, kind="fact", expires_at=soon)

    assert memory.expires_at == soon
