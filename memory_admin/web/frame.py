"""What the frame around every page is told: where the person is, and whether the page is shown within a dialog."""

from functools import partial
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.queries import MembershipOf, memberships_of
from memory_admin.web import access

DIALOG = "dialog"  # the element of the base page that holds one


def frame(request: HttpRequest) -> dict[str, Any]:
    """Add `membership`, looked up only by pages that name it, and `in_dialog`."""
    target = getattr(getattr(request, "htmx", None), "target", None)
    return {
        "membership": SimpleLazyObject(partial(_membership, request)),
        "in_dialog": target == DIALOG,
    }


def _membership(request: HttpRequest) -> MembershipOf | None:
    found: MembershipOf | None = getattr(request, "membership", None)
    user = getattr(request, "user", None)
    if found or user is None or not user.is_authenticated:
        return found
    return access.chosen(request, memberships_of(user.id))
