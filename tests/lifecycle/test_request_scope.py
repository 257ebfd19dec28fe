"""Erasing a source, what an agent wrote, what matches, everything."""

from datetime import timedelta

import pytest

from accounts.actors import Actor
from accounts.vocabulary import Channel
from memory_admin.errors import NotFound
from memory_admin.indexing.models import Entry
from memory_admin.lifecycle import services as lifecycle
from memory_admin.lifecycle.models import ErasureRequest
from memory_admin.lifecycle.scopes import FromSource, Matching, Scope, WholeSubject, WrittenBy
from memory_admin.memories import services as memories
from memory_admin.memories.models import Memory, Source
from memory_admin.memories.vocabulary import GONE
from tests.api.cast import organisation
from tests.factories import NOON, Person, agent, claim, person, remembered
from tests.lifecycle.erasing import run_jobs

CHAT = memories.SourceIn(trace_id="chat-1", message_id="m-1", quote="I keep a heron")
LATER = memories.SourceIn(trace_id="chat-1", message_id="m-2")
OTHER = memories.SourceIn(trace_id="chat-2", message_id="m-1")


def ask(who: Person, scope: Scope, by: Actor | None = None) -> ErasureRequest:
    return lifecycle.request_scope(ref=who.subject.ref, scope=scope, by=by or who.actor, now=NOON)


def left(who: Person) -> set[str]:
    living = Memory.objects.filter(subject_id=who.subject.id).exclude(status__in=GONE)
    return set(living.values_list("statement", flat=True))


def test_a_source_takes_all_that_rests_on_it_and_stays_closed(alice: Person, relay: Actor) -> None:
    remembered(alice, "Keeps a heron", by=relay, kind="fact", source=CHAT)
    remembered(alice, "Lives by the river", by=relay, kind="fact", source=LATER)
    remembered(alice, "Likes tea", by=relay, kind="fact", source=OTHER)
    remembered(alice, "Likes tea", by=relay, kind="fact", source=CHAT)  # further evidence for the same

    asked = ask(alice, FromSource(trace_id="chat-1"))

    assert left(alice) == set()
    run_jobs(asked.id)
    assert not Source.objects.filter(trace_id="chat-1").exists()
    for source in (CHAT, LATER):
        again = claim(alice.subject, "Something else entirely", kind="fact", source=source)
        assert memories.capture(claim=again, by=relay, now=NOON).result == "blocked"


def test_one_message_leaves_the_rest_of_its_conversation(alice: Person, relay: Actor) -> None:
    remembered(alice, "Keeps a heron", by=relay, kind="fact", source=CHAT)
    remembered(alice, "Lives by the river", by=relay, kind="fact", source=LATER)

    ask(alice, FromSource(trace_id="chat-1", message_id="m-1"))

    assert left(alice) == {"Lives by the river"}


def test_a_source_that_nothing_rests_on_is_closed_too(alice: Person, relay: Actor) -> None:
    asked = ask(alice, FromSource(uri="https://example.org/page"))
    run_jobs(asked.id)

    read = memories.SourceIn(uri="https://example.org/page")
    outcome = memories.capture(claim=claim(alice.subject, "Likes tea", source=read), by=relay, now=NOON)
    assert outcome.result == "blocked"


def test_what_one_agent_wrote_goes_and_nothing_else(alice: Person, helper: Actor) -> None:
    other = agent(alice.house.with_agent("Other"))
    remembered(alice, "Likes tea", by=helper, origin="inferred")
    remembered(alice, "Runs every morning", by=other, origin="inferred")
    remembered(alice, "Keeps a heron", kind="fact")
    assert helper.agent_id is not None

    ask(alice, WrittenBy(agent_id=helper.agent_id))

    assert left(alice) == {"Runs every morning", "Keeps a heron"}


def test_what_matches_goes_and_nothing_else(alice: Person, helper: Actor) -> None:
    remembered(alice, "Likes tea", by=helper, origin="inferred")
    remembered(alice, "Runs every morning", by=helper, kind="fact", origin="inferred")
    remembered(alice, "Keeps a heron", kind="fact")

    ask(alice, Matching(kinds=("fact",), origins=("inferred",)))

    assert left(alice) == {"Likes tea", "Keeps a heron"}


def test_everything_goes_at_once_and_what_waited_with_it(alice: Person, relay: Actor) -> None:
    bob = person(alice.house, "bob")
    remembered(bob, "Keeps a heron", kind="fact")
    waiting = remembered(alice, "Likes tea")
    first = lifecycle.request_erasure(memory_ids=[waiting.id], by=alice.actor, now=NOON, grace=lifecycle.GRACE)
    remembered(alice, "Keeps a heron", by=relay, kind="fact", source=CHAT)

    asked = ask(alice, WholeSubject())

    assert left(alice) == set()
    assert not Entry.objects.filter(subject_id=alice.subject.id).exists()
    with pytest.raises(lifecycle.TooLate):
        lifecycle.take_back(erasure_id=first.id, by=alice.actor, now=NOON)
    for one in (first, asked):
        run_jobs(one.id)
    assert not Source.objects.filter(subject_id=alice.subject.id).exists()
    assert not Memory.objects.filter(subject_id=alice.subject.id).exclude(statement="").exists()
    assert left(bob) == {"Keeps a heron"}


def test_it_covers_what_was_there_and_never_what_comes_later(alice: Person) -> None:
    remembered(alice, "Likes tea")
    asked = ask(alice, WholeSubject())
    remembered(alice, "Keeps a heron", now=NOON + timedelta(seconds=1))

    run_jobs(asked.id)

    assert left(alice) == {"Keeps a heron"}


def test_the_same_scope_asked_for_again_is_the_one_that_runs(alice: Person, relay: Actor) -> None:
    bob = person(alice.house, "bob")
    for who in (alice, bob):
        remembered(who, "Keeps a heron", by=relay, kind="fact", source=CHAT)

    first = ask(alice, FromSource(trace_id="chat-1"))

    assert ask(alice, FromSource(trace_id="chat-1")).id == first.id
    assert ask(alice, FromSource(trace_id="chat-2")).id != first.id
    assert ask(bob, FromSource(trace_id="chat-1")).id != first.id
    run_jobs(first.id)
    assert ask(alice, FromSource(trace_id="chat-1")).id != first.id


def test_an_agent_on_its_own_channel_has_only_its_own_erased(alice: Person) -> None:
    importer = agent(alice.house, Channel.IMPORT)
    remembered(alice, "Runs every morning", by=importer, origin="observed", kind="fact")
    remembered(alice, "Keeps a heron", kind="fact")
    assert importer.agent_id is not None

    with pytest.raises(lifecycle.NotYoursToErase):
        ask(alice, WholeSubject(), by=importer)
    with pytest.raises(lifecycle.NotYoursToErase):
        ask(alice, Matching(kinds=("fact",)), by=importer)
    asked = ask(alice, WrittenBy(agent_id=importer.agent_id), by=importer)

    assert (asked.state, left(alice)) == ("erased", {"Keeps a heron"})


def test_of_a_stranger_nobody_hears_anything(alice: Person) -> None:
    bob = person(alice.house, "bob")

    with pytest.raises(NotFound):
        ask(alice, WholeSubject(), by=bob.actor)


def test_the_api_takes_every_scope_and_refuses_what_does_not_fit(db: None) -> None:
    house = organisation("north")
    house.subject("user:alice")
    relay = house.caller()
    about = {"subject": "user:alice"}
    seat = {**about, "kind": "fact", "statement": "Keeps a heron", "origin": "stated", "source": {"trace_id": "chat-1"}}
    memory = relay.post("/memories", seat).json()

    asked = relay.post("/erasures", {**about, "scope": "source", "source": {"trace_id": "chat-1"}})

    assert asked.status_code == 202
    assert (asked.json()["state"], asked.json()["memory_ids"]) == ("erasing", [memory["id"]])
    assert relay.get(f"/memories/{memory['id']}").status_code == 404
    assert relay.get(asked["Location"].removeprefix("/api/v1")).json() == asked.json()
    for body in (
        {"scope": "source"},
        {"scope": "source", "source": {}},
        {"scope": "filter"},
        {"scope": "memories", "memory_ids": []},
        {"scope": "subject", "kinds": ["fact"]},
        {"scope": "everything"},
    ):
        assert relay.post("/erasures", {**about, **body}).status_code == 400, body
    for named in ({"scope": "agent"}, {"scope": "filter", "kinds": ["fact"]}, {"scope": "subject"}):
        assert relay.post("/erasures", {**about, **named}).status_code == 202
    assert relay.post("/erasures", {**about, "scope": "agent", "agent": "Nobody"}).status_code == 404
    assert relay.post("/erasures", {"subject": "user:nobody", "scope": "subject"}).status_code == 404
    own = house.caller(channel=Channel.AGENT)
    for ref in ("user:alice", "user:nobody"):
        assert own.post("/erasures", {"subject": ref, "scope": "subject"}).status_code == 403
