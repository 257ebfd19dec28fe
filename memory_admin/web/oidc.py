"""Sign-in by an OpenID Connect provider: the authorisation code flow with PKCE.

OpenID Connect Core 1.0, sections 3.1 and 3.1.3.7; RFC 7636. The ID token is believed for its signature alone, whatever
way it came; the nonce and the state tie it to the browser that asked.
"""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from hmac import compare_digest
from typing import Any
from urllib.parse import quote, urlencode

import jwt
import requests

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
LEEWAY = 60  # seconds that two clocks may differ
PATIENCE = 5  # seconds for each answer of the provider
FRESH = 300  # seconds since somebody proved to the provider who they are, when asked to


class Refused(Exception):
    """The provider's answer does not sign anybody in; the code says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Provider:
    """A provider that the operator trusts, and how we are known to it."""

    issuer: str
    client_id: str
    secret: str
    name: str
    tenant_slug: str


@dataclass(frozen=True)
class Asked:
    """What the browser's session keeps between the question and the answer."""

    state: str
    nonce: str
    verifier: str
    again: bool


@dataclass(frozen=True)
class Claims:
    """What the provider says of somebody: its own name for them, and an e-mail address if it has verified one."""

    subject: str
    email: str | None


def ask(provider: Provider, *, callback: str, again: bool) -> tuple[str, Asked]:
    """Make a question, and the address that asks it.

    :param again: whether the person is to prove anew who they are, even if the provider knows them
    :raises Refused: the provider does not answer as one
    """
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    asked = Asked(state, nonce, verifier, again)
    question = {
        "response_type": "code",
        "client_id": provider.client_id,
        "redirect_uri": callback,
        "scope": "openid email",
        "state": asked.state,
        "nonce": asked.nonce,
        "code_challenge": urlsafe_b64encode(sha256(asked.verifier.encode()).digest()).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
    }
    if again:
        question |= {"prompt": "login", "max_age": "0"}
    page = str(_described(provider)["authorization_endpoint"])
    return f"{page}{'&' if '?' in page else '?'}{urlencode(question)}", asked


def read_answer(provider: Provider, asked: Asked, *, state: str, code: str, callback: str, now: float) -> Claims:
    """Turn the answer that came with the browser into what the provider says of the person.

    :param now: seconds since 1970
    :raises Refused: it answers another question, is not the provider's, is too old, or says too little
    """
    if not compare_digest(state.encode(), asked.state.encode()):
        raise Refused("state")
    if not code:
        raise Refused("no_code")
    tokens = _redeem(provider, asked, code, callback)
    claims = _verified(provider, str(tokens.get("id_token", "")))
    if not compare_digest(str(claims.get("nonce", "")).encode(), asked.nonce.encode()):
        raise Refused("nonce")
    if asked.again and now - _seconds(claims.get("auth_time")) > FRESH:
        raise Refused("not_fresh")
    if "email" not in claims:
        claims |= _about_the_person(provider, claims["sub"], str(tokens.get("access_token", "")))
    is_verified = claims.get("email_verified") in (True, "true")
    return Claims(claims["sub"], str(claims["email"]) if is_verified and claims.get("email") else None)


def _redeem(provider: Provider, asked: Asked, code: str, callback: str) -> dict[str, Any]:
    described = _described(provider)
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": callback,
        "code_verifier": asked.verifier,
    }
    methods = described.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    basic = None
    if "client_secret_basic" in methods:
        basic = (quote(provider.client_id, safe=""), quote(provider.secret, safe=""))  # RFC 6749, 2.3.1
    else:
        form |= {"client_id": provider.client_id, "client_secret": provider.secret}
    return _answer("POST", str(described["token_endpoint"]), data=form, auth=basic)


def _verified(provider: Provider, token: str) -> dict[str, Any]:
    try:
        key = _keys(str(_described(provider)["jwks_uri"])).get_signing_key_from_jwt(token)
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=ALGORITHMS,
            issuer=provider.issuer,
            audience=provider.client_id,
            leeway=LEEWAY,
            options={"require": ["iss", "sub", "aud", "exp", "iat"]},
        )
    except jwt.PyJWTError as error:
        raise Refused("id_token") from error
    audiences = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    if claims.get("azp", provider.client_id if len(audiences) == 1 else None) != provider.client_id:
        raise Refused("audience")
    return claims


def _about_the_person(provider: Provider, subject: str, access_token: str) -> dict[str, Any]:
    endpoint = _described(provider).get("userinfo_endpoint")
    if not endpoint:
        return {}
    told = _answer("GET", str(endpoint), headers={"Authorization": f"Bearer {access_token}"})
    if told.get("sub") != subject:
        raise Refused("userinfo")
    return {name: told[name] for name in ("email", "email_verified") if name in told}


def _described(provider: Provider) -> dict[str, Any]:
    described = _discovered(provider.issuer)
    if described.get("issuer") != provider.issuer:
        _discovered.cache_clear()
        raise Refused("issuer")
    return described


@cache
def _discovered(issuer: str) -> dict[str, Any]:
    described = _answer("GET", f"{issuer.rstrip('/')}/.well-known/openid-configuration")
    if not all(described.get(name) for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")):
        raise Refused("discovery")
    return described


@cache
def _keys(address: str) -> jwt.PyJWKClient:
    return jwt.PyJWKClient(address, lifespan=600, timeout=PATIENCE)


def _answer(method: str, address: str, **more: Any) -> dict[str, Any]:
    try:
        answer = requests.request(method, address, timeout=PATIENCE, allow_redirects=False, **more)
        told = answer.json() if answer.status_code == 200 else None
    except (requests.RequestException, ValueError) as error:
        raise Refused("unreachable") from error
    if not isinstance(told, dict):
        raise Refused("answer")
    return told


def _seconds(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
