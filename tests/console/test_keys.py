"""Keys: shown once, rotated with an overlap, revoked at once."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from accounts.services import authenticate_key
from accounts.vocabulary import Role
from tests.console.cast import Colleague, House, house
from tests.portal.cast import Person

SECRET = re.compile(r"mk_[0-9a-z]{12}_[A-Za-z0-9_-]{43}")


@pytest.fixture
def sofia(larkfield: House) -> Colleague:
    return larkfield.hire(Role.ADMIN)


def form(**fields: Any) -> dict[str, Any]:
    return {"channel": "agent", "scopes": ["memories:read", "memories:write"], "key_id": str(uuid4()), **fields}


def new_key(larkfield: House) -> str:
    return f"agents/{larkfield.agent.id}/keys/new/"


def secret_in(answer: Any) -> str:
    assert SECRET.search(answer.content.decode()), re.findall("error.*", answer.content.decode())
    (found,) = set(SECRET.findall(answer.content.decode()))
    return str(found)


def test_a_key_is_shown_once_and_works(larkfield: House, sofia: Colleague) -> None:
    answer = sofia.post(new_key(larkfield), form())

    actor = authenticate_key(secret_in(answer), now=timezone.now())
    assert actor is not None
    assert actor.agent_id == larkfield.agent.id
    assert actor.channel == "agent"
    assert {str(scope) for scope in actor.scopes} == {"memories:read", "memories:write"}
    assert "no-store" in answer["Cache-Control"]
    assert not SECRET.search(sofia.reads(f"agents/{larkfield.agent.id}/"))


def test_a_form_sent_twice_makes_one_key(larkfield: House, sofia: Colleague) -> None:
    before = len(larkfield.issued_keys())
    sent = form()

    sofia.post(new_key(larkfield), sent)
    again = sofia.post(new_key(larkfield), sent)

    assert again.status_code == 409
    assert not SECRET.search(again.content.decode())
    assert len(larkfield.issued_keys()) == before + 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"scopes": []}, "Choose at least one thing"),
        ({"scopes": ["memories:burn"]}, "Select a valid choice"),
        ({"channel": "portal"}, "Select a valid choice"),
        ({"channel": ""}, "Choose whose words"),
        ({"expires": "2020-01-01"}, "This time has passed."),
        ({"expires": "9999-12-31"}, "before the year 3000"),
        ({"expires": "soon"}, "Write the date"),
        ({"subject": "user:nobody"}, "There is no subject of this reference."),
        ({"subject": "user:mia", "is_test": "on"}, "A test key sees test subjects only"),
    ],
)
def test_what_is_wrong_with_a_key_is_said(
    larkfield: House, mia: Person, sofia: Colleague, fields: Any, said: str
) -> None:
    before = len(larkfield.issued_keys())

    answer = sofia.post(new_key(larkfield), form(**fields))

    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert len(larkfield.issued_keys()) == before


def test_a_form_whose_number_was_changed_makes_nothing(larkfield: House, sofia: Colleague) -> None:
    before = len(larkfield.issued_keys())

    assert sofia.post(new_key(larkfield), form(key_id="x")).status_code == 422
    assert len(larkfield.issued_keys()) == before


def test_a_bound_key_ends_with_its_last_day(larkfield: House, mia: Person, sofia: Colleague) -> None:
    last_day = (timezone.now() + timedelta(days=3)).date()

    sofia.post(new_key(larkfield), form(subject="user:mia", expires=last_day.isoformat()))

    key = larkfield.issued_keys()[0]
    assert key.subject_id == mia.subject.id
    assert key.expires_at is not None
    assert key.expires_at.date() == last_day + timedelta(days=1)
    assert "only about <code>user:mia</code>" in sofia.reads(f"agents/{larkfield.agent.id}/")


@pytest.mark.parametrize(("days", "is_said"), [(5, True), (60, False)])
def test_a_key_that_ends_soon_says_so(larkfield: House, sofia: Colleague, days: int, is_said: bool) -> None:
    ends_on = timezone.localdate() + timedelta(days=days)
    sofia.post(new_key(larkfield), form(expires=ends_on.isoformat()))

    page = sofia.reads(f"agents/{larkfield.agent.id}/")

    assert bool(re.search(r"In \d days", page)) is is_said


def test_the_old_key_goes_on_for_the_time_that_was_chosen(larkfield: House, sofia: Colleague) -> None:
    old = secret_in(sofia.post(new_key(larkfield), form()))
    where = f"keys/{larkfield.issued_keys()[0].id}/rotate/"
    sent = {"overlap": "24", "key_id": str(uuid4())}

    new = secret_in(sofia.post(where, sent))

    now = timezone.now()
    assert authenticate_key(new, now=now) is not None
    assert authenticate_key(old, now=now + timedelta(hours=23)) is not None
    assert authenticate_key(old, now=now + timedelta(hours=25)) is None
    assert sofia.post(where, sent).status_code == 409
    page = sofia.reads(f"agents/{larkfield.agent.id}/")
    assert "replaced by" in page
    assert "In less than a day" in page


def test_the_successor_of_a_key_that_ends_ends_too_unless_somebody_says_otherwise(
    larkfield: House, sofia: Colleague
) -> None:
    last_day = timezone.localdate() + timedelta(days=30)
    sofia.post(new_key(larkfield), form(expires=last_day.isoformat()))
    where = f"keys/{larkfield.issued_keys()[0].id}/rotate/"

    assert f'value="{last_day.isoformat()}"' in sofia.reads(where)
    late = sofia.post(where, {"overlap": "24", "expires": "2020-01-01", "key_id": str(uuid4())})
    sofia.post(where, {"overlap": "24", "expires": last_day.isoformat(), "key_id": str(uuid4())})

    assert late.status_code == 422
    assert "This time has passed." in late.content.decode()
    successor = larkfield.issued_keys()[0]
    assert successor.rotated_from_id is not None
    assert successor.expires_at is not None
    assert successor.expires_at.date() == last_day + timedelta(days=1)


def test_without_an_overlap_the_old_key_ends_at_once(larkfield: House, sofia: Colleague) -> None:
    old = secret_in(sofia.post(new_key(larkfield), form()))
    key = larkfield.issued_keys()[0]

    sofia.post(f"keys/{key.id}/rotate/", {"overlap": "0", "key_id": str(uuid4())})

    assert authenticate_key(old, now=timezone.now()) is None


@pytest.mark.parametrize("overlap", ["", "-1", "9999", "x"])
def test_only_the_offered_overlaps_are_taken(larkfield: House, sofia: Colleague, overlap: str) -> None:
    answer = sofia.post(f"keys/{larkfield.issued_keys()[0].id}/rotate/", {"overlap": overlap, "key_id": str(uuid4())})

    assert answer.status_code == 422


def test_a_revoked_key_is_refused_at_once_and_for_good(larkfield: House, sofia: Colleague) -> None:
    text = secret_in(sofia.post(new_key(larkfield), form()))
    where = f"keys/{larkfield.issued_keys()[0].id}"

    assert "Revoke this key?" in sofia.reads(f"{where}/revoke/")
    sofia.post(f"{where}/revoke/")

    assert authenticate_key(text, now=timezone.now()) is None
    assert sofia.post(f"{where}/revoke/").status_code == 409
    assert sofia.post(f"{where}/rotate/", {"overlap": "1", "key_id": str(uuid4())}).status_code == 409


def test_keys_of_another_tenant_are_not_there(larkfield: House) -> None:
    eve = house("northwind").hire(Role.ADMIN)
    key = larkfield.issued_keys()[0]

    for what in ("rotate", "revoke"):
        assert eve.get(f"keys/{key.id}/{what}/").status_code == 404
        assert eve.post(f"keys/{key.id}/{what}/").status_code == 404
    assert key.revoked_at is None


def test_the_same_form_at_the_same_moment_makes_one_key(transactional_db: None) -> None:
    larkfield = house("larkfield")
    sofia = larkfield.hire(Role.ADMIN)
    before = len(larkfield.issued_keys())
    sent = form()

    def send(_: int) -> int:
        try:
            return int(sofia.post(new_key(larkfield), sent).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as together:
        answers = sorted(together.map(send, range(4)))

    assert answers == [200, 409, 409, 409]
    assert len(larkfield.issued_keys()) == before + 1
