"""Sign in by the organisation's identity provider: its verified members come in, and nobody else."""

import re
import time
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
import requests
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.actors import system
from accounts.models import Identity, Membership, User
from accounts.security import events_of
from accounts.services import create_tenant, grant_membership
from accounts.vocabulary import Role
from memory_admin.tenancy.scope import tenant_scope
from tests.web.cast import PASSWORD, Member
from tests.web.identity_provider import CLIENT_ID, SECRET, IdentityProvider, identity_provider, new_key
from tests.web.signing_in import code_of, set_up_app, sign_in

NOT_LET_IN = "Larkfield ID did not sign you in here"


@pytest.fixture(scope="module")
def running() -> Iterator[IdentityProvider]:
    with identity_provider() as started:
        yield started


@pytest.fixture
def larkfield_id(running: IdentityProvider, settings: Settings) -> IdentityProvider:
    """The provider, which knows Mia, and which Larkfield trusts."""
    running.person = {"sub": "mia-1", "email": "Mia@larkfield.example", "email_verified": True}
    running.claims, running.userinfo, running.codes = {}, {}, {}
    running.signs_with, running.algorithm = None, "RS256"
    settings.SINGLE_SIGN_ON = {
        "issuer": running.address,
        "client_id": CLIENT_ID,
        "secret": SECRET,
        "name": "Larkfield ID",
        "tenant_slug": "larkfield",
    }
    return running


def leave(client: Client, query: str = "") -> str:
    """Start at our page, and come back from the provider with its answer: give the address that the browser is at."""
    page = client.get(f"/accounts/sso/{query}").content.decode()
    questions = {unescape(question) for question in re.findall(r'(?:url=|href=")(http://127[^"]+)"', page)}
    assert len(questions) == 1
    answer = requests.get(questions.pop(), timeout=5, allow_redirects=False)
    return answer.headers["Location"].removeprefix("http://testserver")


def come_in(client: Client, query: str = "") -> Any:
    return client.get(leave(client, query))


def is_in(client: Client) -> bool:
    return client.get("/").status_code == 200


def refused(client: Client, answer: Any) -> bool:
    page = client.get(answer["Location"]).content.decode()
    return NOT_LET_IN in page and not is_in(client) and not Identity.objects.exists()


def test_a_member_signs_in_and_goes_on_where_they_were(
    client: Client, mia: Member, larkfield_id: IdentityProvider
) -> None:
    page = client.get("/accounts/login/?next=/not-saved/").content.decode()

    answer = come_in(client, "?next=/not-saved/")

    assert 'href="/accounts/sso/?next=/not-saved/"' in page
    assert "Sign in with Larkfield ID" in page
    assert answer["Location"] == "/not-saved/"
    assert is_in(client)
    assert [event.kind for event in events_of(mia.user.id, limit=9)] == ["signed_in", "identity_linked"]
    assert "Larkfield ID" in client.get("/accounts/").content.decode()


def test_who_is_linked_is_known_by_the_providers_name_for_them(
    client: Client, mia: Member, larkfield_id: IdentityProvider
) -> None:
    come_in(client)
    larkfield_id.person = {"sub": "mia-1", "email": "mia.new@larkfield.example", "email_verified": False}
    again = Client()

    come_in(again)

    assert is_in(again)
    assert Identity.objects.count() == 1


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another-client"},
        {"aud": [CLIENT_ID, "another"]},
        {"aud": [CLIENT_ID, "another"], "azp": "another"},
        {"azp": "another"},
        {"iss": "https://evil.example"},
        {"exp": 1},
        {"exp": None},
        {"sub": None},
        {"email_verified": False},
        {"email_verified": None},
        {"email": "nobody@larkfield.example"},
        {"email": ""},
        {"email": None},
    ],
)
def test_what_is_wrong_with_the_token_lets_nobody_in(
    client: Client, mia: Member, larkfield_id: IdentityProvider, claims: dict[str, Any]
) -> None:
    larkfield_id.claims = claims

    assert refused(client, come_in(client))


@pytest.mark.parametrize("algorithm", ["HS256", "none"])
def test_a_token_that_is_signed_otherwise_lets_nobody_in(
    client: Client, mia: Member, larkfield_id: IdentityProvider, algorithm: str
) -> None:
    larkfield_id.algorithm = algorithm

    assert refused(client, come_in(client))


def test_a_token_of_another_key_lets_nobody_in(client: Client, mia: Member, larkfield_id: IdentityProvider) -> None:
    larkfield_id.signs_with = new_key()

    assert refused(client, come_in(client))


def test_an_address_that_only_the_userinfo_tells_counts_for_the_same_person_alone(
    client: Client, mia: Member, larkfield_id: IdentityProvider
) -> None:
    address = {"email": "mia@larkfield.example", "email_verified": True}
    larkfield_id.person, larkfield_id.userinfo = {"sub": "mia-1"}, {"sub": "somebody-else", **address}
    assert refused(client, come_in(client))

    larkfield_id.userinfo = {"sub": "mia-1", **address}
    come_in(client)

    assert is_in(client)


def test_an_answer_counts_once_and_for_the_browser_that_asked(
    client: Client, mia: Member, larkfield_id: IdentityProvider
) -> None:
    answer = leave(client)

    another = Client()
    assert refused(another, another.get(answer))
    assert client.get(answer)["Location"] == "/"
    client.post("/accounts/logout/")
    assert client.get(answer)["Location"] == "/accounts/login/"


@pytest.mark.parametrize("query", ["", "?error=access_denied", "?state=x&code=y", "?code=y", "?state=%ff%00"])
def test_an_answer_that_is_none_lets_nobody_in(
    client: Client, mia: Member, larkfield_id: IdentityProvider, query: str
) -> None:
    leave(client)

    answer = client.get(f"/accounts/sso/callback/{query}")

    assert answer.status_code == 400 or refused(client, answer)


def test_somebody_of_another_organisation_too_does_not_come_in_by_the_provider_of_one(
    client: Client, mia: Member, larkfield_id: IdentityProvider
) -> None:
    other = create_tenant(slug="northwind", name="Northwind", now=timezone.now())
    with tenant_scope(other.id):
        by = system("tests", tenant_id=other.id)
        grant_membership(user=mia.user, roles=[Role.PERSON], by=by, now=timezone.now())

    assert refused(client, come_in(client))


@pytest.mark.parametrize("what", ["left", "inactive"])
def test_who_is_no_member_any_more_stays_out_though_linked(
    client: Client, mia: Member, larkfield_id: IdentityProvider, what: str
) -> None:
    come_in(client)
    if what == "left":
        with tenant_scope(mia.tenant.id):
            Membership.objects.filter(user=mia.user).update(ended_at=timezone.now())
    else:
        User.objects.filter(pk=mia.user.pk).update(is_active=False)
    later = Client()

    come_in(later)

    assert later.get("/accounts/").status_code == 302


def test_an_address_with_a_new_owner_opens_nothing(client: Client, mia: Member, larkfield_id: IdentityProvider) -> None:
    come_in(client)
    larkfield_id.person |= {"sub": "mia-2"}
    new_owner = Client()

    come_in(new_owner)

    assert not is_in(new_owner)


def test_a_second_factor_is_asked_for_all_the_same(client: Client, mia: Member, larkfield_id: IdentityProvider) -> None:
    sign_in(client)
    secret = set_up_app(client)
    other = Client()

    assert come_in(other)["Location"] == "/accounts/2fa/authenticate/"
    assert not is_in(other)
    other.post("/accounts/2fa/authenticate/", {"code": code_of(secret, 1)})
    assert is_in(other)


def test_the_provider_is_asked_to_make_sure_before_what_is_sensitive(
    client: Client, mia: Member, larkfield_id: IdentityProvider
) -> None:
    come_in(client)
    mia.user.set_unusable_password()
    mia.user.save()
    client.force_login(mia.user)
    asked = client.get("/accounts/2fa/app/activate/")

    assert asked["Location"].startswith("/accounts/sso/?")
    assert "again=yes" in asked["Location"]
    larkfield_id.claims = {"auth_time": int(time.time()) - 3600}
    come_in(client, "?again=yes&next=/accounts/2fa/app/activate/")
    assert client.get("/accounts/2fa/app/activate/").status_code == 302
    larkfield_id.claims = {}
    answer = come_in(client, "?again=yes&next=/accounts/2fa/app/activate/")

    assert larkfield_id.asked["prompt"] == "login"
    assert answer["Location"] == "/accounts/2fa/app/activate/"
    assert client.get("/accounts/2fa/app/activate/").status_code == 200


def test_somebody_else_does_not_prove_who_one_is(client: Client, mia: Member, larkfield_id: IdentityProvider) -> None:
    kim = User.objects.create_user("kim@larkfield.example", PASSWORD)
    with tenant_scope(mia.tenant.id):
        by = system("tests", tenant_id=mia.tenant.id)
        grant_membership(user=kim, roles=[Role.PERSON], by=by, now=timezone.now())
    client.force_login(kim)

    answer = come_in(client, "?again=yes&next=/accounts/2fa/app/activate/")

    assert answer["Location"] == "/accounts/"
    assert client.get("/accounts/2fa/app/activate/").status_code == 302


def test_vouching_is_no_fresh_proof(client: Client, mia: Member, larkfield_id: IdentityProvider) -> None:
    come_in(client)

    assert client.get("/accounts/2fa/app/activate/").status_code == 302


def test_an_organisation_may_let_people_in_by_its_provider_alone(
    client: Client, mia: Member, larkfield_id: IdentityProvider, settings: Settings
) -> None:
    settings.SINGLE_SIGN_ON_ALONE = True

    by_password = sign_in(client, follow=True).content.decode()
    assert "Your organisation signs in by Larkfield ID." in by_password
    assert not is_in(client)
    come_in(client)

    assert is_in(client)


def test_a_provider_that_does_not_answer_lets_nobody_in_and_fails_nothing(
    client: Client, mia: Member, settings: Settings
) -> None:
    settings.SINGLE_SIGN_ON = {
        "issuer": "http://127.0.0.1:9",
        "client_id": "x",
        "secret": "x",
        "name": "Larkfield ID",
        "tenant_slug": "larkfield",
    }

    assert refused(client, client.get("/accounts/sso/"))


def test_without_a_provider_there_is_no_such_page(client: Client, db: None) -> None:
    assert client.get("/accounts/sso/").status_code == 404
    assert client.get("/accounts/sso/callback/").status_code == 404
    assert "/accounts/sso/" not in client.get("/accounts/login/").content.decode()


def test_a_token_is_too_old_after_its_end(client: Client, mia: Member, larkfield_id: IdentityProvider) -> None:
    answer = leave(client)
    larkfield_id.claims = {"exp": int(time.time()) + 10}

    with time_machine.travel(timezone.now() + timedelta(minutes=3)):
        larkfield_id.claims |= {"iat": int(time.time())}
        assert refused(client, client.get(answer))
