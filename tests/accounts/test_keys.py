"""Issuing, using, rotating and revoking keys."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from accounts import keys, services
from accounts.actors import Actor
from accounts.models import ApiKey, Notice
from accounts.vocabulary import Channel, NoticeKind, Role, Scope
from memory_admin.errors import Invalid
from memory_admin.jobs.models import Job
from memory_admin.tenancy.scope import tenant_scope
from tests.accounts.cast import member
from tests.api.cast import Organisation, organisation


@pytest.fixture
def acme(db: None) -> Organisation:
    return organisation("acme")


@pytest.fixture
def in_acme(acme: Organisation) -> Iterator[Organisation]:
    with tenant_scope(acme.tenant.id):
        yield acme


def _issue(house: Organisation, **given: object) -> services.IssuedKey:
    terms = {"scopes": [Scope.MEMORIES_READ], "channel": Channel.AGENT, **given}
    return services.issue_key(agent=house.agent, by=house.by, now=timezone.now(), **terms)  # type: ignore[arg-type]


def _actor(text: str, *, later: timedelta = timedelta()) -> Actor | None:
    return services.authenticate_key(text, now=timezone.now() + later)


def test_a_key_names_its_tenant_agent_and_scopes(acme: Organisation) -> None:
    with tenant_scope(acme.tenant.id):
        issued = _issue(acme)

    actor = _actor(issued.text)

    assert actor is not None
    assert (actor.tenant_id, actor.agent_id) == (acme.tenant.id, acme.agent.id)
    assert actor.scopes == frozenset({Scope.MEMORIES_READ})


def test_the_secret_is_stored_nowhere(in_acme: Organisation) -> None:
    issued = _issue(in_acme)
    secret = issued.text.split("_", 2)[2]

    with connection.cursor() as cursor:
        cursor.execute("SELECT string_agg(k::text, ' ') FROM accounts_apikey k")
        row = cursor.fetchone()

    assert row is not None
    assert secret not in row[0]


@pytest.mark.parametrize(
    "spoil",
    [lambda t: "", lambda t: t[:-1], lambda t: t + "A", lambda t: t[:-1] + "\x00", lambda t: "é" * 60, lambda t: t[3:]],
)
def test_a_spoiled_key_is_nobodys(acme: Organisation, spoil: object) -> None:
    with tenant_scope(acme.tenant.id):
        issued = _issue(acme)

    assert _actor(spoil(issued.text)) is None  # type: ignore[operator]


def test_a_key_with_another_secret_is_nobodys(acme: Organisation) -> None:
    with tenant_scope(acme.tenant.id):
        issued = _issue(acme)
    other = keys.KeyText(issued.key.prefix, keys.make().secret)

    assert _actor(str(other)) is None


def test_a_key_ends_when_it_was_said_to(acme: Organisation) -> None:
    with tenant_scope(acme.tenant.id):
        issued = _issue(acme, expires_at=timezone.now() + timedelta(hours=1))

    assert _actor(issued.text) is not None
    assert _actor(issued.text, later=timedelta(hours=2)) is None


def test_a_rotated_key_works_through_the_overlap_and_its_successor_after(acme: Organisation) -> None:
    with tenant_scope(acme.tenant.id):
        issued = _issue(acme)

        successor = services.rotate_key(
            key_id=issued.key.id, by=acme.by, now=timezone.now(), overlap=timedelta(hours=1)
        )

    assert _actor(issued.text) is not None
    assert _actor(issued.text, later=timedelta(hours=2)) is None
    assert _actor(successor.text, later=timedelta(hours=2)) is not None


def test_a_revoked_key_ends_at_once(acme: Organisation) -> None:
    with tenant_scope(acme.tenant.id):
        issued = _issue(acme)

        services.revoke_key(key_id=issued.key.id, by=acme.by, now=timezone.now())

        with pytest.raises(services.KeyEnded):
            services.rotate_key(key_id=issued.key.id, by=acme.by, now=timezone.now())
    assert _actor(issued.text) is None


def test_no_key_may_claim_the_portal(in_acme: Organisation) -> None:
    with pytest.raises(Invalid):
        _issue(in_acme, channel=Channel.PORTAL)

    assert ApiKey.objects.count() == 0


def test_a_key_of_an_agent_that_was_paused_is_nobodys(acme: Organisation) -> None:
    with tenant_scope(acme.tenant.id):
        issued = _issue(acme)
        acme.agent.status = "paused"
        acme.agent.save(update_fields=["status"])

    assert _actor(issued.text) is None


def test_who_looks_after_a_key_is_told_before_it_ends(in_acme: Organisation) -> None:
    admin = member(in_acme, "ada", Role.ADMIN)
    now = timezone.now()
    issued = _issue(in_acme, expires_at=now + timedelta(days=30))
    assert Job.objects.get(name="accounts.warn_of_end").due_at == now + timedelta(days=23)

    for _ in range(2):
        services.warn_of_end(key_id=issued.key.id, now=now + timedelta(days=23))

    told = Notice.objects.get()
    assert (told.user_id, told.kind) == (admin.user.id, NoticeKind.KEY_EXPIRING)
    assert told.path == f"/console/agents/{in_acme.agent.id}/"


def test_nobody_is_told_of_a_key_that_has_a_successor_or_has_ended(in_acme: Organisation) -> None:
    member(in_acme, "ada", Role.ADMIN)
    now = timezone.now()
    rotated, revoked = (_issue(in_acme, expires_at=now + timedelta(days=30)).key.id for _ in range(2))
    services.rotate_key(key_id=rotated, by=in_acme.by, now=now, overlap=timedelta(days=30))
    services.revoke_key(key_id=revoked, by=in_acme.by, now=now)

    assert [services.warn_of_end(key_id=key_id, now=now) for key_id in (rotated, revoked, in_acme.agent.id)] == [0] * 3
    assert not Notice.objects.exists()
