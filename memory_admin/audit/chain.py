"""What makes the audit trail show tampering: canonical bytes, hashes and the check of a whole chain.

Pure: no database, no clock. A hash chain with the domain separation of RFC 9162 (0x00 for leaves, 0x01 for nodes):

    event hash  = SHA-256(0x01 ‖ previous hash ‖ canonical)      the first event follows `genesis(tenant)`
    commitment  = SHA-256(0x00 ‖ salt ‖ body)                    stands inside the canonical bytes

so that the body of an event can be erased and the chain still holds.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any
from uuid import UUID

import rfc8785

# Metadata outlives every erasure, so it holds references and codes, never words: no space, no "@".
REFERENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/+#=-]{0,127}")

# Enough to see the extent of the damage; a chain rewritten from its first event does not fill the memory.
FINDINGS_KEPT = 100


class NotAReference(ValueError):
    """Metadata of an event must be an id or a code; this was text."""


def canonicalise(value: Mapping[str, Any]) -> bytes:
    """Write a JSON object as the one byte string that stands for it (RFC 8785).

    Ids become their text form and times RFC 3339 in UTC.

    :raises ValueError: a value has no JSON form
    """
    return rfc8785.dumps(_plain(value))


def _plain(value: Any) -> Any:
    match value:
        case Mapping():
            return {str(key): _plain(part) for key, part in value.items()}
        case list() | tuple():
            return [_plain(part) for part in value]
        case set() | frozenset():
            return sorted(_plain(part) for part in value)
        case UUID():
            return str(value)
        case datetime():
            return instant(value)
    return value


def instant(at: datetime) -> str:
    """Write a time as RFC 3339 in UTC, always to the microsecond, so that one instant has one form."""
    if at.tzinfo is None:
        raise ValueError("a time without an offset is no instant")
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """A batch of answers that one event stands for: the root of its tree, how many leaves and answers, and when."""

    root: bytes
    leaves: int
    answers: int
    first: datetime
    last: datetime


def metadata(
    *,
    action: str,
    by: str,
    target: tuple[str, UUID] | None,
    at: datetime,
    policy_version: str | None = None,
    request_id: str | None = None,
    payload: bytes | None = None,
    erases: Sequence[tuple[int, int]] = (),
    seals: Sealed | None = None,
) -> bytes:
    """Write the chained part of an event; what is absent is left out.

    `payload` is the commitment to the body, `erases` the inclusive runs of event numbers whose bodies are erased by it,
    `seals` what is hashed into it from outside the chain.

    :raises NotAReference: a value holds more than an id or a code
    """
    told: dict[str, Any] = {"action": action, "at": instant(at), "by": by}
    if target is not None:
        told["target"] = {"kind": target[0], "id": str(target[1])}
    if policy_version is not None:
        told["policy_version"] = policy_version
    if request_id is not None:
        told["request_id"] = request_id
    for value in (action, by, policy_version, request_id, target and target[0]):
        if value is not None and not REFERENCE.fullmatch(value):
            raise NotAReference("an audit event holds references and codes, never text")
    if payload is not None:
        told["payload"] = payload.hex()
    if erases:
        told["erases"] = [list(run) for run in erases]
    if seals is not None:
        told["seals"] = {**asdict(seals), "root": seals.root.hex()}
    return canonicalise(told)


def genesis(tenant_id: UUID) -> bytes:
    """Give the hash that a tenant's first event follows, so that a chain cannot be passed off as another tenant's."""
    return sha256(tenant_id.bytes).digest()


def event_hash(prev_hash: bytes, canonical: bytes) -> bytes:
    """Hash one event onto the one before it."""
    return sha256(b"\x01" + prev_hash + canonical).digest()


def commitment(salt: bytes, body: bytes) -> bytes:
    """Commit to a body without telling it: without the salt even a short body cannot be guessed."""
    return sha256(b"\x00" + salt + body).digest()


def runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Fold numbers into inclusive runs in ascending order: 3 4 5 9 → (3, 5) (9, 9)."""
    first = last = None
    for number in sorted(set(numbers)):
        if last is not None and number == last + 1:
            last = number
            continue
        if first is not None and last is not None:
            yield first, last
        first = last = number
    if first is not None and last is not None:
        yield first, last


class Problem(StrEnum):
    """What can be wrong with a chain."""

    EDITED = "edited"  # the bytes do not give the hash
    UNREADABLE = "unreadable"  # the bytes give the hash and are no metadata
    UNLINKED = "unlinked"  # the event does not follow the one before it
    DROPPED = "dropped"  # a number is missing, or stands twice
    CUT = "cut"  # the chain ends elsewhere than its head, or a checkpoint, says
    CONTRADICTED = "contradicted"  # a checkpoint that was kept elsewhere has another hash at this length or a later one
    PAYLOAD_FORGED = "payload_forged"  # the body is not the one that was committed to
    PAYLOAD_MISSING = "payload_missing"  # the body is gone and no event says that it was erased


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong at one event number."""

    seq: int
    problem: Problem


@dataclass(frozen=True, slots=True)
class Link:
    """One event as it is stored; `payload` is (salt, body), None once erased."""

    seq: int
    canonical: bytes
    prev_hash: bytes
    hash: bytes
    payload: tuple[bytes, bytes] | None = None


@dataclass(frozen=True, slots=True)
class Verification:
    """What the check of one chain found: the last number read, the `head` it leads to, what is wrong, lowest first.

    `agreed` is the size of the longest checkpoint that the chain agrees with: 0 when none was compared.
    """

    tenant_id: UUID
    events: int
    head: bytes
    findings: tuple[Finding, ...] = ()
    agreed: int = 0

    @property
    def holds(self) -> bool:
        return not self.findings

    @property
    def first_bad(self) -> Finding | None:
        return self.findings[0] if self.findings else None


def check(
    tenant_id: UUID,
    links: Iterable[Link],
    *,
    size: int,
    head: bytes,
    checkpoints: Iterable[tuple[int, bytes]] = (),
) -> Verification:
    """Check a whole chain, read once from its first event to its last, against the size and head its chain row tells.

    After a fault the check goes on from the hash that is stored, so each fault is found once. A chain whose tail and
    chain row were both rewritten contradicts nothing but what was kept elsewhere: `checkpoints`, each a size and the
    hash of the last event then. Where one does, the first bad number is the one behind the last that agrees.
    """
    findings: list[Finding] = []
    kept: dict[int, set[bytes]] = {}
    for length, last_hash in checkpoints:
        kept.setdefault(length, set()).add(last_hash)
    agreed, is_contradicted = 0, False
    unexplained: set[int] = set()  # bodies that are gone and that no later event has named as erased
    seq, last = 0, genesis(tenant_id)

    for link in links:
        if link.seq != seq + 1:
            findings.append(Finding(seq + 1, Problem.DROPPED))
        elif link.prev_hash != last:
            findings.append(Finding(link.seq, Problem.UNLINKED))
        if event_hash(link.prev_hash, link.canonical) != link.hash:
            findings.append(Finding(link.seq, Problem.EDITED))
        elif (promised := _promised(link)) is None:
            findings.append(Finding(link.seq, Problem.UNREADABLE))
        else:
            committed, erased = promised
            for run in erased:
                unexplained.difference_update(run)
            if link.payload is None and committed:
                unexplained.add(link.seq)
            if link.payload is not None and commitment(*link.payload).hex() != committed:
                findings.append(Finding(link.seq, Problem.PAYLOAD_FORGED))
        seq, last = link.seq, link.hash
        if seq in kept and not is_contradicted:
            is_contradicted = kept[seq] != {last}
            if is_contradicted:
                findings.append(Finding(agreed + 1, Problem.CONTRADICTED))
            else:
                agreed = seq
        del findings[FINDINGS_KEPT:]

    if (seq, last) != (size, head) or max(kept, default=0) > seq:
        findings.append(Finding(min(seq, size) + 1, Problem.CUT))
    findings += (Finding(missing, Problem.PAYLOAD_MISSING) for missing in unexplained)
    findings.sort(key=lambda finding: finding.seq)
    return Verification(tenant_id, seq, last, tuple(findings[:FINDINGS_KEPT]), agreed)


def _promised(link: Link) -> tuple[str | None, list[range]] | None:
    """Read what an event says about bodies: the commitment to its own, and which earlier ones went with it."""
    try:
        told = json.loads(link.canonical)
        erased = [range(first, min(last, link.seq - 1) + 1) for first, last in told.get("erases", ())]
        return told.get("payload"), erased
    except (ValueError, TypeError, AttributeError):
        return None
