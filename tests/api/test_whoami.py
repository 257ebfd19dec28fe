from datetime import timedelta

from django.utils import timezone

from accounts.models import Subject
from accounts.services import revoke_key
from accounts.vocabulary import Channel, Scope
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import NOON, Caller, Organisation, anonymous


def test_a_key_is_told_what_it_is_and_may_do(north: Organisation, alice: Subject) -> None:
    bound = north.caller(channel=Channel.TOOL, scopes=[Scope.MEMORIES_READ], subject=alice)

    answered = bound.get("/whoami")

    assert answered.status_code == 200
    told = answered.json()
    assert told["tenant"]["slug"] == "north"
    assert told["agent"]["name"] == "Helper"
    assert told["scopes"] == ["memories:read"]
    assert told["channel"] == "tool"
    assert told["subject"] == "user:alice"
    assert told["policy_versions"]["write"] == "write/1"
    assert told["limits"]["body_bytes"] == 262144


def test_every_answer_says_what_is_left_of_the_limit_and_stays_out_of_caches(helper: Caller) -> None:
    first, second = helper.get("/whoami"), helper.get("/nothing-of-this-name")

    assert first["RateLimit-Limit"] == "600"
    assert first["RateLimit-Remaining"] == "599"
    assert 0 < int(first["RateLimit-Reset"]) <= 60
    assert first["Cache-Control"] == "no-store"
    assert first["X-Request-Id"] != ""
    assert second.status_code == 404


def test_without_a_valid_key_the_answer_is_the_same_401(north: Organisation, helper: Caller) -> None:
    expired = north.caller(issued_at=NOON, expires_at=NOON + timedelta(days=1))
    revoked = north.caller()
    with tenant_scope(north.tenant.id):
        revoke_key(key_id=revoked.key_id, by=north.by, now=timezone.now())
    presented = [
        "",
        "Bearer",
        "Bearer nonsense",
        f"Basic {helper.key}",
        f"Bearer {helper.key[:-1]}x",
        f"Bearer {helper.key}\u00e9",
        f"Bearer mk_{'0' * 12}_{'A' * 43}",
        f"Bearer {expired.key}",
        f"Bearer {revoked.key}",
    ]

    answers = [anonymous("GET", "/api/v1/whoami", Authorization=value) for value in presented]

    assert {answered.status_code for answered in answers} == {401}
    assert len({answered.content for answered in answers}) == 1
    assert answers[0]["Content-Type"] == "application/problem+json"
    assert answers[0]["WWW-Authenticate"].startswith("Bearer")


def test_nothing_in_the_request_names_another_tenant(helper: Caller) -> None:
    answered = helper.get("/whoami", X_Tenant="00000000-0000-0000-0000-000000000002")

    assert answered.json()["tenant"]["slug"] == "north"
