"""The audit list, one event, and the check."""

from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import Membership
from accounts.vocabulary import Role
from memory_admin import audit, jobs
from memory_admin.audit import Action, keeping, signing, tasks
from memory_admin.audit.checkpoints import Checkpoint
from memory_admin.audit.models import Event
from memory_admin.audit.queries import every_event
from memory_admin.console.labels import DID
from memory_admin.jobs.models import Job
from memory_admin.tenancy.roles import as_owner
from memory_admin.tenancy.scope import tenant_scope
from tests.console.cast import Colleague, House, house
from tests.portal.cast import Person


@pytest.fixture
def ines(larkfield: House) -> Colleague:
    return larkfield.hire(Role.AUDITOR)


def checked(where: House) -> None:
    """Do the check that was asked for, as a worker does."""
    with tenant_scope(where.tenant.id):
        waiting = Job.objects.get(name=jobs.VERIFY_TRAIL, done_at=None)
    tasks.verify_trail(str(where.tenant.id), str(waiting.id))


def actions(where: House) -> list[str | None]:
    with tenant_scope(where.tenant.id):
        return list(every_event().values_list("action", flat=True))


def test_every_action_has_words() -> None:
    assert {str(action) for action in Action} <= set(DID)


def test_the_list_says_who_did_what_without_words(larkfield: House, mia: Person, ines: Colleague) -> None:
    memory = larkfield.tenant_house.said(mia, "Prefers the window seat")

    page = ines.reads("audit/")

    assert "<b>Travel assistant</b> stored a memory" in page
    assert str(memory.id) in page
    assert "window seat" not in page


def test_a_person_is_named_by_their_reference_alone(larkfield: House, mia: Person, ines: Colleague) -> None:
    memory = larkfield.tenant_house.noted(mia, "Prefers the window seat")
    mia.post(f"/memories/{memory.id}/confirm/")

    assert "<b>user:mia</b> confirmed a memory" in ines.reads("audit/")


@pytest.mark.parametrize(
    ("query", "shown", "hidden"),
    [
        ("action=memory.stored", "stored a memory", "<b>user:mia</b> confirmed"),
        ("actor=people:", "<b>user:mia</b> confirmed", "stored a memory</a>"),
        ("actor=system:", "registered an agent</a>", "stored a memory</a>"),
        ("policy=write/1", "stored a memory</a>", "registered an agent</a>"),
        ("policy=write/9", "No event matches", "stored a memory</a>"),
        ("request=nonsense", "No event matches", "stored a memory</a>"),
        ("since=2999-01-01", "No event matches", "confirmed a memory</a>"),
        ("until=2000-01-02", "No event matches", "confirmed a memory</a>"),
        ("since=2000-01-01&until=2999-01-01", "confirmed a memory</a>", "No event matches"),
        ("object=nonsense", "The list is not narrowed by it", "No event matches"),
        ("action=nothing.of.the.kind", "The list is not narrowed by it", "No event matches"),
        (f"object={UUID(int=7)}", "No event matches", "confirmed a memory</a>"),
    ],
)
def test_the_list_is_narrowed(
    larkfield: House, mia: Person, ines: Colleague, query: str, shown: str, hidden: str
) -> None:
    larkfield.tenant_house.said(mia, "Prefers the aisle seat")
    memory = larkfield.tenant_house.noted(mia, "Prefers the window seat")
    mia.post(f"/memories/{memory.id}/confirm/")

    page = ines.reads(f"audit/?{query}")

    assert shown in page
    assert hidden not in page


def test_one_event_shows_its_particulars_and_its_hash(larkfield: House, ines: Colleague) -> None:
    with tenant_scope(larkfield.tenant.id):
        event = every_event().filter(action=Action.KEY_ISSUED).first()
    assert event is not None

    page = ines.reads(f"audit/{event.seq}/")

    assert bytes(event.hash).hex() in page
    assert "Channel" in page


@pytest.mark.parametrize("seq", [0, 999_999, 2**63, 10**40])
def test_an_event_that_is_not_there(larkfield: House, ines: Colleague, seq: int) -> None:
    assert ines.get(f"audit/{seq}/").status_code == 404


def test_the_trail_of_another_tenant_is_not_there(larkfield: House, ines: Colleague) -> None:
    house("northwind").hire(Role.ADMIN)

    assert "northwind" not in ines.reads("audit/")


def test_a_check_is_recorded_and_its_result_stays(larkfield: House, ines: Colleague) -> None:
    assert "Not checked yet" in ines.reads("audit/")

    assert ines.post("audit/verify/").status_code == 302
    assert "Being checked: 0 of" in ines.reads("audit/")
    assert "Being checked: 0 of" in ines.reads("audit/progress/")
    checked(larkfield)

    page = ines.reads("audit/")
    assert "The trail holds" in page
    assert "for Auditor" in page
    assert "Verify now" in ines.reads("audit/progress/")
    assert actions(larkfield)[0] == Action.AUDIT_VERIFIED


def test_a_broken_trail_is_told_on_every_page(transactional_db: None) -> None:
    larkfield = house("larkfield")
    ines = larkfield.hire(Role.AUDITOR)
    _tamper(larkfield, "UPDATE audit_event SET canonical = overlay(canonical placing 'x' from 13) WHERE seq = 3")

    ines.post("audit/verify/")
    checked(larkfield)

    page = ines.reads("audit/")
    assert "The trail does not hold" in page
    assert "It breaks at event 3. The event was edited after it was recorded." in page
    for room in ("", "audit/3/"):
        assert "does not hold from event 3 on" in ines.reads(room)
    assert "does not hold from event 3 on" in larkfield.hire(Role.DEVELOPER).reads("agents/")


@pytest.mark.parametrize(
    "told",
    [
        '{"action":"memory.stored","at":"2026-01-01T00:00:00.000000Z","by":"user:x","target":{"id":"x","kind":"memory"}}',
        '{"action":7,"at":7,"by":["key:7"],"target":{"id":{},"kind":[]}}',
        '{"action":"content.viewed","by":"key:","target":"subject"}',
        "[]",
    ],
)
def test_an_event_that_was_forged_takes_no_page_down(transactional_db: None, told: str) -> None:
    larkfield = house("larkfield")
    ines = larkfield.hire(Role.AUDITOR)
    _tamper(larkfield, f"UPDATE audit_event SET canonical = convert_to('{told}', 'UTF8') WHERE seq = 3")

    for address in ("", "audit/", "audit/3/", "audit/?since=2026-01-01"):
        ines.reads(address)
    assert ines.post("audit/verify/").status_code == 302
    checked(larkfield)
    assert "It breaks at event 3" in ines.reads("audit/")


def test_particulars_name_a_colleague_and_give_a_person_by_reference(larkfield: House, mia: Person) -> None:
    admin, ines = larkfield.hire(Role.ADMIN), larkfield.hire(Role.AUDITOR)
    with tenant_scope(larkfield.tenant.id):
        membership = Membership.objects.get(user=mia.user)
    admin.post(f"members/{membership.id}/unlink/")
    admin.post(f"members/{membership.id}/link/", {"own-subject": "user:mia"})

    with tenant_scope(larkfield.tenant.id):
        linked = every_event().filter(action=Action.SUBJECT_LINKED).first()
    assert linked is not None
    page = ines.reads(f"audit/{linked.seq}/")

    assert str(mia.user.id) not in page.partition("Proof")[0]
    assert "user:mia" in page


def _tamper(where: House, sql: str) -> None:
    with as_owner(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL app.tenant = '{where.tenant.id}'")
        cursor.execute("ALTER TABLE audit_event DISABLE TRIGGER USER")
        cursor.execute(sql)
        cursor.execute("ALTER TABLE audit_event ENABLE TRIGGER USER")


def test_many_events_take_no_more_queries(
    larkfield: House, mia: Person, ines: Colleague, django_assert_max_num_queries: Any
) -> None:
    for number in range(25):
        larkfield.tenant_house.said(mia, f"Likes the number {number} best")

    with django_assert_max_num_queries(34):
        ines.reads("audit/")


def test_what_is_counted_by_day_by_action_and_by_actor_leads_to_the_list(
    larkfield: House, mia: Person, ines: Colleague
) -> None:
    for number in range(3):
        larkfield.tenant_house.said(mia, f"Likes the number {number} best")

    page = ines.reads("audit/?policy=write/1")

    assert "3 events from" in page
    assert '<a href="?policy=write%2F1&amp;action=memory.stored">Stored a memory</a>' in page
    assert f'<a href="?policy=write%2F1&amp;actor=agent%3A{larkfield.agent.id}">Travel assistant</a>' in page
    assert page.count("<rect ") == 31 + 1


def test_the_system_is_named_as_what_it_does(larkfield: House, ines: Colleague) -> None:
    page = ines.reads("audit/")

    assert "<b>The operator</b> registered the organisation" in page or "<b>The system (tests)</b>" in page
    assert "The system, " not in page


def test_the_events_of_one_request_are_found_wherever_they_stand(larkfield: House, ines: Colleague) -> None:
    entry: dict[str, Any] = {"action": Action.TENANT_CREATED, "by": larkfield.by, "target": None, "at": timezone.now()}
    with tenant_scope(larkfield.tenant.id):
        first = audit.record(**entry, request_id="r-1")
        audit.record_many([audit.Entry(**entry)] * 60)
        audit.record(**{**entry, "action": Action.POLICY_FROZEN}, request_id="r-1")

    page = ines.reads(f"audit/{first}/")

    assert "Of the same request" in page
    assert "stopped" in page.partition("Of the same request")[2]


def test_an_erased_payload_says_when_and_by_which_event(larkfield: House, ines: Colleague) -> None:
    with tenant_scope(larkfield.tenant.id):
        issued = Event.objects.filter(action=Action.KEY_ISSUED).earliest("seq")
        at = timezone.now()
        number = audit.erase_payloads(seqs=[issued.seq], by=larkfield.by, at=at, target=("erasure", UUID(int=7)))

    page = ines.reads(f"audit/{issued.seq}/")

    assert "Its particulars were erased on" in page
    assert f'href="/console/audit/{number}/"' in page
    assert str(UUID(int=7)) in page
    assert "Erased" in ines.reads(f"audit/?action={Action.KEY_ISSUED}")


def test_a_pasted_checkpoint_is_compared(larkfield: House, ines: Colleague) -> None:
    with tenant_scope(larkfield.tenant.id):
        size, head = (last := Event.objects.latest("seq")).seq, bytes(last.hash)
    ours = larkfield.tenant.id

    def compare(checkpoint: Checkpoint) -> str:
        note = signing.sign_note(checkpoint.text).replace("\n", "\r\n").strip()
        return str(ines.post("audit/compare/", {"note": note}).content.decode())

    at = timezone.now()
    assert f"event {size} still has that hash" in compare(Checkpoint(ours, size, head, at))
    assert f"event {size} has another hash now" in compare(Checkpoint(ours, size, bytes(32), at))
    assert "The trail is shorter" in compare(Checkpoint(ours, size + 1, head, at))
    assert "another audit trail" in compare(Checkpoint(UUID(int=7), size, head, at))
    for note, why in (("", "Paste the checkpoint"), ("nonsense", "an empty line"), ("x" * 3000, "at most 2000")):
        answer = ines.post("audit/compare/", {"note": note})
        assert answer.status_code == 422
        assert why in answer.content.decode()


def test_a_part_of_the_trail_is_exported_by_those_who_may_see_it(larkfield: House, ines: Colleague) -> None:
    answer = ines.post("audit/export/", {"first": 1, "last": 3})

    assert answer["Content-Type"] == "application/zip"
    assert answer.content.startswith(b"PK")
    assert actions(larkfield)[0] == Action.AUDIT_EXPORTED
    for terms in ({"first": 1, "last": 999}, {"first": 0, "last": 1}, {"first": 3, "last": 2}, {"first": "x"}):
        assert ines.post("audit/export/", terms).status_code == 422
    assert larkfield.hire(Role.DEVELOPER).post("audit/export/", {"first": 1, "last": 3}).status_code == 403


def test_the_page_says_where_the_last_checkpoint_is(larkfield: House, ines: Colleague) -> None:
    assert "No checkpoint is kept yet" in ines.reads("audit/")
    with tenant_scope(larkfield.tenant.id):
        audit.checkpoint(at=timezone.now())

    page = ines.reads("audit/")

    assert "Last checkpoint: event" in page
    assert str(keeping.place_of(larkfield.tenant.id)) in page
