"""Load the demo tenant: everything through the real services, at the times the story tells."""

import json
import os
import secrets
from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from accounts import services as accounts
from accounts.actors import Actor, system
from accounts.models import Agent, Subject, Tenant, User
from accounts.queries import memberships_of, person
from accounts.vocabulary import Channel, Role, Scope
from memory_admin import env
from memory_admin.memories import queries
from memory_admin.memories import services as memories
from memory_admin.memories.services import Claim, SourceIn
from memory_admin.memories.vocabulary import CorrectionReason, DisputeReason
from memory_admin.portal.demo import AGENTS, PEOPLE, PRINTED_KEY, TENANT, Asked, Did, Somebody, Written, story
from memory_admin.retrieval import services as retrieval
from memory_admin.tenancy.scope import tenant_scope
from policies.services import install_baseline

FOUNDED = timedelta(days=60)
SOURCE = ("trace_id", "message_id", "uri")


class Command(BaseCommand):
    """Load the demo tenant once; a second run changes nothing but a lost file of sign-ins."""

    help = "Load the demo tenant Larkfield and write its sign-ins to demo.json in the data folder."

    def handle(self, *args: Any, **options: Any) -> None:
        path = env.data_dir() / "demo.json"
        is_loaded = Tenant.objects.filter(slug=TENANT[0]).exists()
        if is_loaded and path.exists():
            self.stdout.write("The demo tenant is loaded already.")
            return
        with transaction.atomic():
            found = _open_again() if is_loaded else _load(timezone.now())
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(opened, "w") as file:
            json.dump(found, file, indent=1)
        self.stdout.write("The demo tenant is loaded.")


def _load(now: datetime) -> dict[str, Any]:
    founded = now - FOUNDED
    tenant = accounts.create_tenant(slug=TENANT[0], name=TENANT[1], now=founded)
    by = system("load_demo", tenant_id=tenant.id)
    install_baseline(tenant_id=tenant.id, by=by, now=founded)
    with tenant_scope(tenant.id):
        keys = {name: _agent(name, by=by, now=founded) for name in AGENTS}
        sign_ins = [_somebody(one, by=by, now=founded) for one in PEOPLE]
        stage = _Stage(tenant, keys, now)
        for event in story(now):
            stage.play(event)
    return {"sign_ins": sign_ins, "key": keys[PRINTED_KEY], "subject": PEOPLE[0].ref}


def _open_again() -> dict[str, Any]:
    """Make new passwords and a new key for a tenant whose file was lost."""
    tenant = Tenant.objects.get(slug=TENANT[0])
    by = system("load_demo", tenant_id=tenant.id)
    sign_ins = []
    for one in PEOPLE:
        user = User.objects.get(email=one.email)
        password = _password()
        user.set_password(password)
        user.save(update_fields=["password"])
        sign_ins.append({"email": one.email, "password": password, "who": one.who})
    with tenant_scope(tenant.id):
        key = _key(Agent.objects.get(name=PRINTED_KEY), by=by, now=timezone.now())
    return {"sign_ins": sign_ins, "key": key, "subject": PEOPLE[0].ref}


def _agent(name: str, *, by: Actor, now: datetime) -> str:
    return _key(accounts.create_agent(name=name, purpose=AGENTS[name][0], by=by, now=now), by=by, now=now)


def _key(agent: Agent, *, by: Actor, now: datetime) -> str:
    scopes = [scope for scope in Scope if scope != Scope.MEMORIES_SENSITIVE]
    channel = Channel(AGENTS[agent.name][1])
    return accounts.issue_key(agent=agent, scopes=scopes, channel=channel, by=by, now=now).text


def _somebody(one: Somebody, *, by: Actor, now: datetime) -> dict[str, str]:
    password = _password()
    user = User.objects.create_user(one.email, password, name=one.name)
    accounts.grant_membership(user=user, roles=[Role(role) for role in one.roles], by=by, now=now)
    if one.ref:
        accounts.ensure_subject(ref=one.ref, display_name=one.name, user=user, by=by, now=now)
    return {"email": one.email, "password": password, "who": one.who}


def _password() -> str:
    return f"larkfield-{secrets.token_hex(5)}"


class _Stage:
    """Plays the events of the story, each by its actor at its time."""

    def __init__(self, tenant: Tenant, keys: dict[str, str], now: datetime) -> None:
        self.now = now
        self.refs = {one.name: one.ref for one in PEOPLE if one.ref}
        self.actors: dict[str, Actor] = {}
        for name, key in keys.items():
            actor = accounts.authenticate_key(key, now=now)
            assert actor is not None  # the key was issued a moment ago
            self.actors[name] = actor
        for user in User.objects.filter(email__in=[one.email for one in PEOPLE if one.ref]):
            (membership,) = (one for one in memberships_of(user.id) if one.tenant_id == tenant.id)
            self.actors[user.name] = person(user.id, membership)

    def play(self, event: Written | Did | Asked) -> None:
        match event:
            case Written():
                self._write(event)
            case Did():
                self._do(event)
            case Asked():
                self._ask(event)

    def _write(self, event: Written) -> None:
        at = self.now - event.ago
        more = dict(event.more)
        named = {name: more.pop(name) for name in SOURCE if name in more}
        source = SourceIn(quote=event.quote, occurred_at=at, **named) if event.quote or named else None
        claim = Claim(
            subject_ref=self.refs[event.about],
            kind=event.kind,
            statement=event.statement,
            origin=event.origin,
            source=source,
            **more,
        )
        memories.capture(claim=claim, by=self.actors[event.by], now=at)

    def _do(self, event: Did) -> None:
        by, at = self.actors[event.who], self.now - event.ago
        memory = queries.visible_to(by).get(statement=event.statement)
        match event.what:
            case "confirm":
                memories.confirm(memory_id=memory.id, by=by, now=at)
            case "reject":
                memories.reject(memory_id=memory.id, by=by, now=at)
            case "correct":
                reason = CorrectionReason.NEEDS_CONTEXT
                memories.correct(memory_id=memory.id, statement=event.words, reason=reason, by=by, now=at)
            case "dispute":
                reason_given = DisputeReason.OUT_OF_DATE
                memories.dispute(memory_id=memory.id, reason=reason_given, words=event.words, by=by, now=at)

    def _ask(self, event: Asked) -> None:
        by, at = self.actors[event.agent], self.now - event.ago
        ask = retrieval.Ask(subjects=[self.refs[event.about]], query=event.query, purpose=event.purpose)
        retrieval.search(ask=ask, by=by, now=at)
        retrieval.count_uses(subject_id=Subject.objects.get(ref=self.refs[event.about], is_test=False).id, now=at)
