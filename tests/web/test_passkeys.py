"""Passkeys: whatever is sent in their place is refused, and nobody touches somebody else's."""

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from accounts.models import User
from tests.web.cast import PASSWORD, Member
from tests.web.signing_in import sign_in


@pytest.mark.parametrize(
    "sent", ["", "{}", "[]", "null", "1", '"a"', '{"id": 1}', '{"response": {}}', "\0", "x" * 9000]
)
@pytest.mark.parametrize("page", ["/accounts/2fa/passkeys/login/", "/accounts/2fa/passkeys/add/"])
def test_what_is_no_passkey_is_refused(client: Client, mia: Member, page: str, sent: str) -> None:
    if "add" in page:
        sign_in(client)
    client.get(page, headers={"Accept": "application/json"})

    answer = client.post(page, {"credential": sent, "name": "x"})

    assert answer.status_code in (200, 302)
    assert not Authenticator.objects.exists()


def test_a_passkey_of_somebody_else_does_not_exist(client: Client, mia: Member) -> None:
    other = User.objects.create_user("kim@example.org", PASSWORD)
    key = Authenticator.objects.create(user=other, type="webauthn", data={"name": "Kim's", "credential": {}})
    sign_in(client)

    assert client.get(f"/accounts/2fa/passkeys/keys/{key.pk}/remove/").status_code == 404
    assert client.post(f"/accounts/2fa/passkeys/keys/{key.pk}/remove/").status_code == 404
    assert client.post(f"/accounts/2fa/passkeys/keys/{key.pk}/edit/", {"name": "mine"}).status_code == 404
    assert Authenticator.objects.filter(pk=key.pk).exists()
