from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from accounts.models import Subject
from memory_admin.api.models import IdempotencyRecord
from memory_admin.memories.models import Memory, WriteDecision
from memory_admin.tenancy.scope import tenant_scope
from policies import baseline
from tests.api.cast import Caller, Organisation, organisation

SEAT = {"subject": "user:alice", "kind": "preference", "statement": "Prefers a window seat.", "origin": "stated"}
CALL = {**SEAT, "kind": "event", "statement": "Called about a refund."}


def test_a_request_sent_again_takes_effect_once_and_is_answered_alike(helper: Caller, north: Organisation) -> None:
    first = helper.post("/memories", CALL, Idempotency_Key="call-1")

    again = helper.post("/memories", CALL, Idempotency_Key="call-1")

    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again["ETag"] == first["ETag"]
    assert "Idempotency-Replayed" not in first
    assert again["Idempotency-Replayed"] == "true"
    with tenant_scope(north.tenant.id):
        assert Memory.objects.count() == 1


def test_another_request_with_the_same_mark_is_refused(helper: Caller) -> None:
    helper.post("/memories", CALL, Idempotency_Key="call-1")

    answered = helper.post("/memories", SEAT, Idempotency_Key="call-1")

    assert (answered.status_code, answered.json()["code"]) == (422, "idempotency_mismatch")


def test_a_mark_belongs_to_its_key(north: Organisation, helper: Caller) -> None:
    helper.post("/memories", CALL, Idempotency_Key="call-1")

    answered = north.caller().post("/memories", SEAT, Idempotency_Key="call-1")

    assert answered.status_code == 201


@pytest.mark.parametrize("body", [SEAT, {**SEAT, "channel": "tool"}, {"items": [SEAT, CALL]}])
def test_every_answer_can_be_told_again(helper: Caller, body: dict[str, object]) -> None:
    path = "/memories/batch" if "items" in body else "/memories"

    first, again = (helper.post(path, body, Idempotency_Key="once") for _ in range(2))

    assert again["Idempotency-Replayed"] == "true"
    assert (again.status_code, again.json()) == (first.status_code, first.json())


def test_a_refusal_is_told_again_and_decided_once(helper: Caller, north: Organisation) -> None:
    secret = "".join(["sk", "_live_", "4eC39HqLyjWDarjtT1zdp7dc"])
    body = {**SEAT, "kind": "fact", "statement": f"The key is {secret}"}

    first, again = (helper.post("/memories", body, Idempotency_Key="once") for _ in range(2))

    assert (first.status_code, again.status_code) == (422, 422)
    assert again.json() == first.json()
    with tenant_scope(north.tenant.id):
        assert WriteDecision.objects.count() == 1


def test_a_request_that_failed_may_be_sent_again(helper: Caller) -> None:
    missing = helper.post(
        f"/memories/{'0' * 8}-0000-7000-8000-{'0' * 12}/dispute", {"reason": "wrong"}, Idempotency_Key="a"
    )
    stored = helper.post("/memories", SEAT, Idempotency_Key="a")

    assert (missing.status_code, stored.status_code) == (404, 201)


def test_a_write_that_came_too_often_is_decided_anew_when_its_time_has_come(
    helper: Caller, north: Organisation, alice: Subject
) -> None:
    with time_machine.travel("2026-05-08T12:00:00Z", tick=False):
        _decisions(north, alice, baseline.WRITE.rates.per_subject)
        refused = [helper.post("/memories", SEAT, Idempotency_Key="once") for _ in range(2)]
    with time_machine.travel("2026-05-08T13:00:01Z", tick=False):
        stored = helper.post("/memories", SEAT, Idempotency_Key="once")

    assert [(one.status_code, one.json()["code"]) for one in refused] == [(429, "too_many_writes")] * 2
    assert stored.status_code == 201
    assert "Idempotency-Replayed" not in stored


def _decisions(north: Organisation, subject: Subject, count: int) -> None:
    """Make as many writes about a subject just now as there were, without the writes."""
    with tenant_scope(north.tenant.id):
        WriteDecision.objects.bulk_create(
            WriteDecision(
                subject_id=subject.id,
                memory_id=uuid4(),
                result="stored",
                kind="event",
                origin="observed",
                channel="agent",
                asserted_by="tests",
                policy_version="write/1",
                decided_at=timezone.now(),
            )
            for _ in range(count)
        )


@pytest.mark.parametrize("mark", ["k" * 256, "k" * 10_000, "with space", "ümlaut", "tab\tbed"])
def test_a_mark_that_is_too_long_or_not_printable_is_refused(helper: Caller, mark: str) -> None:
    answered = helper.post("/memories", SEAT, Idempotency_Key=mark)

    assert (answered.status_code, answered.json()["code"]) == (400, "invalid_idempotency_key")


def test_the_record_holds_no_word_of_the_request(helper: Caller, north: Organisation) -> None:
    helper.post("/memories", {**SEAT, "statement": "Collects porcelain owls."}, Idempotency_Key="owl-mark")

    with tenant_scope(north.tenant.id):
        record = IdempotencyRecord.objects.get()
        held = repr({field.attname: getattr(record, field.attname) for field in record._meta.concrete_fields})
    assert "porcelain" not in held
    assert "owl-mark" not in held


def test_after_a_day_the_mark_is_free_again(helper: Caller, north: Organisation) -> None:
    with time_machine.travel("2026-05-08T12:00:00Z"):
        helper.post("/memories", CALL, Idempotency_Key="call-1")
    with time_machine.travel("2026-05-09T12:00:01Z"):
        answered = helper.post("/memories", SEAT, Idempotency_Key="call-1")

    assert answered.status_code == 201


def test_what_has_expired_goes_with_the_next_record(helper: Caller, north: Organisation) -> None:
    with time_machine.travel("2026-05-08T12:00:00Z"):
        helper.post("/memories", CALL, Idempotency_Key="call-1")
    with time_machine.travel("2026-05-09T12:00:01Z"):
        helper.post("/memories", SEAT, Idempotency_Key="call-2")

    with tenant_scope(north.tenant.id):
        assert IdempotencyRecord.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_requests_at_once_one_takes_effect() -> None:
    south = organisation("south")
    south.subject("user:alice")
    caller = south.caller()
    start = Barrier(2)

    def post() -> tuple[int, bytes, bool]:
        start.wait()
        try:
            answered = caller.post("/memories", CALL, Idempotency_Key="both")
            return answered.status_code, answered.content, "Idempotency-Replayed" in answered
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        answers = [future.result() for future in [threads.submit(post), threads.submit(post)]]

    assert {status for status, _, _ in answers} == {201}
    assert answers[0][1] == answers[1][1]
    assert sorted(replayed for _, _, replayed in answers) == [False, True]
    with tenant_scope(south.tenant.id):
        assert Memory.objects.count() == 1
