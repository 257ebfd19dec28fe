"""Who calls: the bearer of a key."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.actors import Actor
from accounts.services import authenticate_key


class BearerKey(BaseAuthentication):
    """Turn `Authorization: Bearer mk_<id>_<secret>` into an actor; nothing in a body ever changes who it is."""

    def authenticate(self, request: Request) -> tuple[None, Actor]:
        scheme, _, presented = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        actor = authenticate_key(presented, now=timezone.now()) if scheme.lower() == "bearer" else None
        if actor is None:
            raise AuthenticationFailed
        return None, actor

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'
