"""Who acts, as every service is told."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from accounts.vocabulary import Channel, Role, Scope


@dataclass(frozen=True, kw_only=True)
class Actor:
    """Who acts, with what they may do; made by the server from a credential, never from what was sent.

    :ivar kind: ``person`` (in the portal), ``staff`` (in the console), ``agent`` (by a key) or ``system``
    :ivar subject_id: a person's own subject, or the subject a key is bound to
    :ivar channel: the most trusted channel this actor may write by
    """

    kind: str
    tenant_id: UUID
    channel: Channel
    user_id: UUID | None = None
    subject_id: UUID | None = None
    agent_id: UUID | None = None
    agent_name: str = ""
    key_id: UUID | None = None
    roles: frozenset[Role] = frozenset()
    scopes: frozenset[Scope] = frozenset()
    is_test: bool = False
    name: str = ""

    @property
    def ref(self) -> str:
        """Name the actor without saying who it is: ``user:<id>``, ``key:<id>`` or ``system:<name>``."""
        if self.key_id is not None:
            return f"key:{self.key_id}"
        if self.user_id is not None:
            return f"user:{self.user_id}"
        return f"system:{self.name}"

    @property
    def is_person(self) -> bool:
        """Tell whether this is a person about their own memory."""
        return self.kind == "person"

    def has(self, scope: Scope) -> bool:
        """Tell whether a key carries the scope."""
        return scope in self.scopes


def system(name: str, *, tenant_id: UUID, channel: Channel = Channel.CONSOLIDATION) -> Actor:
    """Make the actor of a job or a command."""
    return Actor(kind="system", name=name, tenant_id=tenant_id, channel=channel)
