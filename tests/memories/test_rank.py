"""What ranks lower never ends, hides or loosens what ranks higher, by whatever way."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.actors import Actor
from accounts.vocabulary import Channel
from memory_admin.errors import Invalid
from memory_admin.indexing.models import Entry
from memory_admin.memories import services as memories
from memory_admin.memories.models import Memory, WriteDecision
from memory_admin.tenancy.scope import uuid7
from tests.factories import NOON, Person, agent, audited, claim, remembered

LATER = NOON + timedelta(days=1)


@pytest.fixture
def importer(alice: Person) -> Actor:
    return agent(alice.house, Channel.IMPORT)


def _write(who: Person, statement: str, by: Actor, **fields: Any) -> memories.Outcome:
    given = {"kind": "fact", "origin": "imported", **fields}
    return memories.capture(claim=claim(who.subject, statement, **given), by=by, now=LATER)


def test_naming_another_memory_does_not_open_the_key(alice: Person, importer: Actor) -> None:
    mine = remembered(alice, "The time zone is Europe/Oslo", kind="fact", key="timezone", value="Europe/Oslo")
    other = _write(alice, "Owns a red bicycle", importer)

    outcome = _write(
        alice,
        "The time zone is Asia/Seoul",
        importer,
        key="timezone",
        value="Asia/Seoul",
        supersedes=other.memory_id,
    )

    assert outcome.result == "proposed"
    assert Memory.objects.get(id=mine.id).status == "active"


def test_naming_another_memory_does_not_hide_a_contradiction(alice: Person, importer: Actor) -> None:
    mine = remembered(alice, "Lives in Oslo.", kind="fact")
    other = _write(alice, "Owns a red bicycle", importer)

    outcome = _write(alice, "Lives in Trondheim.", importer, supersedes=other.memory_id)

    assert outcome.result == "proposed"
    assert Memory.objects.get(id=mine.id).status == "active"


def test_only_what_is_in_force_can_be_superseded(alice: Person, importer: Actor) -> None:
    mine = remembered(alice, "Lives in Oslo.", kind="fact")
    memories.archive(memory_id=mine.id, by=alice.actor, now=NOON)

    with pytest.raises(Invalid):
        _write(alice, "Lives in Trondheim.", importer, supersedes=mine.id)

    assert Memory.objects.get(id=mine.id).status == "archived"


def test_confirmed_history_of_a_key_is_not_rewritten(alice: Person, importer: Actor) -> None:
    past = remembered(
        alice, "Lives in Oslo.", kind="fact", key="city", value="Oslo", valid_from=NOON - timedelta(days=900)
    )
    remembered(alice, "Lives in Bergen.", kind="fact", key="city", value="Bergen")
    before = Memory.objects.get(id=past.id)

    outcome = _write(alice, "Lives in Rome.", importer, key="city", value="Rome", valid_from=NOON - timedelta(days=800))

    assert outcome.result == "proposed"
    assert Memory.objects.get(id=past.id).valid_to == before.valid_to


def test_an_event_is_no_value_of_a_key(alice: Person, importer: Actor) -> None:
    with pytest.raises(Invalid):
        _write(alice, "Said good morning", importer, kind="event", origin="observed", key="timezone")


def test_many_turns_do_not_hide_a_fact_from_the_judge(alice: Person, importer: Actor) -> None:
    remembered(alice, "Lives in Oslo.", kind="fact")
    turns = [
        claim(
            alice.subject,
            f"She said she lives in Bergen, message {number}",
            kind="event",
            origin="observed",
            source=memories.SourceIn(trace_id="t", message_id=f"m{number}"),
        )
        for number in range(60)
    ]
    memories.capture_many(claims=turns, by=importer, now=NOON)

    assert _write(alice, "Lives in Bergen.", importer).result == "proposed"


def test_how_a_made_up_reference_fails_tells_nothing_of_the_statement(alice: Person, helper: Actor) -> None:
    remembered(alice, "Plays the viola", by=helper, kind="fact", origin="inferred")

    for statement in ("Plays the viola", "Plays the harp"):
        for named in ({"supersedes": uuid7()}, {"derived_from": (uuid7(),)}):
            with pytest.raises(Invalid):
                _write(alice, statement, helper, origin="inferred", **named)


def test_the_reserved_id_is_made_with_the_decision_whatever_comes_of_it(alice: Person, helper: Actor) -> None:
    first = _write(alice, "Plays the viola", helper, origin="inferred")
    again = _write(alice, "Plays the viola", helper, origin="inferred")

    assert again.result == "duplicate"
    assert again.memory_id == first.memory_id != again.reserved_id
    assert again.reserved_id.int >> 80 <= again.decision_id.int >> 80


def test_what_has_expired_does_not_swallow_what_is_said_again(alice: Person, relay: Actor) -> None:
    remembered(alice, "Has a badge", by=relay, kind="fact", expires_at=NOON + timedelta(hours=1))

    again = _write(alice, "Has a badge", relay, origin="stated")

    assert again.result == "stored"


def test_what_holds_from_later_on_does_not_swallow_what_holds_now(alice: Person, relay: Actor) -> None:
    remembered(alice, "Has a season ticket", by=relay, kind="fact", valid_from=LATER + timedelta(days=900))

    assert _write(alice, "Has a season ticket", relay, origin="stated").result == "stored"


def test_saying_it_again_with_narrower_limits_narrows_them(alice: Person, relay: Actor) -> None:
    memory = remembered(alice, "Takes the blue pill each day", by=relay, kind="fact")
    until = LATER + timedelta(days=3)

    _write(alice, "Takes the blue pill each day", relay, origin="stated", categories=("travel",), expires_at=until)

    now = Memory.objects.get(id=memory.id)
    assert (now.categories, now.expires_at) == (["travel"], until)


def test_an_independent_source_is_recorded_as_evidence(alice: Person, relay: Actor) -> None:
    said = memories.SourceIn(trace_id="t", message_id="m1")
    memory = remembered(alice, "Likes green tea", by=relay, source=said)

    for message in ("m1", "m2"):
        source = memories.SourceIn(trace_id="t", message_id=message)
        _write(alice, "Likes green tea", relay, origin="stated", kind="preference", source=source)

    assert audited(memory) == ["memory.stored", "memory.evidenced"]


def test_a_correction_keeps_what_closes_the_memory_and_the_end_somebody_set(alice: Person, relay: Actor) -> None:
    until = LATER + timedelta(days=30)
    memory = remembered(alice, "Takes Zorflex 500", kind="fact", categories=("health",), expires_at=until)
    if memory.status != "active":
        memory = memories.confirm(memory_id=memory.id, by=alice.actor, now=NOON)

    memories.correct(memory_id=memory.id, statement="Takes Zorflex 850", by=alice.actor, now=LATER)

    now = Memory.objects.get(id=memory.id)
    assert (now.statement, now.categories, now.expires_at) == ("Takes Zorflex 850", ["health"], until)


def test_a_confirmation_keeps_the_vector_while_the_model_is_away(alice: Person, relay: Actor, settings: Any) -> None:
    memory = remembered(alice, "Likes green tea", by=relay)
    settings.EMBEDDING_MODEL = "no-such-model"

    memories.confirm(memory_id=memory.id, by=alice.actor, now=LATER)

    assert Entry.objects.get(memory_id=memory.id).embedding is not None


def test_exempt_imports_do_not_use_up_the_budget_of_the_person(alice: Person, relay: Actor, importer: Actor) -> None:
    outcome = _write(alice, "Owns a red bicycle", importer)
    decision = WriteDecision.objects.get(id=outcome.decision_id)
    WriteDecision.objects.bulk_create(WriteDecision(**{**_columns(decision), "id": uuid7()}) for _ in range(4000))

    assert _write(alice, "Likes green tea", relay, origin="stated").result == "stored"


def _columns(decision: WriteDecision) -> dict[str, Any]:
    return {field.attname: getattr(decision, field.attname) for field in WriteDecision._meta.concrete_fields}
