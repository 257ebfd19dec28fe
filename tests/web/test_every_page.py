"""What holds for every page."""

import json
import re

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import path

from memory_admin.errors import Conflict, DomainError, NotAllowed, NotFound, Refused
from memory_admin.logs import SafeFormatter
from memory_admin.memories.vocabulary import Origin, Status
from memory_admin.web import errors
from memory_admin.web.help import ORIGINS, STATUSES

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@pytest.mark.parametrize("address", ["/accounts/login/", "/nothing/", "/accounts/password/reset/", "/?q=%00"])
def test_a_page_loads_nothing_from_elsewhere_and_stays_out_of_caches(client: Client, db: None, address: str) -> None:
    answer = client.get(address)

    assert set(answer["Content-Security-Policy"].split("; ")) == set(POLICY.split("; "))
    assert "no-store" in answer["Cache-Control"]
    assert "style=" not in answer.content.decode()


@pytest.mark.parametrize("address", ["/%00", "/?q=%00", "/not-saved/?page=a%00", "/?q=%ff"])
def test_an_address_that_cannot_be_stored_is_answered_400(client: Client, db: None, address: str) -> None:
    answer = client.get(address)

    assert answer.status_code == 400
    assert "could not read that" in answer.content.decode()


def test_a_body_in_another_charset_is_answered_400(client: Client, db: None) -> None:
    answer = client.post(
        "/accounts/login/", b"login=x", content_type="application/x-www-form-urlencoded; charset=utf-16"
    )

    assert answer.status_code == 400


def test_a_form_without_its_token_says_what_to_do(db: None) -> None:
    answer = Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "a", "password": "b"})

    assert answer.status_code == 403
    assert "This form is too old" in answer.content.decode()


@pytest.mark.parametrize(
    ("error", "status"), [(NotFound(), 404), (NotAllowed(), 403), (Conflict("Already so."), 409), (Refused(), 422)]
)
def test_a_domain_error_is_answered_by_its_page(rf: RequestFactory, error: DomainError, status: int) -> None:
    answer = errors.refusal(rf.get("/"), error)

    assert answer.status_code == status
    assert "<h1>" in answer.content.decode()


def _fail(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("the text of a memory")


urlpatterns = [path("fail/", _fail)]
handler500 = "memory_admin.web.errors.failed"


@override_settings(ROOT_URLCONF=__name__)
def test_a_failure_repeats_nothing_of_what_failed(db: None) -> None:
    answer = Client(raise_request_exception=False).get("/fail/")

    assert answer.status_code == 500
    assert "Something failed on our side" in answer.content.decode()
    assert "the text of a memory" not in answer.content.decode()


@override_settings(ROOT_URLCONF=__name__)
def test_the_reference_of_a_failure_leads_to_its_line_in_the_log(
    db: None, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    monkeypatch.setattr(caplog.handler, "emit", lambda record: lines.append(SafeFormatter().format(record)))

    answer = Client(raise_request_exception=False).get("/fail/")

    reference = re.search(r"<code>([0-9a-f]{12})</code>", answer.content.decode())
    assert reference is not None
    assert answer["X-Request-Id"].endswith(reference[1])
    (line,) = (line for line in map(json.loads, lines) if line.get("error"))
    assert line["request_id"] == answer["X-Request-Id"]


def test_what_came_too_late_leads_back_to_its_page(rf: RequestFactory) -> None:
    ours = rf.post("/memories/1/pause/", headers={"Referer": "http://testserver/memories/1/pause/?a=b"})
    theirs = rf.post("/memories/1/pause/", headers={"Referer": "https://elsewhere.example/memories/1/"})

    assert 'href="/memories/1/pause/?a=b"' in errors.refusal(ours, Conflict("Already so.")).content.decode()
    assert "See how it is now" not in errors.refusal(theirs, Conflict("Already so.")).content.decode()


def test_too_many_tries_are_told_when_to_try_again(rf: RequestFactory) -> None:
    answer = errors.too_many(rf.get("/"))

    assert answer.status_code == 429
    assert answer["Retry-After"] == "60"
    assert re.search(r"Try again after <b><time [^>]*>\d\d:\d\d UTC</time>", answer.content.decode())


@pytest.mark.parametrize("address", ["/help/", "/accounts/login/"])
def test_help_is_there_for_a_stranger(client: Client, db: None, address: str) -> None:
    answer = client.get(address)

    assert answer.status_code == 200
    assert ">Help</a>" in answer.content.decode()


def test_help_says_what_every_origin_and_status_means() -> None:
    assert ORIGINS.keys() == set(Origin.values)
    assert STATUSES.keys() == set(Status.values)
