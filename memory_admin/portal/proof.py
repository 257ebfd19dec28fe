"""The proof of a memory: its entries in the audit trail, to be kept and checked by anybody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory_admin.audit import Action, chain
from memory_admin.audit.models import Chain, Event
from memory_admin.audit.queries import at_of, events_of
from memory_admin.memories import queries
from memory_admin.portal.frame import show
from memory_admin.web.access import PersonRequest, signed_in

#: How each entry is told; any other is a change.
SAYS: dict[str, str] = {
    Action.MEMORY_STORED: "It was written down",
    Action.MEMORY_PROPOSED: "It was proposed to you",
    Action.MEMORY_QUARANTINED: "It was put on hold for a check",
    Action.MEMORY_EVIDENCED: "Another source said the same",
    Action.MEMORY_CONFIRMED: "It was confirmed",
    Action.MEMORY_CORRECTED: "It was corrected",
    Action.MEMORY_DISPUTED: "It was disputed",
    Action.MEMORY_SUPERSEDED: "It was replaced",
    Action.MEMORY_ARCHIVED: "It was put to rest",
    Action.MEMORY_EXPIRED: "Its time ran out",
    Action.MEMORY_END_CHOSEN: "Its end was chosen",
    Action.MEMORY_PAUSED: "It was paused",
    Action.MEMORY_RESUMED: "It was resumed",
    Action.MEMORY_REJECTED: "It was not kept",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the trail about a memory, and whether its bytes still give its hash and follow the one before."""

    number: int
    says: str
    at: datetime | None
    canonical: str
    previous_hash: str
    hash: str
    holds: bool


@signed_in
@require_safe
def show_proof(request: PersonRequest, memory_id: UUID) -> HttpResponse:
    """Show the entries of a memory, check them now, and say how to check them elsewhere."""
    memory = queries.one(memory_id, by=request.actor)
    return show(request, "portal/proof.html", {"memory": memory, "entries": _entries(memory_id), "trail": _trail()})


@signed_in
@require_safe
def download_proof(request: PersonRequest, memory_id: UUID) -> HttpResponse:
    """Give the same entries as a file. It holds no words of the memory."""
    queries.one(memory_id, by=request.actor)
    trail = _trail()
    proof: dict[str, Any] = {
        "memory": str(memory_id),
        "organisation": request.membership.tenant_name,
        "made_at": timezone.now().isoformat(),
        "trail": {"entries": trail.size, "last_hash": bytes(trail.head).hex()},
        "entries": [
            {
                "number": entry.number,
                "entry": entry.canonical,
                "previous_hash": entry.previous_hash,
                "hash": entry.hash,
            }
            for entry in _entries(memory_id)
        ],
    }
    answer = JsonResponse(proof, json_dumps_params={"indent": 2})
    answer["Content-Disposition"] = 'attachment; filename="proof.json"'
    return answer


def _trail() -> Chain:
    return Chain.objects.get()


def _entries(memory_id: UUID) -> list[Entry]:
    """Read what the trail holds of a memory, the oldest first: two queries, however many entries there are."""
    events = list(events_of(memory_id))
    before = dict(Event.objects.filter(seq__in=[event.seq - 1 for event in events]).values_list("seq", "hash"))
    return [_entry(event, before.get(event.seq - 1)) for event in events]


def _entry(event: Event, before: bytes | memoryview | None) -> Entry:
    canonical, previous = bytes(event.canonical), bytes(event.prev_hash)
    follows = previous == (chain.genesis(event.tenant_id) if event.seq == 1 else bytes(before or b""))
    return Entry(
        number=event.seq,
        says=SAYS.get(event.action or "", "It was changed"),
        at=at_of(event),
        canonical=canonical.decode(),
        previous_hash=previous.hex(),
        hash=bytes(event.hash).hex(),
        holds=follows and chain.event_hash(previous, canonical) == bytes(event.hash),
    )
