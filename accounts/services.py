"""The only writers of accounts: tenants, people, subjects, agents, keys."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError, connection, transaction

from accounts import keys, members, notices
from accounts.actors import Actor, system
from accounts.models import Agent, ApiKey, Membership, Subject, Tenant, User
from accounts.queries import holders_of
from accounts.vocabulary import Channel, NoticeKind, Role, Scope
from memory_admin import audit, jobs
from memory_admin.audit.actions import Action
from memory_admin.errors import Conflict, Invalid, NotAllowed, NotFound
from memory_admin.tenancy.scope import tenant_scope, uuid7

REF = re.compile(r"(user|entity|team):[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}", re.ASCII)
SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
OVERLAP = timedelta(hours=24)
NOTED_EVERY = timedelta(minutes=10)
WARNED_BEFORE = timedelta(days=7)


class TenantExists(Conflict):
    code = "tenant_exists"
    sentence = "There is a tenant of this name already."


class AgentExists(Conflict):
    code = "agent_exists"
    sentence = "There is an agent of this name already."


class BadReference(Invalid):
    code = "bad_reference"
    sentence = "A subject is named user:…, entity:… or team:…, with letters, digits and . _ @ + - after the colon."


class KeyEnded(Conflict):
    code = "key_ended"
    sentence = "This key was revoked or has expired."


class KeySentTwice(Conflict):
    code = "key_sent_twice"
    sentence = "This form was sent already, and its key was made then. Open the form again to make another one."


class AgentNotThatWay(Conflict):
    code = "agent_status"
    sentence = "This does not fit the agent's present status."


class AgentRetired(Conflict):
    code = "agent_retired"
    sentence = "This agent is retired. A retired agent stays retired: register a new one."


@dataclass(frozen=True)
class IssuedKey:
    """A new key and its text, which is shown this once."""

    key: ApiKey
    text: str


def create_tenant(*, slug: str, name: str, region: str = "eu", now: datetime) -> Tenant:
    """Create an organisation.

    :raises TenantExists: the slug is taken
    """
    if not SLUG.fullmatch(slug) or not name.strip():
        raise Invalid(fields={"name": ["A tenant needs a name, and a short one of small letters, digits and hyphens."]})
    try:
        with transaction.atomic():
            tenant = Tenant.objects.create(slug=slug, name=name.strip(), region=region, created_at=now)
    except IntegrityError as error:
        raise TenantExists from error
    with tenant_scope(tenant.id):
        by = system("create_tenant", tenant_id=tenant.id)
        audit.record(action=Action.TENANT_CREATED, by=by, target=("tenant", tenant.id), at=now)
    return tenant


@transaction.atomic
def grant_membership(*, user: User, roles: Iterable[Role], by: Actor, now: datetime) -> Membership:
    """Give a user exactly these roles in the open tenant, as whoever runs the service may.

    :raises NotAllowed: an actor of the tenant, who invites and changes roles instead
    """
    if by.kind != "system":
        raise NotAllowed
    membership = members.grant_by_operator(user_id=user.id, roles=roles, by=by, now=now)
    audit.record(
        action=Action.MEMBERSHIP_GRANTED,
        by=by,
        target=("membership", membership.id),
        at=now,
        payload={"roles": list(membership.roles)},
    )
    return membership


@transaction.atomic
def ensure_subject(
    *, ref: str, by: Actor, now: datetime, display_name: str = "", user: User | None = None, is_test: bool = False
) -> Subject:
    """Give the subject of this reference, made now if it is new. A test has subjects of its own.

    :raises BadReference: the reference is not ``user:…``, ``entity:…`` or ``team:…``
    """
    if not REF.fullmatch(ref):
        raise BadReference(fields={"subject": [BadReference.sentence]})
    is_test = is_test or by.is_test
    found = Subject.objects.filter(ref=ref, is_test=is_test).first()
    if found is not None:
        return found
    made = Subject(
        ref=ref,
        kind=ref.partition(":")[0],
        display_name=display_name,
        user=user,
        is_test=is_test,
        created_at=now,
    )
    # Two writers may meet here: the second takes the first one's row.
    Subject.objects.bulk_create([made], ignore_conflicts=True)
    subject = Subject.objects.get(ref=ref, is_test=is_test)
    if subject.id == made.id:
        audit.record(action=Action.SUBJECT_CREATED, by=by, target=("subject", subject.id), at=now)
    return subject


@transaction.atomic
def create_agent(*, name: str, by: Actor, now: datetime, purpose: str = "", owner: User | None = None) -> Agent:
    """Register a program that will read or write memories.

    :raises AgentExists: the name is taken in this tenant
    """
    if not name.strip() or len(name) > 200:
        raise Invalid(fields={"name": ["An agent needs a name of at most 200 characters."]})
    try:
        with transaction.atomic():
            agent = Agent.objects.create(name=name.strip(), purpose=purpose, owner=owner, created_at=now)
    except IntegrityError as error:
        raise AgentExists from error
    audit.record(action=Action.AGENT_CREATED, by=by, target=("agent", agent.id), at=now)
    return agent


@transaction.atomic
def pause_agent(*, agent_id: UUID, by: Actor, now: datetime) -> None:
    """Refuse every key of an agent until it is resumed.

    :raises AgentNotThatWay: it is not active
    """
    _move_agent(agent_id, "active", "paused")
    audit.record(action=Action.AGENT_PAUSED, by=by, target=("agent", agent_id), at=now)


@transaction.atomic
def resume_agent(*, agent_id: UUID, by: Actor, now: datetime) -> None:
    """Let the keys of a paused agent work again.

    :raises AgentNotThatWay: it is not paused
    """
    _move_agent(agent_id, "paused", "active")
    audit.record(action=Action.AGENT_RESUMED, by=by, target=("agent", agent_id), at=now)


@transaction.atomic
def retire_agent(*, agent_id: UUID, by: Actor, now: datetime) -> None:
    """End an agent and revoke its keys for good; it stays as a record of who wrote.

    :raises AgentRetired: it is retired already
    """
    agent = _locked_agent(agent_id)
    if agent.status == "retired":
        raise AgentRetired
    Agent.objects.filter(id=agent_id).update(status="retired")
    ended = ApiKey.objects.filter(agent_id=agent_id, revoked_at=None).update(revoked_at=now)
    audit.record(action=Action.AGENT_RETIRED, by=by, target=("agent", agent_id), at=now, payload={"keys": ended})


@transaction.atomic
def issue_key(
    *,
    agent: Agent,
    scopes: Iterable[Scope],
    channel: Channel,
    by: Actor,
    now: datetime,
    subject: Subject | None = None,
    expires_at: datetime | None = None,
    is_test: bool = False,
    key_id: UUID | None = None,
) -> IssuedKey:
    """Issue a key. Its text is in the answer and nowhere else, ever.

    :param key_id: the id of the new key, so that a form that is sent twice makes one key
    :raises KeySentTwice: there is a key of this id
    :raises AgentRetired: the agent is retired
    :raises Invalid: the channel is the portal's, the scopes are none, or it would end before it begins
    """
    wanted = sorted(set(scopes))
    if not wanted:
        raise Invalid(fields={"scopes": ["A key needs at least one scope."]})
    if channel == Channel.PORTAL:
        raise Invalid(fields={"channel": ["The portal is for people who signed in; a key cannot claim it."]})
    if expires_at is not None and expires_at <= now:
        raise Invalid(fields={"expires_at": ["This time has passed."]})
    if _locked_agent(agent.id).status == "retired":
        raise AgentRetired
    if key_id is not None and ApiKey.objects.filter(id=key_id).exists():
        raise KeySentTwice
    text = keys.make()
    key = ApiKey.objects.create(
        id=key_id or uuid7(),
        agent=agent,
        prefix=text.prefix,
        digest=text.digest,
        last_four=text.secret[-4:],
        scopes=wanted,
        channel=channel,
        subject_id=subject.id if subject else None,
        is_test=is_test,
        created_at=now,
        expires_at=expires_at,
    )
    if expires_at is not None and expires_at - WARNED_BEFORE > now:
        jobs.after_commit(jobs.WARN_OF_END, object_id=key.id, at=expires_at - WARNED_BEFORE)
    audit.record(
        action=Action.KEY_ISSUED,
        by=by,
        target=("key", key.id),
        at=now,
        payload={"agent": str(agent.id), "scopes": wanted, "channel": channel},
    )
    return IssuedKey(key, str(text))


@transaction.atomic
def rotate_key(
    *,
    key_id: UUID,
    by: Actor,
    now: datetime,
    overlap: timedelta = OVERLAP,
    expires_at: datetime | None = None,
    successor_id: UUID | None = None,
) -> IssuedKey:
    """Issue the successor of a key; the old one works on until the overlap is over.

    :param expires_at: when the successor ends, if it does
    :param successor_id: the id of the new key, so that a form that is sent twice makes one key
    :raises KeySentTwice: there is a key of this id
    :raises KeyEnded: the key was revoked or has expired
    :raises Invalid: the successor would end before it begins
    """
    old = _living_key(key_id, now)
    end = now + overlap
    issued = issue_key(
        agent=old.agent,
        scopes=[Scope(scope) for scope in old.scopes],
        channel=Channel(old.channel),
        by=by,
        now=now,
        subject=old.subject_binding,
        expires_at=expires_at,
        is_test=old.is_test,
        key_id=successor_id,
    )
    ApiKey.objects.filter(id=issued.key.id).update(rotated_from_id=old.id)
    ApiKey.objects.filter(id=old.id).update(expires_at=min(end, old.expires_at) if old.expires_at else end)
    audit.record(
        action=Action.KEY_ROTATED, by=by, target=("key", old.id), at=now, payload={"successor": str(issued.key.id)}
    )
    return issued


@transaction.atomic
def revoke_key(*, key_id: UUID, by: Actor, now: datetime) -> None:
    """End a key at once.

    :raises KeyEnded: it has ended already
    """
    key = _living_key(key_id, now)
    ApiKey.objects.filter(id=key.id).update(revoked_at=now)
    audit.record(action=Action.KEY_REVOKED, by=by, target=("key", key.id), at=now)


@transaction.atomic
def warn_of_end(*, key_id: UUID, now: datetime) -> int:
    """Tell administrators, and the owner of the agent who looks after it, that a key ends soon and has no successor.

    :return: how many were told
    """
    key = ApiKey.objects.select_related("agent").filter(id=key_id, revoked_at=None, expires_at__gt=now).first()
    if key is None or key.agent.status == "retired" or ApiKey.objects.filter(rotated_from_id=key_id).exists():
        return 0
    told = {*holders_of(Role.ADMIN), *({key.agent.owner_id} & set(holders_of(Role.DEVELOPER)))}
    path = f"/console/agents/{key.agent_id}/"
    return notices.tell(kind=NoticeKind.KEY_EXPIRING, user_ids=told, path=path, now=now)


def authenticate_key(presented: str, *, now: datetime) -> Actor | None:
    """Tell whose key this is, or None: unknown, wrong, ended, or of an agent or tenant that is not active."""
    text = keys.read(presented)
    if text is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM find_key(%s)", [text.prefix])
        names = [column.name for column in cursor.description or ()]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    for row in rows:
        if text.proves(bytes(row["digest"])) and _is_living(row, now):
            if row["last_used_at"] is None or row["last_used_at"] < now - NOTED_EVERY:
                with tenant_scope(row["tenant_id"]):
                    ApiKey.objects.filter(id=row["id"]).update(last_used_at=now)
            return Actor(
                kind="agent",
                tenant_id=row["tenant_id"],
                channel=Channel(row["channel"]),
                subject_id=row["subject_id"],
                agent_id=row["agent_id"],
                agent_name=row["agent_name"],
                key_id=row["id"],
                scopes=frozenset(Scope(scope) for scope in row["scopes"]),
                is_test=row["is_test"],
            )
    return None


def _is_living(row: dict[str, object], now: datetime) -> bool:
    expires_at = row["expires_at"]
    ended = row["revoked_at"] is not None or (isinstance(expires_at, datetime) and expires_at <= now)
    return not ended and row["agent_status"] == "active" and row["tenant_status"] == "active"


def _move_agent(agent_id: UUID, before: str, after: str) -> None:
    if _locked_agent(agent_id).status != before:
        raise AgentNotThatWay
    Agent.objects.filter(id=agent_id).update(status=after)


def _locked_agent(agent_id: UUID) -> Agent:
    agent = Agent.objects.select_for_update().filter(id=agent_id).first()
    if agent is None:
        raise NotFound
    return agent


def _living_key(key_id: UUID, now: datetime) -> ApiKey:
    found = ApiKey.objects.filter(id=key_id).first()
    if found is None:
        raise NotFound
    _locked_agent(found.agent_id)  # agents before their keys, in one order everywhere
    key = ApiKey.objects.select_for_update().get(id=key_id)
    if key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= now):
        raise KeyEnded
    return key
