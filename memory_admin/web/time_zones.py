"""The zone that times are shown in: the one the person chose, else the one of the device. The browser keeps both."""

from collections.abc import Callable
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

CHOSEN = "time_zone"
OF_THE_DEVICE = "device_time_zone"  # said by static/js/page.js


class ShowTheirTimes:
    """Reads and writes the times of a page in the person's zone. The agent API has none: its times are in UTC."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        zone = "" if request.path.startswith("/api/") else chosen(request) or of_the_device(request)
        with timezone.override(ZoneInfo(zone) if zone else None):
            return self.get_response(request)


@cache
def known() -> tuple[str, ...]:
    """List the names to choose from, in order: "Africa/Abidjan" and so on, and "UTC"."""
    places = (name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return (*sorted(places), "UTC")


def chosen(request: HttpRequest) -> str:
    """Name the zone the person chose, or nothing."""
    return _named(request, CHOSEN)


def of_the_device(request: HttpRequest) -> str:
    """Name the zone the browser says it is in, or nothing."""
    return _named(request, OF_THE_DEVICE)


def _named(request: HttpRequest, cookie: str) -> str:
    name = request.COOKIES.get(cookie, "")
    return name if name in known() else ""
