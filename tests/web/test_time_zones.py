"""Times in the person's zone."""

from datetime import UTC, datetime

import pytest
import time_machine
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone

from memory_admin.web import words
from memory_admin.web.time_zones import ShowTheirTimes
from tests.web.cast import Member
from tests.web.signing_in import sign_in

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def _shown(rf: RequestFactory, path: str = "/", **cookies: str) -> str:
    def show(request: HttpRequest) -> HttpResponse:
        return HttpResponse(words.clock(timezone.localtime(NOON)))

    request = rf.get(path)
    request.COOKIES.update(cookies)
    shown = ShowTheirTimes(show)(request).content.decode()
    assert timezone.get_current_timezone_name() == "UTC"
    return shown


def test_times_are_shown_as_on_the_device(rf: RequestFactory) -> None:
    assert _shown(rf, device_time_zone="Europe/Oslo") == "13:00 CET"


def test_a_chosen_zone_comes_before_the_devices(rf: RequestFactory) -> None:
    assert _shown(rf, device_time_zone="Europe/Oslo", time_zone="Asia/Tokyo") == "21:00 JST"


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../../etc/passwd", "UTC\0", "Europe", "x" * 5000])
def test_no_zone_and_nonsense_are_utc(rf: RequestFactory, zone: str) -> None:
    assert _shown(rf, device_time_zone=zone, time_zone=zone) == "12:00 UTC"


def test_the_api_has_no_zone(rf: RequestFactory) -> None:
    assert _shown(rf, "/api/v1/memories", time_zone="Asia/Tokyo") == "12:00 UTC"


def test_a_zone_is_chosen_and_given_up(client: Client, mia: Member) -> None:
    sign_in(client)

    client.post("/accounts/appearance/", {"time_zone": "Pacific/Auckland"})
    chosen = client.get("/accounts/appearance/").content.decode()
    client.post("/accounts/appearance/", {"time_zone": "Nowhere"})
    still = client.cookies["time_zone"].value
    client.post("/accounts/appearance/", {"time_zone": ""})

    assert "<option selected>Pacific/Auckland</option>" in chosen
    assert still == "Pacific/Auckland"
    assert client.cookies["time_zone"].value == ""


def test_the_last_moment_is_the_persons(client: Client, mia: Member) -> None:
    with time_machine.travel(datetime(2026, 11, 30, 23, 30, tzinfo=UTC), tick=False):
        sign_in(client)
        client.cookies["time_zone"] = "Europe/Oslo"

        page = client.get("/accounts/activity/").content.decode()

    assert "1 December 2026, 00:30 CET" in page
