"""What was not saved."""

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory_admin.portal.frame import show
from memory_admin.portal.queries import refused
from memory_admin.portal.rows import refusals_of
from memory_admin.web.access import PersonRequest, signed_in
from memory_admin.web.paging import links, page_of


@signed_in
@require_safe
def show_refusals(request: PersonRequest) -> HttpResponse:
    """List what agents wanted to keep and were not allowed to."""
    page = page_of(refused(request.actor), request)
    rows = refusals_of(list(page), now=timezone.now())
    return show(request, "portal/not_saved.html", {"rows": rows, "page": page, **links(page, request)})
