"""Too many wrong passwords lock one account for one address."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.management import call_command
from django.db import connection
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.security import events_of
from memory_admin.tenancy.roles import as_owner
from memory_admin.web import accounts_lock
from tests.web.cast import Member
from tests.web.signing_in import sign_in

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}


@pytest.fixture(autouse=True)
def noon() -> Any:
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def counting(work: Any, done: list[str]) -> Any:
    def counted(*arguments: Any) -> Any:
        done.append(work.__name__)
        return work(*arguments)

    return counted


def said(answer: Any) -> str:
    return str(answer.context["form"].non_field_errors()[0])


def test_the_sixth_try_is_refused_even_with_the_right_password_and_told_until_when(client: Client, mia: Member) -> None:
    for _ in range(5):
        assert said(sign_in(client, "wrong")) == "The e-mail or password is not right"

    locked = sign_in(client)

    assert said(locked) == "Too many wrong tries. Sign-in from here is locked until 12:05 UTC"


def test_it_opens_by_itself(client: Client, mia: Member, noon: Any) -> None:
    for _ in range(6):
        sign_in(client, "wrong")

    noon.shift(timedelta(minutes=5, seconds=1))

    assert sign_in(client).status_code == 302


def test_nobody_locks_somebody_else_out_from_elsewhere(client: Client, mia: Member) -> None:
    for _ in range(9):
        sign_in(client, "wrong", **ELSEWHERE)

    assert sign_in(client).status_code == 302
    assert "locked until" in said(sign_in(Client(), **ELSEWHERE))


def test_a_right_password_forgets_the_wrong_ones(client: Client, mia: Member) -> None:
    for _ in range(4):
        sign_in(client, "wrong")
    sign_in(client)
    client.logout()

    for _ in range(4):
        sign_in(client, "wrong")

    assert sign_in(client).status_code == 302


def test_an_address_without_an_account_is_locked_in_the_same_words(client: Client, mia: Member) -> None:
    answers = [
        [said(sign_in(Client(), "wrong", email)) for _ in range(7)]
        for email in ("mia@larkfield.example", "mio@larkfield.example")
    ]

    assert answers[0] == answers[1]
    assert len(set(answers[0])) == 2


def test_an_address_without_an_account_costs_the_same_work(
    client: Client, mia: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    for name in ("encode", "verify"):
        monkeypatch.setattr(Argon2PasswordHasher, name, counting(getattr(Argon2PasswordHasher, name), hashed))

    sign_in(client, "wrong")
    known = len(hashed)
    sign_in(client, "wrong", "mio@larkfield.example")

    assert known == 1
    assert len(hashed) == 2


def test_a_person_sees_the_wrong_passwords_at_the_next_sign_in(client: Client, mia: Member) -> None:
    sign_in(Client(), "wrong", **ELSEWHERE)

    sign_in(client)

    kinds = {event.kind: event.address for event in events_of(mia.user.id, limit=9)}
    assert kinds == {"signed_in": "127.0.0.1", "wrong_password": "203.0.113.9"}


def test_two_addresses_of_one_subscriber_are_one(mia: Member) -> None:
    for ending in range(5):
        accounts_lock.begin("mia@x.example", f"2001:db8:1:2::{ending}", now=NOON)

    assert accounts_lock.begin("mia@x.example", "2001:db8:1:2:ffff::1", now=NOON) == NOON + accounts_lock.LOCKED_FOR
    assert accounts_lock.begin("mia@x.example", "2001:db8:1:3::1", now=NOON) is None


def test_many_tries_at_once_each_count() -> None:
    assert let_through_of_40() == accounts_lock.TRIES


@pytest.mark.django_db(transaction=True)
def test_many_tries_at_once_each_count_where_the_cache_is_a_table(settings: Settings) -> None:
    table = {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"}
    settings.CACHES = {"default": table}
    call_command("createcachetable")
    try:
        assert let_through_of_40() == accounts_lock.TRIES
    finally:
        with as_owner(), connection.cursor() as cursor:
            cursor.execute("DROP TABLE cache")


def let_through_of_40() -> int:
    def begin(_: int) -> bool:
        try:
            return accounts_lock.begin("mia@x.example", "192.0.2.1", now=NOON) is None
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        return sum(pool.map(begin, range(40)))


def test_a_proxys_own_header_tells_whose_address_counts(client: Client, mia: Member, settings: Settings) -> None:
    settings.ALLAUTH_TRUSTED_CLIENT_IP_HEADER = "X-Real-IP"
    for number in range(6):
        sign_in(client, "wrong", HTTP_X_REAL_IP="203.0.113.9", HTTP_X_FORWARDED_FOR=f"198.51.100.{number}")

    assert "locked until" in said(sign_in(client, HTTP_X_REAL_IP="203.0.113.9"))
    assert sign_in(client, HTTP_X_REAL_IP="203.0.113.10").status_code == 302
    assert sign_in(Client()).status_code == 403  # past the proxy


def test_without_a_proxy_no_header_tells_another_address(client: Client, mia: Member) -> None:
    for number in range(6):
        address = f"198.51.100.{number}"
        sign_in(client, "wrong", HTTP_X_REAL_IP=address, HTTP_X_FORWARDED_FOR=address, HTTP_FORWARDED=f"for={address}")

    assert "locked until" in said(sign_in(client))


@pytest.mark.parametrize("email", ["", "\0", "x" * 300_0, "ＭＩＡ@larkfield.example", "'; --"])
def test_nonsense_is_a_wrong_pair(client: Client, mia: Member, email: str) -> None:
    answer = sign_in(client, "wrong", email)

    assert answer.status_code == 200
    assert "_auth_user_id" not in client.session
