"""Sealing answers: what the log says of a read cannot be changed unseen, and can still be erased."""

import threading
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from accounts.actors import Actor
from memory_admin import audit, jobs
from memory_admin.audit import Action
from memory_admin.audit.chain import instant
from memory_admin.audit.models import Event
from memory_admin.audit.queries import told_of
from memory_admin.jobs.models import Job
from memory_admin.lifecycle import services as lifecycle
from memory_admin.retrieval import proofs
from memory_admin.retrieval.models import Retrieval, RetrievalCandidate, Seal
from memory_admin.retrieval.sealing import OF_A_CANDIDATE, OF_AN_ANSWER
from memory_admin.retrieval.services import seal, seal_reads
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import organisation
from tests.factories import NOON, Person, agent, person, remembered
from tests.retrieval.asking import ask

LATER = NOON + timedelta(minutes=10)


def events() -> list[Event]:
    return list(Event.objects.filter(action=Action.READS_SEALED).order_by("seq"))


def test_answers_are_sealed_once_by_one_event_that_names_the_root_and_no_words(alice: Person, helper: Actor) -> None:
    remembered(alice, "Prefers the window seat")
    ask(alice, "seat", by=helper)
    ask(alice, "whatever else", by=helper, now=NOON + timedelta(minutes=1))

    sealed, again = seal_reads(now=LATER), seal_reads(now=LATER)

    assert sealed is not None
    assert again is None
    (event,) = events()
    assert event.seq == sealed.audit_seq
    told = told_of(event)["seals"]
    assert (told["root"], told["answers"]) == (bytes(sealed.root).hex(), 2)
    assert told["leaves"] == 2 + RetrievalCandidate.objects.count() == len(sealed.every_leaf())
    assert (told["first"], told["last"]) == (instant(NOON), instant(NOON + timedelta(minutes=1)))
    assert proofs.check_seals() == proofs.Sealing(1, told["leaves"], 0, (), ())


def test_answers_are_sealed_every_hour(alice: Person, helper: Actor) -> None:
    jobs.begin_hour(now=NOON)

    assert Job.objects.filter(name=jobs.SEAL_READS, object_id=alice.subject.tenant_id).count() == 1


def test_more_than_fit_one_seal_are_sealed_by_the_next(
    alice: Person, helper: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seal, "ANSWERS_AT_ONCE", 2)
    for minutes in range(3):
        ask(alice, "seat", by=helper, now=NOON + timedelta(minutes=minutes))

    first = seal_reads(now=LATER)
    assert first is not None
    assert Job.objects.filter(name=jobs.SEAL_READS).exists()
    second = seal_reads(now=LATER)

    assert first is not None
    assert second is not None
    assert (first.answers, second.answers, seal_reads(now=LATER)) == (2, 1, None)


def test_a_use_is_proved_and_one_that_was_changed_is_not(alice: Person, helper: Actor) -> None:
    memory = remembered(alice, "Prefers the window seat")
    ask(alice, "seat", by=helper)
    use = RetrievalCandidate.objects.get(memory_id=memory.id)
    assert proofs.proof_of_use(use.id) is None
    seal_reads(now=LATER)

    proof = proofs.proof_of_use(use.id)
    RetrievalCandidate.objects.filter(id=use.id).update(rank=use.rank + 1)
    changed = proofs.proof_of_use(use.id)

    assert proof is not None
    assert proof.holds
    assert str(memory.id).encode() in proof.body
    assert changed is not None
    assert not changed.holds
    assert proofs.check_seals().edited == (use.retrieval_id,)


def test_a_seal_that_was_forged_is_named(alice: Person, helper: Actor) -> None:
    ask(alice, "seat", by=helper)
    sealed = seal_reads(now=LATER)
    assert sealed is not None
    forged = Seal.objects.create(
        root=sealed.root, leaves=bytes(64), answers=1, audit_seq=sealed.audit_seq, sealed_at=LATER
    )

    assert proofs.check_seals().bad == (forged.id,)


@pytest.mark.parametrize("how", ["memory", "subject"])
def test_an_erasure_takes_the_rows_and_leaves_every_other_proof(alice: Person, helper: Actor, how: str) -> None:
    bob = person(alice.house, "bob")
    gone, kept = remembered(alice, "Prefers the window seat"), remembered(bob, "Prefers the aisle seat")
    for who in (alice, bob):
        ask(who, "seat", by=helper)
    sealed = seal_reads(now=LATER)
    assert sealed is not None
    before = sealed.every_leaf()

    if how == "memory":
        lifecycle.erase(memory_ids=[gone.id], by=alice.actor, now=LATER)
    else:
        lifecycle.erase_subject(ref=alice.subject.ref, by=alice.actor, now=LATER)

    use = RetrievalCandidate.objects.get(memory_id=kept.id)
    proof = proofs.proof_of_use(use.id)
    found = proofs.check_seals()
    assert not RetrievalCandidate.objects.filter(memory_id=gone.id).exists()
    assert proof is not None
    assert proof.holds
    assert found.holds
    assert found.gone == (1 if how == "memory" else 2)
    assert Seal.objects.get(id=sealed.id).every_leaf() == before
    assert audit.verify(alice.subject.tenant_id).holds


def test_every_column_is_committed_to_or_known_to_change() -> None:
    changing = {
        Retrieval: {"query_text", "query_text_until", "watched", "counted_at", "sealed_in"},
        RetrievalCandidate: set(),
    }
    for model, committed in ((Retrieval, OF_AN_ANSWER), (RetrievalCandidate, OF_A_CANDIDATE)):
        columns = {str(field.column) for field in model._meta.local_concrete_fields if field.column}
        assert columns - set(committed) - {"tenant_id", "salt"} == changing[model]


@pytest.mark.django_db(transaction=True)
def test_a_row_that_an_erasure_holds_is_left_for_the_next_seal(monkeypatch: pytest.MonkeyPatch) -> None:
    alice = person(organisation("acme"), "alice")
    by = agent(alice.house)
    tenant_id = alice.house.tenant.id
    with tenant_scope(tenant_id):
        for minutes in range(2):
            ask(alice, "seat", by=by, now=NOON + timedelta(minutes=minutes))
        held = Retrieval.objects.earliest("created_at")
    done: list[Any] = []

    def seal_meanwhile() -> None:
        with tenant_scope(tenant_id):
            done.append(seal_reads(now=LATER))
        connection.close()

    with tenant_scope(tenant_id), transaction.atomic():
        Retrieval.objects.select_for_update().get(id=held.id)
        other = threading.Thread(target=seal_meanwhile)
        other.start()
        other.join(30)
        assert done[0].answers == 1
        audit.record(action=Action.TENANT_CREATED, by=by, target=None, at=LATER)

    with tenant_scope(tenant_id):
        left = seal_reads(now=LATER)
        assert left is not None
        assert left.answers == 1
        assert proofs.check_seals().holds


def test_the_command_holds_the_log_against_its_seals_when_asked(alice: Person, helper: Actor) -> None:
    remembered(alice, "Prefers the window seat")
    ask(alice, "seat", by=helper)
    seal_reads(now=LATER)
    said = StringIO()
    call_command("verify_audit", "--tenant", "acme", "--reads", stdout=said)
    assert "acme: reads, 2 rows in 1 seals, 0 gone\n" in said.getvalue()

    Retrieval.objects.update(returned=0)
    with pytest.raises(CommandError, match="1 of 1 audit trails are broken"):
        call_command("verify_audit", "--tenant", "acme", "--reads", stdout=said)

    assert "broken at 0 seals and 1 answers, first at answer" in said.getvalue()
