"""Which keys may do what."""

from __future__ import annotations

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.actors import Actor
from accounts.vocabulary import Scope
from memory_admin.api.problems import Problem, nothing_here


class HoldsScope(BasePermission):
    """Lets a key through that carries the scope of the operation."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        scope: Scope | None = getattr(view, "scope", None)
        actor = request.auth
        if scope is None or (isinstance(actor, Actor) and actor.has(scope)):
            return True
        # What a key may not read does not exist for it.
        if view.kwargs:
            raise nothing_here()
        raise Problem(403, "scope_missing", f"This key lacks the scope {scope}.")
