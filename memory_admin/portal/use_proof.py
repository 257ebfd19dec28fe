"""The proof of one use of a memory: that the log of it was sealed into the audit trail, and was not changed since."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from memory_admin.audit.queries import at_of
from memory_admin.errors import NotFound
from memory_admin.memories import queries
from memory_admin.portal.frame import show
from memory_admin.retrieval import proofs
from memory_admin.retrieval.models import RetrievalCandidate
from memory_admin.retrieval.proofs import UseProof
from memory_admin.web.access import PersonRequest, signed_in


@signed_in
@require_safe
def show_use_proof(request: PersonRequest, use_id: UUID) -> HttpResponse:
    """Show that one use stands in the audit trail, and say how to check it elsewhere."""
    memory_id = _memory_of(use_id, request)
    proof = proofs.proof_of_use(use_id)
    page = {
        "memory_id": memory_id,
        "use_id": use_id,
        "proof": proof,
        "row": proof.body.decode() if proof else "",
        "number": proof.event.seq if proof else None,
        "sealed_at": at_of(proof.event) if proof else None,
    }
    return show(request, "portal/use_proof.html", page)


@signed_in
@require_safe
def download_use_proof(request: PersonRequest, use_id: UUID) -> HttpResponse:
    """Give all that is needed to check it without us, as a file. It holds no words of the memory."""
    _memory_of(use_id, request)
    proof = proofs.proof_of_use(use_id)
    if proof is None:
        raise NotFound
    answer = JsonResponse(_told(proof), json_dumps_params={"indent": 2})
    answer["Content-Disposition"] = 'attachment; filename="proof.json"'
    return answer


def _memory_of(use_id: UUID, request: PersonRequest) -> UUID:
    """Name the memory that was used, if it is one that the person may see."""
    weighing = RetrievalCandidate.objects.filter(id=use_id).first()
    if weighing is None:
        raise NotFound
    return queries.one(weighing.memory_id, by=request.actor).id


def _told(proof: UseProof) -> dict[str, Any]:
    event = proof.event
    return {
        "use": {
            "row": proof.body.decode(),
            "salt": proof.salt.hex(),
            "path": [{side: other.hex()} for side, other in proof.path],
            "leaves": proof.leaves,
            "root": proof.root.hex(),
        },
        "entries": [
            {
                "number": event.seq,
                "entry": bytes(event.canonical).decode(),
                "previous_hash": bytes(event.prev_hash).hex(),
                "hash": bytes(event.hash).hex(),
            }
        ],
    }
