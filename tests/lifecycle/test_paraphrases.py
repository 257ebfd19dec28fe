"""What was erased and comes back in other words goes to the person; nobody else can tell."""

import json

import numpy as np
import pytest
from django.utils import timezone
from numpy.typing import NDArray

from accounts.actors import Actor
from accounts.vocabulary import Channel
from memory_admin.indexing.embedding import embed
from memory_admin.lifecycle import services as lifecycle
from memory_admin.memories import services as memories
from memory_admin.memories.likeness import ALIKE_WITHIN, BITS, likenesses
from memory_admin.memories.models import Memory, Tombstone
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import organisation
from tests.factories import NOON, Person, agent, claim, person, remembered
from tests.lifecycle.erasing import run_jobs
from tests.memories.paraphrases import OTHERS, PARAPHRASES

WORDS = "Works as a nurse on night shifts"
AGAIN = "Is a nurse who does the night shift"
OTHER = "Prefers dark mode in every tool"


def erased(who: Person, words: str) -> None:
    lifecycle.erase(memory_ids=[remembered(who, words, kind="fact").id], by=who.actor, now=NOON)


def written(who: Person, words: str, channel: Channel) -> memories.Outcome:
    origin = "imported" if channel == Channel.IMPORT else "stated"
    again = claim(who.subject, words, kind="fact", origin=origin)
    return memories.capture(claim=again, by=agent(who.house, channel), now=timezone.now())


def distances(pairs: tuple[tuple[str, str], ...], who: Person) -> NDArray[np.int64]:
    owner = {"tenant_id": who.house.tenant.id, "subject_id": who.subject.id}
    one, other = (likenesses(list(embed([pair[side] for pair in pairs])), **owner) for side in (0, 1))
    return np.array([differing(*pair) for pair in zip(one, other, strict=True)])


def differing(one: bytes, other: bytes) -> int:
    return (int.from_bytes(one) ^ int.from_bytes(other)).bit_count()


def test_paraphrases_are_told_from_what_only_sounds_alike(alice: Person) -> None:
    recall = (distances(PARAPHRASES, alice) <= ALIKE_WITHIN).mean()
    false_alarms = (distances(OTHERS, alice) <= ALIKE_WITHIN).mean()

    assert recall >= 0.8
    assert false_alarms <= 0.1


def test_signatures_of_two_subjects_have_nothing_in_common(alice: Person) -> None:
    bob = person(alice.house, "bob")
    vector = list(embed([WORDS]))
    mine, theirs = (
        likenesses(vector, tenant_id=who.house.tenant.id, subject_id=who.subject.id)[0] for who in (alice, bob)
    )

    assert abs(differing(mine, theirs) / BITS - 0.5) < 0.06


def test_a_paraphrase_by_an_agent_waits_for_the_person(alice: Person) -> None:
    erased(alice, WORDS)

    again, other = written(alice, AGAIN, Channel.IMPORT), written(alice, OTHER, Channel.IMPORT)

    assert (again.result, again.rule_ids[-1]) == ("proposed", "T-002")
    assert other.result == "stored"


@pytest.mark.parametrize("channel", [Channel.AGENT, Channel.TOOL, Channel.DOCUMENT, Channel.PEER_AGENT])
def test_what_would_wait_anyway_says_why(alice: Person, channel: Channel) -> None:
    erased(alice, WORDS)

    outcome = written(alice, AGAIN, channel)

    assert (outcome.result, outcome.rule_ids[-1]) == ("proposed", "T-002")


def test_their_own_hand_and_their_own_message_are_not_asked_about(alice: Person) -> None:
    erased(alice, WORDS)

    assert remembered(alice, AGAIN, kind="fact").status == "active"
    said = "Does night shifts in her job as a nurse"
    assert written(alice, said, Channel.USER_MESSAGE).result != "proposed"


def test_what_search_knew_nothing_of_is_recognised_too(alice: Person, helper: Actor) -> None:
    waiting = remembered(alice, WORDS, by=helper, kind="fact", origin="inferred")
    assert waiting.status == "proposed"

    lifecycle.erase(memory_ids=[waiting.id], by=alice.actor, now=NOON)

    assert written(alice, AGAIN, Channel.IMPORT).result == "proposed"


def test_what_is_too_much_for_the_request_is_signed_by_the_job(
    alice: Person, helper: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_admin.lifecycle.paraphrases.AT_ONCE", 0)
    waiting = remembered(alice, WORDS, by=helper, kind="fact", origin="inferred")
    asked = lifecycle.request_erasure(memory_ids=[waiting.id], by=alice.actor, now=NOON)
    assert not Tombstone.objects.filter(likeness__isnull=False).exists()

    run_jobs(asked.id)

    assert written(alice, AGAIN, Channel.IMPORT).result == "proposed"


def test_allowed_again_nothing_is_asked_any_more(alice: Person) -> None:
    erased(alice, WORDS)
    memories.allow_again(tombstone_id=Tombstone.objects.earliest("id").id, by=alice.actor, now=NOON)

    assert written(alice, AGAIN, Channel.IMPORT).result == "stored"


def test_taken_back_nothing_is_asked_any_more(alice: Person) -> None:
    memory = remembered(alice, WORDS, kind="fact")
    asked = lifecycle.request_erasure(memory_ids=[memory.id], by=alice.actor, now=NOON, grace=lifecycle.GRACE)
    assert written(alice, AGAIN, Channel.IMPORT).result == "proposed"

    lifecycle.take_back(erasure_id=asked.id, by=alice.actor, now=NOON)

    assert not Tombstone.objects.exists()


def test_kept_by_the_person_it_tells_agents_nothing(db: None) -> None:
    house = organisation("acme")
    alice = person(house, "alice")
    with tenant_scope(house.tenant.id):
        erased(alice, WORDS)
        outcome = written(alice, AGAIN, Channel.IMPORT)
        memories.confirm(memory_id=outcome.memory_id, by=alice.actor, now=timezone.now())
        assert "T-002" in Memory.objects.get(id=outcome.memory_id).rule_ids
    caller = house.caller(channel=Channel.AGENT)

    answers = [
        caller.get(f"/memories/{outcome.memory_id}").content,
        caller.get("/memories").content,
    ]

    assert all(json.loads(answer) and b"T-002" not in answer for answer in answers)
    assert AGAIN.encode() in answers[0]


def test_an_agent_gets_the_same_answer_whatever_was_erased(db: None) -> None:
    house = organisation("acme")
    alice = person(house, "alice")
    with tenant_scope(house.tenant.id):
        erased(alice, WORDS)
    caller = house.caller(channel=Channel.AGENT)

    def shape(words: str) -> tuple[int, set[str]]:
        body = {"subject": alice.subject.ref, "kind": "fact", "statement": words, "origin": "inferred"}
        answer = caller.post("/memories", body)
        decided = caller.get(f"/decisions/{answer.json()['decision_id']}").json()
        assert (decided["result"], decided["rule_ids"]) == ("taken", [])
        return answer.status_code, set(answer.json())

    assert shape(AGAIN) == shape(WORDS) == shape(OTHER) == (202, {"decision_id", "memory_id", "policy_version"})
