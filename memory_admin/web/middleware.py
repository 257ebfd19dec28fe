"""What holds for every page, whatever its view does."""

from collections.abc import Callable
from urllib.parse import unquote_to_bytes

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_cache_control

from memory_admin import audit
from memory_admin.tenancy.scope import uuid7
from memory_admin.web import errors

GetResponse = Callable[[HttpRequest], HttpResponse]


class NameRequest:
    """Gives every request an id: what it does is recorded under it, and its answer carries it as `X-Request-Id`."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = str(uuid7())
        with audit.within_request(request_id):
            response = self.get_response(request)
        response["X-Request-Id"] = request_id
        return response


class CompressPages(GZipMiddleware):
    """Compresses pages. Answers of the agent API are small, and leave without waiting for it.

    Each page is padded by chance and no other site's request carries the session: its size tells no secret.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress the answer of a page."""
        return response if request.path.startswith("/api/") else super().process_response(request, response)


class RefuseUnstorableText:
    """Answers 400 to an address that is no UTF-8 text without NUL, or a body in another charset: each would end in 500.

    The agent API has its own, with its own form of answer.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith("/api/") and not _is_storable(request):
            return errors.bad_request(request, SuspiciousOperation("not UTF-8 text without NUL"))
        return self.get_response(request)


def _is_storable(request: HttpRequest) -> bool:
    path = request.path_info.encode("utf-8", "surrogateescape")
    query = unquote_to_bytes(request.META.get("QUERY_STRING", ""))
    charset = (request.content_params or {}).get("charset", "utf-8").lower()
    return charset in ("utf-8", "utf8") and _is_text(path) and _is_text(query)


def _is_text(raw: bytes) -> bool:
    try:
        return "\0" not in raw.decode()
    except UnicodeDecodeError:
        return False


class KeepContentOutOfCaches:
    """Keeps pages and answers out of every cache, unless a view says otherwise: they hold what is remembered."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not response.has_header("Cache-Control"):
            patch_cache_control(response, no_store=True, private=True)
        return response
