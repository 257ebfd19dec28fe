"""The second factor: who must have one, whether this session proved it, and how its secrets are kept."""

from __future__ import annotations

import secrets
import time
from base64 import b32encode, urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from hmac import digest
from typing import Any, ClassVar

from allauth.account.authentication import get_authentication_records
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.models import User
from accounts.queries import MembershipOf, memberships_of
from accounts.vocabulary import STAFF
from memory_admin import env
from memory_admin.web.accounts_devices import device

SET_UP_HERE = "second_factor_set_up"


class Adapter(DefaultMFAAdapter):  # type: ignore[misc]
    """How django-allauth's second factors behave here: secrets are sealed, and staff keep one."""

    error_messages: ClassVar[dict[str, str]] = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": "This code is not right. Codes change every 30 seconds and work once.",
        "incorrect_passkey": "This passkey was not accepted. Try again.",
        "cannot_delete_authenticator": "Your role needs a second factor. Set up another one before you remove this.",
        "cannot_generate_recovery_codes": "Set up an authenticator app or a passkey first.",
    }

    def encrypt(self, text: str) -> str:
        """Seal a secret before it is stored."""
        return _sealer().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Open a stored secret; one that was sealed with another key opens as chance, which no code matches."""
        try:
            return _sealer().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            return b32encode(secrets.token_bytes(20)).decode()

    def generate_authenticator_name(self, user: User, type: Any) -> str:  # noqa: A002
        """Name a new passkey after the browser that adds it."""
        request: HttpRequest | None = context.request
        return device(request.headers.get("User-Agent", "")) if request else "Passkey"

    def can_delete_authenticator(self, authenticator: Any) -> bool:
        """Refuse to remove the last factor of somebody whose role needs one."""
        kept = type(authenticator).objects.filter(user_id=authenticator.user_id, type__in=["totp", "webauthn"])
        others = kept.exclude(pk=authenticator.pk)
        return others.exists() or not is_demanded(memberships_of(authenticator.user_id))


def is_demanded(memberships: Iterable[MembershipOf]) -> bool:
    """Tell whether any of the roles needs a second factor."""
    return settings.DEMAND_SECOND_FACTOR and any(one.roles & STAFF for one in memberships)


def missing_step(request: HttpRequest, user: User, memberships: Iterable[MembershipOf]) -> str | None:
    """Name the page where somebody sets up the second factor that their role needs, or proves it; None when done.

    It is the name of an address.
    """
    return step_to_second_factor(request, user) if is_demanded(memberships) else None


def step_to_second_factor(request: HttpRequest, user: User) -> str | None:
    """Name the page where somebody sets up a second factor, or proves it; None when this session has proved it."""
    types = _types_of(user)
    if not types:
        return "mfa_index"
    if _has_proved(request):
        return None
    return "mfa_reauthenticate" if "totp" in types else "mfa_reauthenticate_webauthn"


def remember_set_up(request: HttpRequest) -> None:
    """Take the session as proved: the second factor was set up in it."""
    request.session[SET_UP_HERE] = True


def use_up_code(request: HttpRequest, user: User) -> None:
    """Take the code that set an app up as used: whoever saw it cannot sign in by it."""
    from allauth.mfa.models import Authenticator  # the adapter is loaded before the models

    app = Authenticator.objects.get(user=user, type=Authenticator.Type.TOTP)
    app.wrap().validate_code(request.POST.get("code", ""))


def is_fresh(request: HttpRequest) -> bool:
    """Tell whether the person proved who they are a short while ago.

    A provider may vouch for somebody who proved it to the provider long ago, unless it was told to ask again.
    """
    vouched = [proof for proof in _proofs(request) if proof.get("method") == "single_sign_on"]
    proofs = [proof for proof in _proofs(request) if proof not in vouched or proof.get("reauthenticated")]
    return bool(proofs) and time.time() - proofs[-1].get("at", 0) < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT


def came_by_passkey(request: HttpRequest, user: User) -> bool:
    """Tell whether the person signed in by a passkey alone."""
    return any(record.get("passwordless") for record in get_authentication_records(request, user))


def offer_passkey_first(response: HttpResponse) -> None:
    """Let the sign-in page of this browser begin with the passkey."""
    lasts = 365 * 86400
    response.set_cookie(
        "passkey", "yes", max_age=lasts, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
    )


def _has_proved(request: HttpRequest) -> bool:
    return SET_UP_HERE in request.session or any(proof.get("method") == "mfa" for proof in _proofs(request))


def _proofs(request: HttpRequest) -> list[dict[str, Any]]:
    return list(get_authentication_records(request, request.user))


def _types_of(user: User) -> set[str]:
    from allauth.mfa.models import Authenticator  # the adapter is loaded before the models

    return set(Authenticator.objects.filter(user=user, type__in=["totp", "webauthn"]).values_list("type", flat=True))


def _sealer() -> Fernet:
    return Fernet(urlsafe_b64encode(digest(env.key("FACTOR_KEY"), b"second factors", sha256)))
