"""The pages of an answer that is not the one asked for. None of them reads the database or repeats what was sent."""

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template import loader
from django.utils import timezone

from accounts.vocabulary import Role
from memory_admin import audit
from memory_admin.errors import Conflict, DomainError, Invalid, NotAllowed, NotFound, Refused
from memory_admin.web import kept_forms, words
from memory_admin.web.referring import referring_page

RETRY_AFTER = timedelta(minutes=1)  # the longest stretch in which tries are counted for a page


def refusal(request: HttpRequest, error: DomainError) -> HttpResponse:
    """Answer a domain error with the page and status of its class."""
    match error:
        case NotFound():
            return not_found(request, error)
        case NotAllowed():
            return render(request, "errors/403.html", {"sentence": error.said}, status=403)
        case Conflict():
            page = {"sentence": error.said, "came_from": referring_page(request)}
            return render(request, "errors/409.html", page, status=409)
        case Refused():
            return render(request, "errors/422.html", {"sentence": error.said}, status=422)
        case Invalid():
            return render(request, "errors/400.html", {"sentence": error.said}, status=400)
    return failed(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400: the address or the form cannot be read, or the host is none of ours; 413: the form is too large."""
    if isinstance(exception, RequestDataTooBig):
        page = {"most": settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024, "came_from": referring_page(request)}
        return render(request, "errors/413.html", page, status=413)
    sentence = "This service does not answer to this host." if isinstance(exception, DisallowedHost) else ""
    return render(request, "errors/400.html", {"sentence": sentence}, status=400)


def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403."""
    return render(request, "errors/403.html", status=403)


def without_tenant(request: HttpRequest) -> HttpResponse:
    """Answer 403 to somebody who belongs to no organisation."""
    sentence = "Your account belongs to no organisation. Whoever invited you can add it."
    return render(request, "errors/403.html", {"sentence": sentence}, status=403)


def without_role(
    request: HttpRequest, roles: Sequence[Role], tenant_name: str, givers: Sequence[str] = ()
) -> HttpResponse:
    """Answer 403 to somebody who holds none of the roles a page is for: name them, and who can give one."""
    named = words.either([words.ROLES[role].lower() for role in roles])
    giver = words.either(givers) if givers else f"An administrator of {tenant_name}"
    sentence = f"This page needs the role {named}. {giver} can give it to you."
    return render(request, "errors/403.html", {"sentence": sentence}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404, the same page for what never existed and for what is somebody else's."""
    return render(request, "errors/404.html", status=404)


def too_many(request: HttpRequest) -> HttpResponse:
    """Answer 429: the same was asked for too often."""
    again_at = timezone.localtime() + RETRY_AFTER
    response = render(request, "errors/429.html", {"again_at": again_at}, status=429)
    response["Retry-After"] = str(RETRY_AFTER.seconds)
    return response


def expired_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403 to a form whose protection against forged requests does not match.

    One of our own pages that was open while the person signed out and in again is no forgery: the browser says where
    it comes from. What was typed there is kept, and asked about.
    """
    is_ours = request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"
    if is_ours and request.user.is_authenticated and (key := kept_forms.keep(request)):
        response = redirect("account_kept_form")
        kept_forms.hand_over(response, key)
        return response
    return render(request, "errors/403_form.html", status=403)


def failed(request: HttpRequest) -> HttpResponse:
    """Answer 500 without a request context: whatever failed must not fail here again."""
    return HttpResponse(loader.render_to_string("errors/500.html", {"reference": _reference()}), status=500)


def _reference() -> str:
    """Give the end of the request's id: the log has the whole of it, and a search for its end finds it."""
    return (audit.request_id() or "")[-12:]
