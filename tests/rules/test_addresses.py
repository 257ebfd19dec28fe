"""Every address refuses a stranger, and every operation of the API says what a key must carry."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.converters import IntConverter, UUIDConverter
from django.urls.resolvers import RoutePattern

from accounts.vocabulary import Scope
from memory_admin.api.views import AgentView, OpenView

SOME_ID = "018f0000-0000-7000-8000-00000000000a"
A_WORD = "user:nobody"

# Answered without a sign-in or a key: nothing of these holds anything of a tenant.
OPEN_API = {"/api/v1/livez", "/api/v1/readyz", "/api/schema/", "/api/docs/"}
# What any key may ask: about itself, and about what it had erased.
FOR_EVERY_KEY = {"/api/v1/whoami", f"/api/v1/erasures/{SOME_ID}"}
OPEN_PAGES = (
    "/help/",
    "/.well-known/memory-admin-keys",
    "/accounts/login/",
    "/accounts/logout/",
    "/accounts/signup/",
    "/accounts/inactive/",
    "/accounts/confirm-email/",
    "/accounts/password/reset/",
    "/accounts/3rdparty/",
    "/accounts/sso/",
    "/accounts/invitations/",
    "/accounts/2fa/authenticate/",
    "/accounts/2fa/passkeys/login/",
)


@dataclass(frozen=True)
class Address:
    """One address with a sample value for each part."""

    url: str
    callback: Any

    @property
    def operations(self) -> dict[str, type[OpenView]]:
        return dict(getattr(self.callback, "operations", {}))


def addresses(resolver: URLResolver | None = None, before: str = "/") -> Iterator[Address]:
    for pattern in (resolver or get_resolver()).url_patterns:
        url = before + sample(pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern, url)
        elif isinstance(pattern, URLPattern):
            yield Address(url, pattern.callback)


def sample(pattern: URLPattern | URLResolver) -> str:
    route = str(pattern.pattern)
    if not isinstance(pattern.pattern, RoutePattern):  # a regular expression of another package
        return (
            route.strip("^$")
            .replace("\\Z", "")
            .replace("(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)", "a-b")
            .replace("(?P<key>[-:\\w]+)", "a")
        )
    for name, converter in pattern.pattern.converters.items():
        value = {UUIDConverter: SOME_ID, IntConverter: "1"}.get(type(converter), A_WORD)
        kind = next(part for part in route.split("<") if part.split(">")[0].split(":")[-1] == name).split(">")[0]
        route = route.replace(f"<{kind}>", value)
    return route


def api_operations() -> list[tuple[str, str, type[OpenView]]]:
    return [(one.url, method, view) for one in addresses() for method, view in one.operations.items()]


def pages() -> list[str]:
    return [one.url for one in addresses() if not one.url.startswith("/api/") and not one.url.startswith(OPEN_PAGES)]


def test_the_samples_reach_every_address() -> None:
    found = list(addresses())

    assert len(found) > 20
    assert [one.url for one in found if set("<>()[]\\") & set(one.url)] == []


@pytest.mark.parametrize(
    ("url", "method", "view"), api_operations(), ids=lambda part: part if isinstance(part, str) else ""
)
def test_an_operation_names_its_scope_or_is_known_to_be_open(url: str, method: str, view: type[OpenView]) -> None:
    if url in OPEN_API:
        assert not issubclass(view, AgentView)
    else:
        assert issubclass(view, AgentView)
        assert isinstance(view.scope, Scope) or (view.scope is None and url in FOR_EVERY_KEY)


@pytest.mark.django_db
@pytest.mark.parametrize("authorization", [None, "Bearer mk_none_none", "Basic bWU6bWU="])
@pytest.mark.parametrize(
    ("url", "method", "view"), api_operations(), ids=lambda part: part if isinstance(part, str) else ""
)
def test_an_operation_refuses_a_stranger(
    client: Client, url: str, method: str, view: type[OpenView], authorization: str | None
) -> None:
    if url in OPEN_API:
        return
    headers = {"Authorization": authorization} if authorization else {}

    response = client.generic(method, url, b"{}", "application/json", headers=headers)

    assert response.status_code == 401
    assert response["Content-Type"].startswith("application/problem+json")


@pytest.mark.django_db
def test_every_address_of_the_api_is_made_of_operations() -> None:
    bare = {one.url for one in addresses() if one.url.startswith("/api/") and not one.operations}

    assert bare == {"/api/docs/", "/api/", f"/api/{A_WORD}"}  # the docs, and what answers for every other address


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("url", pages())
def test_a_page_sends_a_stranger_to_the_sign_in(client: Client, url: str, method: str) -> None:
    response = client.generic(method, url)

    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/?next=")


@pytest.mark.django_db
def test_an_address_that_does_not_exist_tells_a_stranger_nothing(client: Client) -> None:
    response = client.get("/api/v1/nothing/of/the/kind")

    assert response.status_code == 404
