"""Agents as the tests know them: a key and a way to call."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.test import Client
from django.utils import timezone

from accounts.actors import Actor, system
from accounts.models import Agent, Subject, Tenant
from accounts.services import create_agent, create_tenant, ensure_subject, issue_key
from accounts.vocabulary import Channel, Scope
from memory_admin.tenancy.scope import tenant_scope
from policies.documents import Procedure, ProcedurePolicy
from policies.services import install_baseline

NOON = datetime(2025, 5, 8, 12, tzinfo=UTC)
FOUNDED = datetime(2025, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Caller:
    """One agent with its key."""

    key: str
    key_id: UUID

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Call an operation; header names are written with underscores."""
        sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        given = {
            "Authorization": f"Bearer {self.key}",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        content_type = given.pop("Content-Type", "application/json")
        return _client().generic(method, f"/api/v1{path}", sent, content_type=content_type, headers=given)

    def get(self, path: str, **headers: str) -> Any:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.call("POST", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.call("PUT", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.call("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.call("DELETE", path, **headers)


@dataclass(frozen=True)
class Organisation:
    """A tenant with its baseline in force, one agent, and subjects on demand."""

    tenant: Tenant
    agent: Agent
    by: Actor

    def subject(self, ref: str, *, is_test: bool = False) -> Subject:
        with tenant_scope(self.tenant.id):
            return ensure_subject(ref=ref, by=self.by, now=timezone.now(), is_test=is_test)

    def with_agent(self, name: str) -> Organisation:
        """The same organisation, with another agent of its own."""
        with tenant_scope(self.tenant.id):
            return replace(self, agent=create_agent(name=name, by=self.by, now=timezone.now()))

    def caller(
        self,
        *,
        channel: Channel = Channel.USER_MESSAGE,
        scopes: Iterable[Scope] = tuple(Scope),
        subject: Subject | None = None,
        is_test: bool = False,
        issued_at: datetime | None = None,
        expires_at: datetime | None = None,
    ) -> Caller:
        with tenant_scope(self.tenant.id):
            issued = issue_key(
                agent=self.agent,
                scopes=scopes,
                channel=channel,
                by=self.by,
                now=issued_at or timezone.now(),
                subject=subject,
                is_test=is_test,
                expires_at=expires_at,
            )
        return Caller(issued.text, issued.key.id)


def organisation(slug: str) -> Organisation:
    """Make a tenant that is ready for work, founded before anything a test speaks of."""
    now = FOUNDED
    tenant = create_tenant(slug=slug, name=slug.title(), now=now)
    by = system("tests", tenant_id=tenant.id)
    with tenant_scope(tenant.id):
        agent = create_agent(name="Helper", by=by, now=now)
    install_baseline(tenant_id=tenant.id, by=by, now=now)
    return Organisation(tenant, agent, by)


def refund(text: str = "Ask for the receipt first.", **more: Any) -> ProcedurePolicy:
    """A policy of one procedure."""
    one = Procedure(name="refund", title="How refunds are paid", text=text, owner="payments", **more)
    return ProcedurePolicy(procedures=(one,))


def anonymous(method: str, path: str, body: bytes = b"", **headers: str) -> Any:
    """Call without a key."""
    return _client().generic(method, path, body, content_type="application/json", headers=headers)


def _client() -> Client:
    return Client(raise_request_exception=False)
