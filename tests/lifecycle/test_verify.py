"""Looking for what is left of an erasure: deleted before, complete only after."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory_admin import jobs
from memory_admin.audit.models import Event
from memory_admin.jobs.models import Job
from memory_admin.lifecycle import services as lifecycle
from memory_admin.lifecycle import verification
from memory_admin.lifecycle.models import ErasureRequest
from memory_admin.lifecycle.tasks import verify
from memory_admin.memories import services as memories
from memory_admin.memories.models import Evidence, Memory, MemoryRevision, Source
from tests.factories import Person, remembered
from tests.lifecycle.erasing import run_jobs

SAID = memories.SourceIn(trace_id="t-1", message_id="m-1", quote="I keep a heron")


@pytest.fixture
def erasure(alice: Person) -> ErasureRequest:
    memory = remembered(alice, "Keeps a heron", kind="fact", source=SAID, now=timezone.now())
    asked = lifecycle.request_erasure(memory_ids=[memory.id], by=alice.actor, now=timezone.now())
    run_jobs(asked.id)
    return reread(asked)


def reread(erasure: ErasureRequest) -> ErasureRequest:
    return ErasureRequest.objects.get(id=erasure.id)


def look(erasure: ErasureRequest) -> ErasureRequest:
    """Run the job that waits, as a worker would when its time has come."""
    waiting = Job.objects.filter(name=jobs.VERIFY_ERASURE, object_id=erasure.id, done_at=None).earliest("id")
    verify(str(waiting.tenant_id), str(waiting.id))
    return reread(erasure)


def test_it_is_deleted_first_and_complete_when_nothing_was_found(erasure: ErasureRequest) -> None:
    assert (erasure.state, erasure.verified_at) == ("erased", None)

    complete = look(erasure)

    assert complete.verified_at is not None
    assert (complete.looks, complete.trouble) == (1, "")
    lifecycle.verify(erasure_id=erasure.id, now=timezone.now())
    assert reread(erasure).looks == 1
    assert Event.objects.filter(action="erasure.verified", target_id=str(erasure.id)).count() == 1


@pytest.mark.parametrize("way", ["texts", "wordings", "sources"])
def test_what_is_left_behind_is_found_and_named(erasure: ErasureRequest, alice: Person, way: str) -> None:
    before = erasure.requested_at - timedelta(seconds=1)
    if way == "texts":
        Memory.objects.filter(id=erasure.memory_ids[0]).update(status="archived", statement="Keeps a heron")
    elif way == "wordings":
        other = remembered(alice, "Likes tea", now=timezone.now())
        digest = memories_digest(alice)
        MemoryRevision.objects.filter(memory_id=other.id).update(digest=digest, recorded_from=before)
    else:
        memory_id = erasure.memory_ids[0]
        source = Source.objects.create(subject_id=alice.subject.id, digest=b"d" * 32, created_at=before)
        Evidence.objects.create(
            memory_id=memory_id, source_id=source.id, asserted_by="x", channel="agent", created_at=before
        )

    found = look(erasure)

    assert (found.is_partly_done, found.trouble, found.verified_at) == (True, f"found_in_{way}", None)


def memories_digest(alice: Person) -> bytes:
    from memory_admin.memories.digests import statement_digest

    return statement_digest("Keeps a heron", tenant_id=alice.house.tenant.id, subject_id=alice.subject.id)


def test_a_stage_that_fails_says_so_and_is_tried_again_after_longer_and_longer(
    erasure: ErasureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise ConnectionError

    with monkeypatch.context() as broken:
        broken.setattr(verification, "look_for", fail)
        waits = []
        for _ in range(3):
            failed = look(erasure)
            assert failed.next_look_at is not None
            waits.append((failed.next_look_at - timezone.now()).total_seconds())
    assert (failed.trouble, failed.looks, failed.verified_at) == ("ConnectionError", 3, None)
    assert waits == sorted(waits)
    assert waits[2] > 3 * waits[0]

    assert look(erasure).verified_at is not None


def test_somebody_can_have_it_tried_again_at_once(
    erasure: ErasureRequest, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(verification, "look_for", lambda _: 1 / 0)
        look(erasure)

    lifecycle.try_again(erasure_id=erasure.id, by=alice.actor)
    queued = Job.objects.filter(name=jobs.VERIFY_ERASURE, object_id=erasure.id, done_at=None).latest("id")
    verify(str(queued.tenant_id), str(queued.id))

    assert reread(erasure).verified_at is not None
    assert look(erasure).looks == 2, "the one that waited has nothing left to do"
