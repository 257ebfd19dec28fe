"""Refused texts are kept for their days and no longer."""

from datetime import timedelta

from accounts.actors import Actor
from memory_admin import jobs
from memory_admin.jobs.models import Job
from memory_admin.memories import services as memories
from memory_admin.memories.models import WriteDecision
from memory_admin.memories.services.purge import purge_sealed_texts
from tests.factories import NOON, Person, claim


def test_a_refused_text_is_shown_to_its_subject_and_goes_when_its_days_are_over(alice: Person, helper: Actor) -> None:
    refused = memories.capture(
        claim=claim(alice.subject, "Use Python for this script.", kind="instruction", origin="inferred"),
        by=helper,
        now=NOON,
    )
    assert refused.result == "refused"
    until = WriteDecision.objects.get().sealed_until
    assert until is not None
    assert WriteDecision.objects.get().sealed_text == "Use Python for this script."
    assert Job.objects.get(name=jobs.PURGE_SEALED_TEXTS).due_at >= until

    assert purge_sealed_texts(now=until - timedelta(seconds=1)) == 0
    assert purge_sealed_texts(now=until) == 1

    assert WriteDecision.objects.get().sealed_text is None
