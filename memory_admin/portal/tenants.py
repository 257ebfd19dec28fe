"""Going from one organisation to another, and from one's own memories to those one looks after."""

from contextlib import suppress
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from memory_admin.web.access import choose_subject, choose_tenant


@login_required
@require_POST
def switch_tenant(request: HttpRequest) -> HttpResponse:
    """Show the pages of another organisation of the same user; an unknown one changes nothing."""
    with suppress(ValueError):
        choose_tenant(request, UUID(request.POST.get("tenant", "")))
    return redirect("portal:memories")


@login_required
@require_POST
def switch_subject(request: HttpRequest) -> HttpResponse:
    """Show the memories of a subject that the user looks after, or their own; an unknown one changes nothing."""
    asked = request.POST.get("subject", "")
    with suppress(ValueError):
        choose_subject(request, UUID(asked) if asked else None)
    return redirect("portal:memories")
