"""Answering a dispute: who may, what becomes of the memory, and what the person is told first."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.actors import Actor
from accounts.models import Membership, Notice, Stewardship
from accounts.queries import memberships_of
from accounts.queries import staff as staff_actor
from accounts.services import ensure_subject
from accounts.vocabulary import NoticeKind, Role
from memory_admin.audit.models import Event
from memory_admin.audit.queries import payload_of
from memory_admin.errors import NotAllowed, NotFound
from memory_admin.indexing.models import Entry
from memory_admin.jobs.models import Job
from memory_admin.lifecycle import services as lifecycle
from memory_admin.memories import services as memories
from memory_admin.memories.changes import ChangedMeanwhile, WrongState
from memory_admin.memories.models import DataRequest, Dispute, Memory, Tombstone
from memory_admin.memories.services.correct import CorrectionRefused, NothingChanged, NotYours
from memory_admin.memories.services.dispute import WordsHoldASecret
from memory_admin.memories.vocabulary import DisputeReason, Remedy
from memory_admin.reviews import queries, services
from memory_admin.reviews.desk import AboutYourself, AlreadyAnswered
from memory_admin.reviews.services.disputes import NOTICE, ReasonMissing
from tests.factories import NOON, Person, audited, claim, remembered
from tests.reviews.conftest import hired

SAID = "Prefers the window seat"


def disputed(alice: Person, statement: str = SAID, *, by: Actor | None = None, **claim: Any) -> Dispute:
    memory = remembered(alice, statement, **claim)
    return memories.dispute(
        memory_id=memory.id, by=by or alice.actor, reason=DisputeReason.WRONG, words="Never said so.", now=NOON
    )


def told(by: Actor) -> list[tuple[str, str]]:
    assert by.user_id is not None
    return list(Notice.objects.filter(user_id=by.user_id).order_by("id").values_list("kind", "path"))


def request_of(dispute: Dispute) -> DataRequest:
    return DataRequest.objects.get(object_id=dispute.id)


def reread(dispute: Dispute) -> tuple[Dispute, Memory]:
    found = Dispute.objects.select_related("memory").get(id=dispute.id)
    return found, found.memory


def test_a_dispute_has_a_number_and_reviewers_are_told(alice: Person, rosa: Actor) -> None:
    dispute = disputed(alice)

    request = request_of(dispute)
    assert request.subject_id == alice.subject.id
    assert len(request.spoken) == 11
    assert told(rosa) == [(NoticeKind.REVIEW_WAITING, "/console/reviews/")]
    assert list(queries.open_disputes(rosa)) == [dispute]
    assert queries.waiting(queries.open_disputes(rosa), now=dispute.due_at).overdue == 1


def test_reading_is_recorded_for_the_person(alice: Person, rosa: Actor) -> None:
    dispute = disputed(alice)

    assert services.read_dispute(dispute_id=dispute.id, by=rosa, now=NOON).memory.statement == SAID

    (event,) = Event.objects.filter(action="content.viewed", target_id=str(alice.subject.id))
    assert payload_of(event.seq) == {
        "dispute": str(dispute.id), "memories": 1, "reason": "review", "role": "reviewer"
    }  # fmt: skip


def test_upheld_and_erased_leaves_no_words_and_keeps_the_number(alice: Person, rosa: Actor) -> None:
    dispute = disputed(alice)

    services.uphold(dispute_id=dispute.id, remedy=Remedy.ERASED, version=2, answer="Sorry.", by=rosa, now=NOON)

    found, memory = reread(dispute)
    assert (memory.status, memory.statement) == ("erased", "")
    assert (found.result, found.remedy, found.words, found.answer) == ("upheld", "erased", "", "")
    assert found.closed_by == rosa.ref
    assert Tombstone.objects.filter(subject_id=alice.subject.id).exists()
    assert audited(memory)[-2:] == ["memory.erased", "memory.dispute_answered"]
    assert (NoticeKind.DISPUTE_ANSWERED, f"/requests/{request_of(dispute).id}/") in told(alice.actor)


def test_upheld_and_corrected_is_the_organisations_word_and_not_the_persons(alice: Person, rosa: Actor) -> None:
    dispute = disputed(alice)

    services.uphold(
        dispute_id=dispute.id, remedy=Remedy.CORRECTED, version=2, statement="Sits anywhere", by=rosa, now=NOON
    )

    found, memory = reread(dispute)
    assert (memory.status, memory.statement, memory.origin, memory.channel) == (
        "active", "Sits anywhere", "imported", "import",
    )  # fmt: skip
    assert (memory.confirmed_at, memory.asserted_by) == (None, rosa.ref)
    assert (found.result, found.remedy) == ("upheld", "corrected")
    assert Entry.objects.count() == 1
    assert memories.confirm(memory_id=memory.id, by=alice.actor, now=NOON).confirmed_by == alice.actor.ref


def test_upheld_and_retired_held_until_now(alice: Person, rosa: Actor) -> None:
    dispute = disputed(alice)
    later = NOON + timedelta(days=2)

    services.uphold(dispute_id=dispute.id, remedy=Remedy.RETIRED, version=2, by=rosa, now=later)

    memory = reread(dispute)[1]
    assert (memory.status, memory.statement, memory.valid_to) == ("expired", SAID, later)
    assert audited(memory)[-2:] == ["memory.retired", "memory.dispute_answered"]


def test_not_upheld_comes_back_only_after_the_person_had_time_to_act(alice: Person, rosa: Actor) -> None:
    dispute = disputed(alice)

    services.turn_down(dispute_id=dispute.id, answer="You wrote it in May.", version=2, by=rosa, now=NOON)

    found, memory = reread(dispute)
    assert (found.result, found.answer, found.lifts_at) == ("not_upheld", "You wrote it in May.", NOON + NOTICE)
    assert told(alice.actor)[0][0] == NoticeKind.DISPUTE_ANSWERED
    assert memory.status == "disputed"
    assert Job.objects.filter(name="reviews.lift_restriction", object_id=dispute.id).exists()
    assert not services.lift_restriction(dispute_id=dispute.id, now=NOON + NOTICE - timedelta(seconds=1))
    assert services.lift_restriction(dispute_id=dispute.id, now=NOON + NOTICE)
    assert not services.lift_restriction(dispute_id=dispute.id, now=NOON + NOTICE)
    assert reread(dispute)[1].status == "active"
    assert audited(memory)[-2:] == ["memory.dispute_answered", "memory.resumed"]


def test_what_happened_to_the_memory_meanwhile_stands(alice: Person, rosa: Actor) -> None:
    dispute = disputed(alice)
    services.turn_down(dispute_id=dispute.id, answer="It is right.", version=2, by=rosa, now=NOON)
    memories.confirm(memory_id=dispute.memory_id, by=alice.actor, now=NOON)
    memories.dispute(memory_id=dispute.memory_id, by=alice.actor, reason=DisputeReason.OTHER, now=NOON + NOTICE)

    assert not services.lift_restriction(dispute_id=dispute.id, now=NOON + NOTICE)

    assert reread(dispute)[1].status == "disputed"


def test_a_key_that_has_another_value_by_now_keeps_it(alice: Person, rosa: Actor) -> None:
    dispute = disputed(alice, key="seat", value="window")
    newer = remembered(alice, "Prefers the aisle seat", key="seat", value="aisle", now=NOON + timedelta(days=1))
    services.turn_down(dispute_id=dispute.id, answer="It was right.", version=2, by=rosa, now=NOON)

    assert services.lift_restriction(dispute_id=dispute.id, now=NOON + NOTICE)

    memory = reread(dispute)[1]
    assert (memory.status, memory.valid_to) == ("superseded", newer.valid_from)


def test_an_answer_says_why_and_holds_no_secret(alice: Person, rosa: Actor) -> None:
    dispute = disputed(alice)

    with pytest.raises(ReasonMissing):
        services.turn_down(dispute_id=dispute.id, answer="  ", version=2, by=rosa, now=NOON)
    with pytest.raises(WordsHoldASecret):
        services.turn_down(dispute_id=dispute.id, answer="The password is hunter2zebra", version=2, by=rosa, now=NOON)

    assert reread(dispute)[0].closed_at is None


def test_a_correction_is_let_in_by_the_policy_or_nothing_is_answered(alice: Person, rosa: Actor) -> None:
    dispute = disputed(alice)

    for statement, refusal in (
        (SAID, NothingChanged),
        ("My password is hunter2zebra", CorrectionRefused),
        ("Has type 1 diabetes", CorrectionRefused),
    ):
        with pytest.raises(refusal):
            services.uphold(
                dispute_id=dispute.id, remedy=Remedy.CORRECTED, version=2, statement=statement, by=rosa, now=NOON
            )

    found, memory = reread(dispute)
    assert (found.closed_at, memory.statement) == (None, SAID)
    assert told(alice.actor) == []


def test_the_version_that_was_read_is_the_one_that_is_answered(alice: Person, rosa: Actor) -> None:
    dispute = disputed(alice)

    with pytest.raises(ChangedMeanwhile):
        services.turn_down(dispute_id=dispute.id, answer="It is right.", version=1, by=rosa, now=NOON)


@pytest.mark.parametrize("role", [role for role in Role if role not in (Role.REVIEWER, Role.PRIVACY_OFFICER)])
def test_nobody_else_reads_or_answers(alice: Person, role: Role) -> None:
    dispute = disputed(alice)
    somebody = hired(alice, "sam", role)

    with pytest.raises(NotAllowed):
        services.read_dispute(dispute_id=dispute.id, by=somebody, now=NOON)
    with pytest.raises(NotAllowed):
        services.turn_down(dispute_id=dispute.id, answer="No.", version=2, by=somebody, now=NOON)
    with pytest.raises(NotAllowed):
        services.turn_down(dispute_id=dispute.id, answer="No.", version=2, by=alice.actor, now=NOON)


def test_nobody_answers_about_themselves(alice: Person) -> None:
    Membership.objects.filter(user_id=alice.user.id).update(roles=[Role.PERSON, Role.REVIEWER])
    herself = staff_actor(alice.user.id, memberships_of(alice.user.id)[0])
    dispute = disputed(alice)

    assert not queries.open_disputes(herself).exists()
    assert told(herself) == []
    with pytest.raises(AboutYourself):
        services.read_dispute(dispute_id=dispute.id, by=herself, now=NOON)
    with pytest.raises(AboutYourself):
        services.uphold(dispute_id=dispute.id, remedy=Remedy.ERASED, version=2, by=herself, now=NOON)


def test_a_reviewer_changes_only_what_waits_for_an_answer(alice: Person, rosa: Actor) -> None:
    memory = remembered(alice, SAID)

    with pytest.raises(NotFound):
        memories.correct(memory_id=memory.id, statement="Sits anywhere", by=rosa, now=NOON)
    with pytest.raises(NotYours):
        memories.correct(
            memory_id=memory.id,
            statement="Sits anywhere",
            by=hired(alice, "amara", Role.PRIVACY_OFFICER),
            now=NOON,
        )
    with pytest.raises(NotFound):
        lifecycle.erase(memory_ids=[memory.id], by=rosa, now=NOON)


@pytest.mark.parametrize("how", ["delete", "correct", "confirm"])
def test_what_the_person_settles_meanwhile_disappears_from_the_queue(alice: Person, rosa: Actor, how: str) -> None:
    dispute = disputed(alice)
    if how == "delete":
        lifecycle.erase(memory_ids=[dispute.memory_id], by=alice.actor, now=NOON)
    elif how == "correct":
        memories.correct(memory_id=dispute.memory_id, statement="Sits anywhere", by=alice.actor, now=NOON)
    else:
        memories.confirm(memory_id=dispute.memory_id, by=alice.actor, now=NOON)

    assert not queries.open_disputes(rosa).exists()
    with pytest.raises(AlreadyAnswered) as raised:
        services.turn_down(dispute_id=dispute.id, answer="It is right.", version=2, by=rosa, now=NOON)
    assert raised.value.details["by"] == alice.actor.ref
    expected = {"delete": "overtaken", "correct": "upheld", "confirm": "withdrawn"}[how]
    assert (reread(dispute)[0].result, reread(dispute)[0].words) == (
        expected,
        "" if how == "delete" else "Never said so.",
    )


def test_a_dispute_that_an_agent_opened_is_answered_alike(alice: Person, rosa: Actor, relay: Actor) -> None:
    dispute = disputed(alice, by=relay)

    services.uphold(dispute_id=dispute.id, remedy=Remedy.ERASED, version=2, by=rosa, now=NOON)

    assert reread(dispute)[1].status == "erased"
    assert told(alice.actor)[0][0] == NoticeKind.DISPUTE_ANSWERED


def test_the_person_puts_a_statement_beside_what_stays(alice: Person, rosa: Actor) -> None:
    dispute = disputed(alice)
    with pytest.raises(WrongState):
        memories.state(dispute_id=dispute.id, statement="I disagree.", by=alice.actor, now=NOON)
    services.turn_down(dispute_id=dispute.id, answer="It is right.", version=2, by=rosa, now=NOON)

    memories.state(dispute_id=dispute.id, statement="I disagree. Ask me@example.org", by=alice.actor, now=NOON)
    assert reread(dispute)[0].statement == "I disagree. Ask [e-mail address]"
    memories.state(dispute_id=dispute.id, statement="", by=alice.actor, now=NOON)

    assert audited(reread(dispute)[1])[-2:] == ["memory.statement_added", "memory.statement_removed"]
    for nobody in (rosa, hired(alice, "sam", Role.PERSON)):
        with pytest.raises(NotFound):
            memories.state(dispute_id=dispute.id, statement="Me too.", by=nobody, now=NOON)


def test_a_deletion_that_may_be_taken_back_is_waited_for(alice: Person, rosa: Actor) -> None:
    read, answered = disputed(alice), disputed(alice, "Drinks tea")
    services.turn_down(dispute_id=answered.id, answer="It is right.", version=2, by=rosa, now=NOON)
    Job.objects.filter(name="reviews.lift_restriction").update(done_at=NOON)
    for dispute in (read, answered):
        lifecycle.request_erasure(memory_ids=[dispute.memory_id], by=alice.actor, now=NOON)

    with pytest.raises(NotFound):
        services.read_dispute(dispute_id=read.id, by=rosa, now=NOON)
    assert not services.lift_restriction(dispute_id=answered.id, now=NOON + NOTICE)

    assert Job.objects.filter(name="reviews.lift_restriction", object_id=answered.id, done_at=None).exists()
    assert reread(answered)[1].status == "erasing"


def test_nobody_answers_about_what_they_look_after(alice: Person, rosa: Actor, relay: Actor) -> None:
    desk = ensure_subject(ref="team:desk", by=alice.house.by, now=NOON)
    assert rosa.user_id is not None
    Stewardship.objects.create(user_id=rosa.user_id, subject_id=desk.id, named_at=NOON)
    memory = memories.capture(claim=claim(desk, "Answers within two days"), by=relay, now=NOON).memory
    assert memory is not None
    dispute = memories.dispute(memory_id=memory.id, by=relay, reason=DisputeReason.WRONG, now=NOON)

    assert not queries.open_disputes(rosa).exists()
    with pytest.raises(AboutYourself):
        services.read_dispute(dispute_id=dispute.id, by=rosa, now=NOON)
    noor = hired(alice, "noor", Role.REVIEWER)
    services.turn_down(dispute_id=dispute.id, answer="It is right.", version=2, by=noor, now=NOON)
    assert told(rosa) == [(NoticeKind.DISPUTE_ANSWERED, f"/requests/{request_of(dispute).id}/")]
