"""What is refused before an operation is looked up."""

from collections.abc import Callable
from urllib.parse import unquote_to_bytes

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse

from memory_admin.api.problems import Problem, plain_answer

GetResponse = Callable[[HttpRequest], HttpResponse]


class RefuseBadAddresses:
    """Answers 400 to a host that is none of ours, and to NUL and bytes that are not UTF-8 in path or query.

    Of the agent API alone: further down a host would be answered with a page, the others with a 500.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith("/api/"):
            return self.get_response(request)
        if problem := _fault(request):
            return plain_answer(problem)
        return self.get_response(request)


def _fault(request: HttpRequest) -> Problem | None:
    try:
        request.get_host()
    except DisallowedHost:
        return Problem(400, "unknown_host", "The service does not answer to this host.")
    # Bytes of a path that are not UTF-8 were quoted again by Django: such an address is none of ours.
    if "\0" in request.path or not _is_text(unquote_to_bytes(request.META.get("QUERY_STRING", ""))):
        return Problem(400, "malformed_address", "The address is not UTF-8 text without NUL.")
    # Django would read the query string, too, in whatever charset the body claims.
    if (request.content_params or {}).get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        return Problem(415, "unsupported_media_type", "The body must be application/json in UTF-8.")
    return None


def _is_text(raw: bytes) -> bool:
    try:
        return "\0" not in raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
