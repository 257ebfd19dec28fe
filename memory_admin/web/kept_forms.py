"""A form that came when its sender had to sign in first, kept until they are back: what somebody typed is not lost.

It lies in the cache for half an hour, one for each person, sealed with a key that only their browser has: no dump, log
or file of a broker can tell what was typed. It is shown to the person alone who had signed in with that browser.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from accounts.models import User
from memory_admin.web.referring import referring_page

KEPT_FOR = timedelta(minutes=30)
LARGEST = 65_536  # bytes, sealed
REMEMBERED_FOR = timedelta(days=90)
KEY = f"{settings.COOKIE_PREFIX}kept-form"
OWNER = f"{settings.COOKIE_PREFIX}signed-in-before"


@dataclass(frozen=True)
class KeptForm:
    """Where a form was going, the page it was on, and what was in it."""

    action: str
    page: str
    fields: list[tuple[str, str]]

    @property
    def texts(self) -> list[str]:
        """Give what somebody typed in words, to be shown."""
        return [value for _, value in self.fields if " " in value.strip()]


def remember(response: HttpResponse, user: User) -> None:
    """Let the browser know whose forms it may keep."""
    _set(response, OWNER, signing.dumps(str(user.id), salt=OWNER), REMEMBERED_FOR)


def keep(request: HttpRequest) -> str | None:
    """Seal the form of this request and put it by.

    A password is never kept: it would be shown, and lie in the page.

    :return: the key for :func:`hand_over`; None when there is nothing to keep, nobody to keep it for, or too much of it
    """
    owner = _owner(request)
    fields = [(name, value) for name, values in request.POST.lists() for value in values if not name.startswith("csrf")]
    if owner is None or request.method != "POST" or any("password" in name for name, _ in fields):
        return None
    key = Fernet.generate_key()
    sealed = Fernet(key).encrypt(json.dumps([request.get_full_path(), referring_page(request), fields]).encode())
    if len(sealed) > LARGEST:
        return None
    cache.set(_name(owner), sealed, KEPT_FOR.total_seconds())
    return key.decode()


def hand_over(response: HttpResponse, key: str) -> None:
    """Give the browser the key of the form that was put by."""
    _set(response, KEY, key, KEPT_FOR)


def kept(request: HttpRequest) -> KeptForm | None:
    """Give the form that was put by for whoever is signed in now, if it is there and theirs."""
    owner = _owner(request)
    sealed = cache.get(_name(owner)) if owner else None
    if sealed is None or owner != str(request.user.pk):
        return None
    try:
        action, page, fields = json.loads(Fernet(request.COOKIES.get(KEY, "")).decrypt(sealed))
    except (InvalidToken, ValueError):
        return None
    return KeptForm(action, page, [(name, value) for name, value in fields])


def forget(request: HttpRequest, response: HttpResponse) -> None:
    """Forget the form that was put by."""
    if owner := _owner(request):
        cache.delete(_name(owner))
    response.delete_cookie(KEY)


def _owner(request: HttpRequest) -> str | None:
    """Tell who is signed in, or was last with this browser."""
    if request.user.is_authenticated:
        return str(request.user.pk)
    try:
        return str(signing.loads(request.COOKIES.get(OWNER, ""), salt=OWNER, max_age=REMEMBERED_FOR))
    except signing.BadSignature:
        return None


def _name(owner: str) -> str:
    return f"kept-form:{sha256(owner.encode()).hexdigest()}"


def _set(response: HttpResponse, name: str, value: Any, lasts: timedelta) -> None:
    response.set_cookie(
        name, value, max_age=lasts, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
    )
