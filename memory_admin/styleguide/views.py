"""The style guide, the question of its dialog, and each error page."""

import re
from collections.abc import Callable

from django.core.exceptions import RequestDataTooBig
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.vocabulary import Role
from memory_admin import env
from memory_admin.errors import Conflict, Refused
from memory_admin.memories.vocabulary import Status
from memory_admin.styleguide import examples
from memory_admin.web import errors

# The values of tokens.css by what they are for.
COLOURS = {
    "Surfaces": ("paper", "wash", "raise", "accent-wash", "warn-wash", "bad-wash"),
    "Ink and lines": ("ink", "ink-2", "line", "line-2", "edge"),
    "Signals": ("accent", "good", "warn", "bad"),
}
TYPE = {
    "t-xxl": "Page title",
    "t-xl": "Heading of a section, or a question",
    "t-l": "A memory in a list",
    "t-m": "Running text, at most 68 characters a line",
    "t-s": "Facts about a thing, in the second ink",
    "t-xs": "Heads of tables",
}
ERRORS: dict[int, Callable[[HttpRequest], HttpResponse]] = {
    400: lambda request: errors.bad_request(request, ValueError()),
    403: lambda request: errors.without_role(request, [Role.REVIEWER, Role.ADMIN], "Larkfield", ["Amara", "Sofia"]),
    404: lambda request: errors.not_found(request, Http404()),
    409: lambda request: errors.refusal(request, Conflict("Somebody else has answered it a moment ago.")),
    410: errors.expired_form,
    413: lambda request: errors.bad_request(request, RequestDataTooBig()),
    422: lambda request: errors.refusal(request, Refused("Health is not allowed here. Rule W-110.")),
    429: errors.too_many,
    500: errors.failed,
}


@require_safe
def show_guide(request: HttpRequest) -> HttpResponse:
    """Show every component."""
    now = timezone.now()
    sprite = (env.ROOT / "templates/components/icons.svg").read_text()
    page = {
        "colours": COLOURS,
        "sizes": TYPE,
        "statuses": Status.values,
        "icons": re.findall(r'id="i-([a-z]+)"', sprite),
        "errors": {status: view.__name__ for status, view in ERRORS.items()},
        "page": Paginator(range(70), 20).get_page(2),
        "newer": "?page=1",
        "older": "?page=3",
        **examples.of_portal(now),
        **examples.of_console(now),
    }
    return render(request, "styleguide/guide.html", page)


@require_safe
def ask(request: HttpRequest) -> HttpResponse:
    """Show the question before a deletion, as a page or in the dialog."""
    row = examples.row("Eats vegetarian on trips; fish is fine at home.", now=timezone.now())
    return render(request, "portal/delete.html", {"memory": row.memory, "row": row, "version_count": 2, "count": 48})


@require_safe
def fail(request: HttpRequest, status: int) -> HttpResponse:
    """Show the page of an error."""
    if status not in ERRORS:
        raise Http404
    return ERRORS[status](request)
