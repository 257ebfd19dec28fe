"""Ways to sign in, and the codes of an authenticator app."""

import re
import time
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.test import Client

from accounts.models import User
from tests.web.cast import PASSWORD

PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1 Version/17.0 Mobile Safari/604.1"


def sign_in(
    client: Client,
    password: str = PASSWORD,
    email: str = "mia@larkfield.example",
    *,
    next: str = "",  # noqa: A002  # as the form calls it
    **headers: Any,
) -> Any:
    return client.post("/accounts/login/", {"login": email, "password": password, "next": next}, **headers)


def let_in(client: Client, user: User) -> None:
    """Sign somebody in, just now, without the pages."""
    client.force_login(user)
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()


def code_of(secret: str, step: int = 0) -> str:
    """Give the code of this half minute, or of one step before or after."""
    now = list(yield_hotp_counters_from_time())
    return str(format_hotp_value(hotp_value(secret, now[0] + step)))


def set_up_app(client: Client) -> str:
    """Set an authenticator app up in the pages, and give its secret."""
    page = client.get("/accounts/2fa/app/activate/").content.decode()
    found = re.search(r"<code>(\w+)</code>", page)
    assert found is not None
    answer = client.post("/accounts/2fa/app/activate/", {"code": code_of(found[1])})
    assert answer.status_code == 302
    return found[1]


def stored_secret(user: User) -> str:
    return str(Authenticator.objects.get(user=user, type="totp").data["secret"])
