"""What is in force."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Any, Generic, TypeVar, cast
from uuid import UUID

from django.db.models import Q, Subquery
from pydantic import ValidationError

from accounts.actors import Actor
from accounts.models import Agent, Tenant
from memory_admin.errors import NotFound, Refused
from memory_admin.tenancy.scope import required_tenant
from policies.baseline import SENSITIVE_CATEGORIES
from policies.digests import sha256_of
from policies.documents import (
    FAMILIES,
    AccessPolicy,
    Family,
    PolicyDocument,
    Procedure,
    ProcedurePolicy,
    RetentionPolicy,
    RetrievalPolicy,
    WritePolicy,
    parse,
)
from policies.findings import Surroundings
from policies.models import ActionDecision, EffectiveWindow, Lane, PolicyVersion, scope_names

D = TypeVar("D", bound=PolicyDocument, covariant=True)

DOCUMENTS_KEPT = 512


class NoPolicyInForce(Refused):
    """A family has no version in force here and now, so nothing it decides may happen."""

    code = "no_policy_in_force"
    sentence = "No policy is in force that could allow this."


class PolicyUnreadable(Refused):
    """Stored content does not fit the form of its family, as no approved content does."""

    code = "policy_unreadable"
    sentence = "A policy cannot be read, so nothing it decides may happen."


class PolicyAltered(Refused):
    """Stored content does not have the digest it was approved with."""

    code = "policy_altered"
    sentence = "A policy is not what was approved, so nothing it decides may happen."


@dataclass(frozen=True, slots=True)
class InForce(Generic[D]):
    """The version of one family that decides, and its content."""

    version_id: UUID
    version_label: str
    """What decisions are stamped with: ``write/1``."""
    mode: str
    document: D


@dataclass(frozen=True, slots=True)
class PoliciesInForce:
    """The version in force of each family, for one instant, region and agent."""

    write: InForce[WritePolicy]
    retention: InForce[RetentionPolicy]
    retrieval: InForce[RetrievalPolicy]
    access: InForce[AccessPolicy]
    procedure: InForce[ProcedurePolicy]
    region: str = ""
    watching: Mapping[Family, InForce[PolicyDocument]] = field(default_factory=dict)
    """Versions whose decisions are noted beside those that count; the ones in mode ``warn`` are told as well."""

    @property
    def labels(self) -> dict[str, str]:
        """Name the version of each family: ``{"write": "write/1", …}``."""
        return {family: getattr(self, family).version_label for family in FAMILIES}


def in_force(now: datetime, *, region: str | None = None, agent_id: UUID | None = None) -> PoliciesInForce:
    """Read what is in force in the open tenant: one statement, and one more for content not read before.

    Where several scopes hold, the narrowest decides: an agent in a region, an agent, a region, everywhere.

    :param region: another region than the tenant's own
    :raises NoPolicyInForce: a family has none
    :raises PolicyAltered: content differs from its digest
    :raises PolicyUnreadable: content does not fit its family
    """
    home = Tenant.objects.filter(id=required_tenant()).values("region")
    windows = (
        EffectiveWindow.objects.filter(effective__contains=now)
        .filter(Q(scope__in=scope_names(region=None, agent_id=agent_id)) | Q(scope__startswith="region:"))
        .annotate(home=Subquery(home))
        .values_list(
            "home",
            "scope",
            "lane",
            "family__key",
            "activation__mode",
            "activation__version__id",
            "activation__version__number",
            "activation__version__content_sha256",
        )
    )
    found_here = list(windows)
    region = region or (found_here[0][0] if found_here else "")
    scopes = scope_names(region=region, agent_id=agent_id)
    holding = sorted((one for one in found_here if one[1] in scopes), key=lambda one: scopes.index(one[1]))
    narrowest: dict[tuple[str, Family], tuple[str, UUID, int, str]] = {}
    for _, _, lane, family, *found in holding:
        narrowest.setdefault((lane, cast(Family, family)), cast(tuple[str, UUID, int, str], tuple(found)))
    if missing := [family for family in FAMILIES if (Lane.ENFORCE, family) not in narrowest]:
        raise NoPolicyInForce(f"No policy is in force for {', '.join(missing)}.")
    documents = _documents(
        {(family, digest): version_id for (_, family), (_, version_id, _, digest) in narrowest.items()}
    )
    # Each document was parsed by the type of its family, which a mapping by name cannot say.
    chosen: dict[str, dict[Family, Any]] = {Lane.ENFORCE: {}, Lane.SHADOW: {}}
    for (lane, family), (mode, version_id, number, digest) in narrowest.items():
        chosen[lane][family] = InForce(version_id, f"{family}/{number}", mode, documents[family, digest])
    return PoliciesInForce(**chosen[Lane.ENFORCE], watching=chosen[Lane.SHADOW], region=region)


def action_decision(decision_id: UUID, *, by: Actor) -> ActionDecision:
    """Find what an agent was told about an action: its own questions, within the bounds of its key.

    :raises NotFound: it does not exist for this actor
    """
    mine = ActionDecision.objects.select_related("subject").filter(agent_id=by.agent_id, is_test=by.is_test)
    if by.subject_id is not None:
        mine = mine.filter(subject_id=by.subject_id)
    found = mine.filter(id=decision_id).first()
    if found is None:
        raise NotFound
    return found


def procedures_for(agent_name: str, *, in_force: PoliciesInForce) -> list[Procedure]:
    """List the procedures in force that an agent may read, by name."""
    meant = [one for one in in_force.procedure.document.procedures if not one.agents or agent_name in one.agents]
    return sorted(meant, key=lambda one: one.name)


def versions_of(family: Family) -> list[PolicyVersion]:
    """List the versions of one family in the open tenant, the newest first."""
    return list(PolicyVersion.objects.filter(family__key=family).order_by("-number"))


def document_of(label: str) -> PolicyDocument | None:
    """Read the content of a version that a decision is stamped with, such as ``retrieval/1``; None without one."""
    family, _, number = label.partition("/")
    if family not in FAMILIES or not number.isdigit():
        return None
    found = PolicyVersion.objects.filter(family__key=family, number=int(number)).first()
    return parse(family, found.content) if found else None


def windows_in_force(now: datetime) -> list[EffectiveWindow]:
    """List every window that is open at an instant, with its version: the widest scope first within each family."""
    windows = EffectiveWindow.objects.select_related("family", "activation__version")
    found = windows.filter(effective__contains=now)
    return sorted(found, key=lambda one: (FAMILIES.index(cast(Family, one.family.key)), one.lane, one.scope))


def windows_of(version: PolicyVersion) -> list[EffectiveWindow]:
    """List every stretch of time in which a version decided, the latest first."""
    found = EffectiveWindow.objects.filter(activation__version_id=version.id, lane=Lane.ENFORCE)
    return list(found.order_by("-effective"))


def agents_with_own(*families: Family, now: datetime) -> list[UUID]:
    """List the agents for which a version of their own of one of some families decides, somewhere, at an instant."""
    windows = EffectiveWindow.objects.filter(family__key__in=families, lane=Lane.ENFORCE, effective__contains=now)
    found = windows.filter(activation__agent_id__isnull=False).order_by("activation__agent_id")
    return [id_ for id_ in found.values_list("activation__agent_id", flat=True).distinct() if id_ is not None]


def surroundings() -> Surroundings:
    """Name what a policy of the open tenant can speak of."""
    tenant = Tenant.objects.get(id=required_tenant())
    return Surroundings(
        agents=frozenset(Agent.objects.values_list("name", flat=True)),
        regions=frozenset([tenant.region]),
        categories=frozenset(SENSITIVE_CATEGORIES),
    )


def _documents(wanted: Mapping[tuple[Family, str], UUID]) -> dict[tuple[Family, str], PolicyDocument]:
    """Parse documents, by family and digest; `wanted` names a version that holds each."""
    held: dict[tuple[Family, str], PolicyDocument] = {}
    unread: dict[UUID, tuple[Family, str]] = {}
    for (family, digest), version_id in wanted.items():
        document = _parsed.get(family, digest)
        if document is None:
            unread[version_id] = (family, digest)
        else:
            held[family, digest] = document
    for version_id, content in _contents(unread):
        family, digest = unread[version_id]
        if sha256_of(content) != digest:
            raise PolicyAltered
        try:
            held[family, digest] = _parsed.put(family, digest, parse(family, content))
        except ValidationError as error:
            raise PolicyUnreadable from error
    return held


def _contents(version_ids: Collection[UUID]) -> Iterable[tuple[UUID, dict[str, Any]]]:
    if not version_ids:
        return ()
    return PolicyVersion.objects.filter(id__in=list(version_ids)).values_list("id", "content")


class _Parsed:
    """The documents read last, by digest: content never changes, so nothing in here grows stale."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._held: OrderedDict[tuple[Family, str], PolicyDocument] = OrderedDict()
        self._lock = Lock()

    def get(self, family: Family, digest: str) -> PolicyDocument | None:
        with self._lock:
            document = self._held.get((family, digest))
            if document is not None:
                self._held.move_to_end((family, digest))
            return document

    def put(self, family: Family, digest: str, document: PolicyDocument) -> PolicyDocument:
        with self._lock:
            self._held[family, digest] = document
            while len(self._held) > self._size:
                self._held.popitem(last=False)
        return document


_parsed = _Parsed(DOCUMENTS_KEPT)
