"""A real OpenID Connect provider on the loopback: discovery, keys, authorisation, tokens, and who somebody is.

It keeps the rules of the protocol that protect its people, and says of them what a test wants it to say.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT_ID, SECRET = "memory-admin", "a secret: with odd characters / %"


def new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass
class IdentityProvider:
    """What it knows, and how it may be made to lie."""

    address: str
    key: rsa.RSAPrivateKey = field(default_factory=new_key)
    signs_with: rsa.RSAPrivateKey | None = None
    algorithm: str = "RS256"
    person: dict[str, Any] = field(default_factory=dict)
    claims: dict[str, Any] = field(default_factory=dict)
    userinfo: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def authorise(self, query: dict[str, str]) -> str:
        """Take the question of a browser whose person is signed in here, and send it back with a code."""
        self.asked = query
        assert query["client_id"] == CLIENT_ID
        assert query["response_type"] == "code"
        assert query["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def redeem(self, form: dict[str, str], authorization: str) -> dict[str, Any] | None:
        """Give the tokens for a code, once, to the client that asked for it."""
        told = b64decode(authorization.removeprefix("Basic ")).decode().split(":")
        question = self.codes.pop(form.get("code", ""), None)
        challenge = urlsafe_b64encode(sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
        if (
            question is None
            or [unquote(part) for part in told] != [CLIENT_ID, SECRET]
            or challenge != question["code_challenge"]
            or form["redirect_uri"] != question["redirect_uri"]
        ):
            return None
        return {"access_token": "opaque", "token_type": "Bearer", "id_token": self.id_token(question)}

    def id_token(self, question: dict[str, str]) -> str:
        now = int(time.time())
        claims = {"iss": self.address, "aud": CLIENT_ID, "iat": now, "exp": now + 300, "nonce": question["nonce"]}
        claims |= {"auth_time": now} if "max_age" in question else {}
        claims |= self.person | self.claims
        signer: Any = "a" * 40 if self.algorithm == "HS256" else None if self.algorithm == "none" else self.key
        claims = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode(claims, self.signs_with or signer, algorithm=self.algorithm, headers={"kid": "one"})

    @property
    def description(self) -> dict[str, Any]:
        pages = {"authorization": "authorise", "token": "token", "userinfo": "userinfo"}
        return {
            "issuer": self.address,
            "jwks_uri": f"{self.address}/keys",
            **{f"{name}_endpoint": f"{self.address}/{page}" for name, page in pages.items()},
        }

    @property
    def keys(self) -> dict[str, Any]:
        public = jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        return {"keys": [{**public, "kid": "one", "use": "sig", "alg": "RS256"}]}


@contextmanager
def identity_provider() -> Iterator[IdentityProvider]:
    """Run one."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            match parts.path:
                case "/.well-known/openid-configuration":
                    self.say(running.description)
                case "/keys":
                    self.say(running.keys)
                case "/userinfo" if self.headers["Authorization"] == "Bearer opaque":
                    self.say(running.userinfo)
                case "/authorise":
                    self.send_response(302)
                    self.send_header("Location", running.authorise(query))
                    self.end_headers()
                case _:
                    self.send_error(404)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self.say(running.redeem(form, self.headers["Authorization"]))

        def say(self, told: dict[str, Any] | None) -> None:
            self.send_response(200 if told is not None else 400)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(told or {"error": "invalid_grant"}).encode())

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running = IdentityProvider(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
