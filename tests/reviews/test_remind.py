"""Reviewers are reminded of what is due soon; once it is overdue, privacy officers are told too."""

from datetime import timedelta

from accounts.actors import Actor
from accounts.models import Notice, Subject
from accounts.vocabulary import NoticeKind, Role
from memory_admin.jobs.models import Job
from memory_admin.memories import services as memories
from memory_admin.memories.models import DataRequest, Dispute
from memory_admin.memories.requests import due_soon_at
from memory_admin.memories.vocabulary import DisputeReason
from memory_admin.reviews import queries, services
from tests.factories import NOON, Person, remembered
from tests.reviews.conftest import hired


def test_a_request_is_reminded_of_twice_and_an_answered_one_never(alice: Person, rosa: Actor) -> None:
    officer = hired(alice, "amara", Role.PRIVACY_OFFICER)
    memory = remembered(alice, "Prefers the window seat")
    dispute = memories.dispute(memory_id=memory.id, by=alice.actor, reason=DisputeReason.WRONG, now=NOON)
    request = DataRequest.objects.get()
    soon = due_soon_at(NOON, dispute.due_at)
    assert dispute.due_at - soon == timedelta(days=7.5)
    assert Job.objects.filter(name="reviews.remind_of_request", object_id=request.id, epoch=0).count() == 1

    def reminded(by: Actor) -> int:
        return Notice.objects.filter(user=by.user_id, kind=NoticeKind.REQUEST_DUE).count()

    assert services.remind(request_id=request.id, now=soon)
    assert services.remind(request_id=request.id, now=soon)
    assert (reminded(rosa), reminded(officer), reminded(alice.actor)) == (1, 0, 0)
    assert Job.objects.filter(name="reviews.remind_of_request", object_id=request.id, epoch=1).count() == 1

    assert services.remind(request_id=request.id, now=dispute.due_at)
    assert (reminded(rosa), reminded(officer)) == (1, 1)

    Dispute.objects.update(result="withdrawn", closed_at=NOON, closed_by=alice.actor.ref)
    assert not services.remind(request_id=request.id, now=dispute.due_at)


def test_nobody_is_told_of_a_subject_of_tests(alice: Person, rosa: Actor) -> None:
    memory = remembered(alice, "Prefers the window seat")
    Subject.objects.filter(id=alice.subject.id).update(is_test=True)

    memories.dispute(memory_id=memory.id, by=alice.actor, reason=DisputeReason.WRONG, now=NOON)

    assert not Notice.objects.exists()
    assert not queries.open_disputes(rosa).exists()


def test_where_there_is_no_reviewer_the_privacy_officer_is_told(alice: Person) -> None:
    officer = hired(alice, "amara", Role.PRIVACY_OFFICER)
    memory = remembered(alice, "Prefers the window seat")

    memories.dispute(memory_id=memory.id, by=alice.actor, reason=DisputeReason.WRONG, now=NOON)

    assert Notice.objects.get().user_id == officer.user_id
