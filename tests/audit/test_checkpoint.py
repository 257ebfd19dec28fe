"""What is kept outside the database shows that somebody who owns it rewrote a trail whole."""

import multiprocessing
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings as project

from memory_admin import audit, jobs
from memory_admin.audit import checkpoints, keeping, notes, signing, tasks
from memory_admin.audit.actions import Action
from memory_admin.audit.chain import Finding, Problem, event_hash
from memory_admin.audit.checkpoints import Checkpoint
from memory_admin.audit.models import Event
from memory_admin.audit.notes import SigningKey
from memory_admin.jobs import outbox
from memory_admin.jobs.models import Job
from memory_admin.tenancy.scope import tenant_scope

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ACME = UUID("018f0000-0000-7000-8000-000000000001")


def grow(by: Any, events: int, *, at: datetime = NOON) -> None:
    """Record some events, and sign how far the trail is then."""
    with tenant_scope(by.tenant_id):
        audit.record_many([audit.Entry(action=Action.TENANT_CREATED, by=by, target=None, at=at)] * events)
    with tenant_scope(by.tenant_id):
        audit.checkpoint(at=at)


def rewrite(by: Any, tamper: Any, *, from_seq: int) -> None:
    """Do what somebody can who owns the database and knows the trail: cut its tail and forge one that fits."""
    with tenant_scope(by.tenant_id):
        told = {one.seq: (bytes(one.canonical), bytes(one.prev_hash)) for one in Event.objects.order_by("seq")}
    head = told[from_seq][1]
    for seq in range(from_seq, len(told) + 1):
        canonical = told[seq][0].replace(b"2026-03-01", b"2026-03-02")
        before, head = head, event_hash(head, canonical)
        tamper(
            "UPDATE audit_event SET canonical = %s, prev_hash = %s, hash = %s WHERE seq = %s",
            canonical,
            before,
            head,
            seq,
        )
    tamper("UPDATE audit_chain SET head = %s", head)


@pytest.mark.django_db(transaction=True)
def test_a_rewritten_tail_is_found_with_a_checkpoint_and_not_without(acme: Any, tamper: Any) -> None:
    grow(acme, 4)
    grow(acme, 3)
    rewrite(acme, tamper, from_seq=6)

    found = audit.verify(ACME)
    keeping.place_of(ACME).rename(keeping.place_of(ACME).with_suffix(".hidden"))
    without = audit.verify(ACME)

    assert (found.first_bad, found.agreed) == (Finding(5, Problem.CONTRADICTED), 4)
    assert (without.first_bad, without.agreed, without.events) == (None, 0, 7)


@pytest.mark.django_db(transaction=True)
def test_a_tail_cut_off_with_its_chain_row_is_found_with_a_checkpoint_alone(acme: Any, tamper: Any) -> None:
    grow(acme, 4)
    with tenant_scope(ACME):
        head = bytes(Event.objects.get(seq=3).hash)
    tamper("DELETE FROM audit_event WHERE seq > 3")
    tamper("UPDATE audit_chain SET size = 3, head = %s", head)

    assert audit.verify(ACME).first_bad == Finding(4, Problem.CUT)
    keeping.place_of(ACME).unlink()
    assert audit.verify(ACME).holds


@pytest.mark.django_db(transaction=True)
def test_a_checkpoint_that_we_did_not_sign_is_not_believed(acme: Any) -> None:
    grow(acme, 2)
    ours = keeping.last(ACME)
    forged = Checkpoint(ACME, 1, bytes(32), NOON)
    stranger = SigningKey.from_seed("localhost", b"7" * 32)
    with keeping.place_of(ACME).open("a") as file:
        file.write(notes.sign(forged.text, stranger) + "\n")
        file.write(signing.sign_note(Checkpoint(UUID(int=7), 9, bytes(32), NOON).text) + "\n")

    checked = audit.verify(ACME)

    assert (checked.holds, checked.agreed) == (True, 2)
    assert keeping.kept(ACME) == keeping.Kept((ours,), unsigned=2)  # type: ignore[arg-type]


def test_a_checkpoint_is_written_once_and_only_behind_the_others() -> None:
    first = [Checkpoint(ACME, size, bytes(32), NOON) for size in (1, 2)]
    assert [keeping.keep(one) for one in (*first, first[1])] == [True, True, False]
    before = keeping.place_of(ACME).read_bytes()

    keeping.keep(Checkpoint(ACME, 3, bytes(32), NOON))

    assert keeping.place_of(ACME).read_bytes().startswith(before)
    assert [one.size for one in keeping.kept(ACME).checkpoints] == [1, 2, 3]
    assert [note.split("\n")[1] for note in keeping.notes_of(ACME, first=2, last=3)] == ["2", "3"]


@pytest.mark.parametrize("cut", [1, 60, 150, 250])
def test_what_a_crash_has_left_of_a_checkpoint_spoils_no_other(cut: int) -> None:
    keeping.keep(Checkpoint(ACME, 1, bytes(32), NOON))
    whole = keeping.place_of(ACME).read_bytes()
    keeping.place_of(ACME).write_bytes(whole + whole[:-cut])

    keeping.keep(Checkpoint(ACME, 2, bytes(32), NOON))

    assert [one.size for one in keeping.kept(ACME).checkpoints][-1] == 2
    assert {one.size for one in keeping.kept(ACME).checkpoints} == {1, 2}


def _write(folder: str, sizes: range) -> None:
    project.CHECKPOINTS_DIR = folder
    for size in sizes:
        keeping.keep(Checkpoint(ACME, size, bytes(32), NOON))


def test_processes_that_write_at_once_lose_nothing(settings: Any) -> None:
    # All of them write the same sizes: whoever comes second to one has nothing new to say, unless it is not the last.
    fork = multiprocessing.get_context("fork")
    writers = [
        fork.Process(target=_write, args=(settings.CHECKPOINTS_DIR, range(start, start + 40))) for start in (1, 101)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    kept = keeping.kept(ACME)
    assert sorted(one.size for one in kept.checkpoints) == [*range(1, 41), *range(101, 141)]
    assert kept.unsigned == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "memory_admin/audit/x\n1\n",
        Checkpoint(ACME, 7, bytes(32), NOON).text.replace("\n7\n", "\n07\n"),
        Checkpoint(ACME, 7, bytes(32), NOON).text.replace("\n7\n", "\n-7\n"),
        Checkpoint(ACME, 7, bytes(32), NOON).text.replace("03-01", "13-01"),
        Checkpoint(ACME, 7, bytes(32), NOON).text.replace(b64encode(bytes(32)).decode(), b64encode(b"short").decode()),
        Checkpoint(ACME, 7, bytes(32), NOON).text.replace("-0000", "-000g", 1),
        f"{Checkpoint(ACME, 7, bytes(32), NOON).text}more\n",
    ],
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(checkpoints.NotACheckpoint):
        checkpoints.parse(text)


def test_a_checkpoint_is_read_as_it_was_written() -> None:
    one = Checkpoint(ACME, 7, bytes(range(32)), NOON + timedelta(microseconds=1))

    assert checkpoints.parse(one.text) == one


@pytest.mark.django_db
def test_a_checkpoint_is_written_every_hour_in_which_the_trail_grew(acme: Any) -> None:
    with tenant_scope(ACME):
        audit.record(action=Action.TENANT_CREATED, by=acme, target=None, at=NOON)
    for hour in range(2):
        with tenant_scope(ACME):
            jobs.begin_hour(now=NOON + timedelta(hours=hour))
            waiting = Job.objects.get(name=jobs.CHECKPOINT, done_at=None)
        tasks.checkpoint(str(ACME), str(waiting.id))
        with tenant_scope(ACME):
            assert Job.objects.get(id=waiting.id).done_at is not None

    assert [one.size for one in keeping.kept(ACME).checkpoints] == [1]
    assert jobs.CHECKPOINT in outbox.HOURLY
