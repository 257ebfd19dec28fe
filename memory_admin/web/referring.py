"""The page of ours that a request came from, as the browser tells it."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def referring_page(request: HttpRequest) -> str:
    """Give path and query of the page that a form was on; empty when the browser does not say, or it is none of ours.

    A path of ours that begins with two slashes counts as none: as an address it would lead to another host.
    """
    ours, told = f"{request.scheme}://{request.get_host()}", request.headers.get("Referer", "")
    page = told.removeprefix(ours)
    return page if told.startswith(f"{ours}/") and url_has_allowed_host_and_scheme(page, allowed_hosts=None) else ""
