"""How much of a subject an erasure covers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import rfc8785
from django.db.models import Q

from accounts.models import Subject
from memory_admin.memories.digests import keyed_digest, source_digest
from memory_admin.memories.models import Evidence, Source


@dataclass(frozen=True, kw_only=True)
class WholeSubject:
    """Everything that is remembered about the subject."""

    name = "subject"

    def within(self, subject: Subject) -> Q:
        return Q(subject_id=subject.id)


@dataclass(frozen=True, kw_only=True)
class FromSource:
    """Everything that rests on one conversation, message or page, whatever else it rests on."""

    trace_id: str = ""
    message_id: str = ""
    uri: str = ""

    name = "source"

    @property
    def is_named(self) -> bool:
        """Tell whether it says which source it is."""
        return bool(self.trace_id.strip() or self.message_id.strip() or self.uri.strip())

    def within(self, subject: Subject) -> Q:
        sources = self._found(subject).values("id")
        evidence = Evidence.objects.filter(source_id__in=sources).values("memory_id")
        return Q(subject_id=subject.id) & (Q(source_id__in=sources) | Q(id__in=evidence))

    def references(self, subject: Subject) -> set[bytes]:
        """Digest the sources that are not to be read again: those we hold, and the one that is named."""
        owner = {"tenant_id": subject.tenant_id, "subject_id": subject.id}
        named = source_digest(trace_id=self.trace_id, message_id=self.message_id, uri=self.uri, **owner)
        return {named} | {bytes(digest) for digest in self._found(subject).values_list("digest", flat=True)}

    def _found(self, subject: Subject) -> Any:
        given = {"trace_id": self.trace_id, "message_id": self.message_id, "uri": self.uri}
        return Source.objects.filter(subject_id=subject.id, **{name: said for name, said in given.items() if said})


@dataclass(frozen=True, kw_only=True)
class WrittenBy:
    """Everything that one agent wrote."""

    agent_id: UUID

    name = "agent"

    def within(self, subject: Subject) -> Q:
        return Q(subject_id=subject.id, agent_id=self.agent_id)


@dataclass(frozen=True, kw_only=True)
class Matching:
    """Everything of some kinds, origins and categories; what is left out narrows nothing."""

    kinds: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()

    name = "filter"

    def within(self, subject: Subject) -> Q:
        found = Q(subject_id=subject.id)
        if self.kinds:
            found &= Q(kind__in=self.kinds)
        if self.origins:
            found &= Q(origin__in=self.origins)
        if self.categories:
            found &= Q(categories__overlap=list(self.categories))
        return found


Scope = WholeSubject | FromSource | WrittenBy | Matching


def digest_of(scope: Scope, subject: Subject) -> bytes:
    """Digest a scope, so that the same one asked for twice is known again without keeping what it names."""
    named = {name: str(value) for name, value in sorted(vars(scope).items())}
    text = rfc8785.dumps({"scope": scope.name, **named})
    return keyed_digest(
        hashlib.sha256(text).hexdigest(), of="scope", tenant_id=subject.tenant_id, subject_id=subject.id
    )
