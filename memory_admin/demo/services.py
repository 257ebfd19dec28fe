"""Loading the demo tenant, once and whole."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts import services as accounts
from accounts.actors import system
from accounts.models import Agent, Membership, Tenant, User
from memory_admin import jobs
from memory_admin.demo.cast import AGENTS, FOUNDED, NAME, PEOPLE, PRINTED_KEY, SLUG, THINGS, Program, Somebody
from memory_admin.demo.council import council
from memory_admin.demo.questions import questions
from memory_admin.demo.stage import Stage
from memory_admin.demo.story import story
from memory_admin.errors import Conflict
from memory_admin.jobs.models import Job
from memory_admin.tenancy.scope import tenant_scope
from policies.services import install_baseline


class NamesTaken(Conflict):
    """The demo's tenant or one of its people exists, and is not the demo's."""

    code = "demo_names_taken"
    sentence = "There is somebody of the demo's names who is not of the demo."


def is_loaded() -> bool:
    """Tell whether the demo tenant is there."""
    return Tenant.objects.filter(slug=SLUG).exists()


@transaction.atomic
def load(*, now: datetime) -> dict[str, Any]:
    """Load the demo whole or not at all, as if its last day were today, and give its sign-ins and a key.

    :raises NamesTaken: one of its people can sign in already, to something else
    """
    if User.objects.filter(email__in=[one.email for one in PEOPLE]).exists():
        raise NamesTaken
    founded = now - FOUNDED
    tenant = accounts.create_tenant(slug=SLUG, name=NAME, now=founded)
    by = system("load_demo", tenant_id=tenant.id)
    install_baseline(tenant_id=tenant.id, by=by, now=founded)
    passwords = {one.name: _password() for one in PEOPLE}
    users = {one.name: User.objects.create_user(one.email, passwords[one.name], name=one.name) for one in PEOPLE}
    with tenant_scope(tenant.id):
        for one in PEOPLE:
            accounts.grant_membership(user=users[one.name], roles=one.roles, by=by, now=founded)
            if one.ref:
                accounts.ensure_subject(ref=one.ref, display_name=one.name, user=users[one.name], by=by, now=founded)
        for ref, name in THINGS.items():
            accounts.ensure_subject(ref=ref, display_name=name, by=by, now=founded)
        stage = Stage(tenant_id=tenant.id, users=users, keys={}, now=now)
        for program in AGENTS:
            stage.keys[program.name] = _register(program, stage=stage, owner=users["Sofia"], now=now)
        stage.play([*story(now), *questions(), *council()])
        jobs.after_commit(jobs.SEAL_READS, object_id=tenant.id)
        # Nobody reads mail at these addresses.
        Job.objects.filter(name__in=(jobs.MAIL_NOTICE, jobs.MAIL_INVITATION)).update(done_at=now)
    return _told(passwords, stage.keys[PRINTED_KEY])


@transaction.atomic
def open_again(*, now: datetime) -> dict[str, Any]:
    """Make new passwords and a new key for a loaded demo whose file was lost, and give them.

    :raises NamesTaken: the tenant of this name is not the demo
    """
    tenant = Tenant.objects.get(slug=SLUG)
    passwords = {one.name: _password() for one in PEOPLE}
    with tenant_scope(tenant.id):
        agent = Agent.objects.filter(name=PRINTED_KEY).first()
        members = Membership.objects.select_related("user").filter(user__email__in=[one.email for one in PEOPLE])
        users = {member.user.email: member.user for member in members}
        if agent is None or set(users) != {one.email for one in PEOPLE}:
            raise NamesTaken
        (program,) = (one for one in AGENTS if one.name == PRINTED_KEY)
        by = system("load_demo", tenant_id=tenant.id)
        key = accounts.issue_key(agent=agent, scopes=program.scopes, channel=program.channel, by=by, now=now).text
    for one in PEOPLE:
        users[one.email].set_password(passwords[one.name])
        users[one.email].save(update_fields=["password"])
    return _told(passwords, key)


def _register(program: Program, *, stage: Stage, owner: User, now: datetime) -> str:
    by, founded = stage.staff("Sofia"), now - FOUNDED
    agent = accounts.create_agent(name=program.name, purpose=program.purpose, owner=owner, by=by, now=founded)
    ends_at = now + program.ends_in if program.ends_in else None
    issued = accounts.issue_key(
        agent=agent, scopes=program.scopes, channel=program.channel, expires_at=ends_at, by=by, now=founded
    )
    return issued.text


def _told(passwords: dict[str, str], key: str) -> dict[str, Any]:
    return {
        "sign_ins": [_sign_in(one, passwords[one.name]) for one in PEOPLE],
        "key": key,
        "subject": PEOPLE[0].ref,
    }


def _sign_in(one: Somebody, password: str) -> dict[str, str]:
    return {"email": one.email, "password": password, "who": one.who}


def _password() -> str:
    return f"larkfield-{secrets.token_hex(5)}"
