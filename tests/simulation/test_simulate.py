"""Asking for a simulation, and how it runs."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection

from accounts.actors import Actor
from accounts.vocabulary import Role
from memory_admin.audit.models import Event
from memory_admin.errors import Invalid, NotAllowed, NotFound
from memory_admin.jobs.models import Job
from memory_admin.memories import services as memories
from memory_admin.simulation import services
from memory_admin.tenancy.scope import tenant_scope
from policies import services as policies
from policies.digests import Terms
from policies.models import PolicySimulation, PolicyVersion
from tests.api.cast import organisation
from tests.factories import NOON, Person, claim, person, remembered
from tests.policies.council import NOON as THEN
from tests.policies.council import drafted, found, says, state_of
from tests.retrieval.holding import hold
from tests.simulation.trial import LATER, asked, draft, hired, simulated


def counted() -> dict[str, int]:
    """Count the rows of every table."""
    counts = {}
    with connection.cursor() as cursor:
        for model in apps.get_models():
            cursor.execute(
                f"SELECT count(*), md5(string_agg(t::text, '' ORDER BY t::text)) FROM {model._meta.db_table} t"
            )
            counts[model._meta.db_table] = cursor.fetchone()
    return counts


def test_asking_is_recorded_and_queued(eva: Actor) -> None:
    version = draft(eva, "write")

    simulation = asked(version, eva)

    assert simulation.state == "pending"
    assert list(Job.objects.filter(object_id=simulation.id).values_list("name", "epoch")) == [
        ("simulation.run", 0),
        ("simulation.run", -1),
    ]
    event = Event.objects.get(action="policy.simulated")
    assert (event.target_id, event.actor) == (str(version.id), eva.ref)


def test_a_run_writes_nothing_but_its_own_row(alice: Person, helper: Actor, eva: Actor) -> None:
    memories.capture(claim=claim(alice.subject, "Likes green tea"), by=helper, now=NOON)
    simulation = asked(draft(eva, "write", {"rules.W-400.outcome": "refuse"}), eva)
    before = counted()

    services.run(simulation_id=simulation.id, now=LATER)

    after = counted()
    assert {table for table in after if after[table] != before[table]} == {"policies_policysimulation"}


def test_progress_is_stored_after_each_part(alice: Person, eva: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "PART", 2)
    for number in range(5):
        remembered(alice, f"Visited town {number} in summer", kind="fact")
    simulation = asked(draft(eva, "write", {"rules.W-300.outcome": "refuse"}), eva)

    seen = []
    for _ in range(4):
        found = services.run(simulation_id=simulation.id, now=LATER)
        assert found is not None
        seen.append((found.state, found.considered, found.events, found.counts["newly_refused"]))

    assert seen == [("running", 2, 5, 2), ("running", 4, 5, 4), ("succeeded", 5, 5, 5), ("succeeded", 5, 5, 5)]
    assert set(Job.objects.filter(object_id=simulation.id).values_list("epoch", flat=True)) == {0, -1, 2, 4}
    whole = simulated(PolicyVersion.objects.get(id=simulation.candidate_id), eva)
    assert whole.groups == PolicySimulation.objects.get(id=simulation.id).groups


def test_two_of_one_version_do_not_run_at_once(eva: Actor) -> None:
    version, other = draft(eva, "write"), draft(eva, "access")
    first = asked(version, eva)

    with pytest.raises(services.RunsAlready) as refused:
        asked(version, eva)
    asked(other, eva)

    assert refused.value.details == {"simulation": str(first.id)}
    services.run(simulation_id=first.id, now=LATER)
    asked(version, eva)


def test_what_fails_says_why_and_keeps_what_was_counted(
    alice: Person, eva: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "PART", 1)
    for words in ("Prefers the window seat", "Plays the cello"):
        remembered(alice, words)
    late, changed = asked(draft(eva, "write"), eva), asked(draft(eva, "write"), eva)
    for one in (late, changed):
        services.run(simulation_id=one.id, now=LATER)
    version = PolicyVersion.objects.get(id=changed.candidate_id)
    policies.save(
        version_id=version.id,
        read_sha256=version.content_sha256,
        content={**version.content, "refused_text_days": 5},
        by=eva,
        now=LATER,
    )

    services.run(simulation_id=late.id, now=LATER + services.LASTS)
    services.run(simulation_id=changed.id, now=LATER)

    for one in (late, changed):
        one.refresh_from_db()
        assert (one.state, one.considered) == ("failed", 1)
    assert late.error == "It was not finished after 15 minutes. The numbers are partial."
    assert changed.error == "The version was changed while it was simulated. Simulate again."


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"since": LATER}, "until"),
        ({"until": LATER + timedelta(seconds=1)}, "until"),
        ({"since": LATER - timedelta(days=91)}, "since"),
        ({"maximum_events": 0}, "maximum_events"),
        ({"maximum_events": services.MOST_EVENTS + 1}, "maximum_events"),
        ({"seed": 2**63}, "seed"),
        ({"agent_id": uuid4()}, "agent_id"),
    ],
)
def test_what_cannot_be_simulated_is_refused(eva: Actor, terms: dict[str, Any], field: str) -> None:
    version = draft(eva, "write")

    with pytest.raises(Invalid) as refused:
        asked(version, eva, **terms)

    assert list(refused.value.fields) == [field]
    assert not PolicySimulation.objects.exists()


def test_procedures_and_unreadable_drafts_are_not_simulated(eva: Actor) -> None:
    broken = draft(eva, "write")
    policies.save(version_id=broken.id, read_sha256=broken.content_sha256, content={"rules": 1}, by=eva, now=NOON)

    with pytest.raises(services.NothingToReplay):
        asked(draft(eva, "procedure"), eva)
    with pytest.raises(services.Unreadable):
        asked(broken, eva)


def test_only_those_who_edit_or_approve_may_ask(alice: Person, eva: Actor) -> None:
    version = draft(eva, "write")

    for role in (Role.DEVELOPER, Role.AUDITOR, Role.ADMIN, Role.REVIEWER):
        with pytest.raises(NotAllowed):
            asked(version, hired(alice, str(role), role))
    with pytest.raises(NotAllowed):
        asked(version, alice.actor)
    asked(version, hired(alice, "anton", Role.POLICY_APPROVER))


def test_another_tenant_has_no_such_version_and_its_events_do_not_count(db: None) -> None:
    ours, theirs = (person(organisation(name), "mia") for name in ("acme", "globex"))
    with tenant_scope(theirs.house.tenant.id):
        remembered(theirs, "Prefers the window seat")
        foreign = draft(hired(theirs, "eva", Role.POLICY_EDITOR), "write")
        running = asked(foreign, hired(theirs, "ed", Role.POLICY_EDITOR))
    with tenant_scope(ours.house.tenant.id):
        editor = hired(ours, "eva", Role.POLICY_EDITOR)

        assert simulated(draft(editor, "write"), editor).events == 0
        with pytest.raises(NotFound):
            asked(foreign, editor)
        assert services.run(simulation_id=running.id, now=LATER) is None


def test_what_agents_with_a_version_of_their_own_did_is_left_aside(alice: Person, helper: Actor, eva: Actor) -> None:
    memories.capture(claim=claim(alice.subject, "Likes green tea"), by=helper, now=NOON)
    remembered(alice, "Prefers the window seat")
    hold("write", {}, mode="enforce", agent_id=helper.agent_id)
    scoped = policies.begin(family="write", by=eva, now=NOON, terms=Terms(agent_id=helper.agent_id))

    assert simulated(draft(eva, "write"), eva).events == 1
    assert simulated(draft(eva, "write"), eva, agent_id=helper.agent_id).events == 1
    done = simulated(scoped, eva)

    assert (done.agent_id, done.events) == (helper.agent_id, 1)
    assert done.baseline_id == PolicyVersion.objects.get(number=9, family__key="write").id


def test_a_simulation_may_be_the_last_thing_that_an_approval_lacks(db: None) -> None:
    with contextmanager(found)("larkfield") as council:
        eva, anton, petra = (
            council.hire(name, role)
            for name, role in (
                ("eva", Role.POLICY_EDITOR),
                ("anton", Role.POLICY_APPROVER),
                ("petra", Role.PRIVACY_OFFICER),
            )
        )
        version = drafted(eva)
        review = policies.submit(version_id=version.id, by=eva.actor, now=THEN)
        for who in (anton, petra):
            says(who, review)
        assert state_of(version.id) == "in_review"

        version.refresh_from_db()
        done = simulated(version, anton.actor, since=THEN - timedelta(days=1), until=THEN)

        assert done.counts["stored"]["before"] == done.counts["stored"]["after"]
        assert state_of(version.id) == "approved"
