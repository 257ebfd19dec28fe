"""Pages as a browser without JavaScript uses them."""

from __future__ import annotations

import html
import re
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, ProxyHandler, build_opener

from tests.durability.installation import Installation

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')


class Browser:
    """One person's window: it keeps cookies, follows redirects and sends the hidden fields of a form along."""

    def __init__(self, installation: Installation) -> None:
        self.address = f"http://localhost:{installation.port}"
        self._opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(CookieJar()))
        self.fill("/accounts/login/", login=installation.founded["email"], password=installation.founded["password"])

    def open(self, path: str, **query: str) -> str:
        """Open a page and read it."""
        return self._send(f"{path}?{urlencode(query)}" if query else path)

    def fill(self, path: str, **fields: str) -> str:
        """Open a page with a form, fill it in, send it, and read the page that comes then."""
        hidden = {name: html.unescape(value) for name, value in HIDDEN.findall(self.open(path))}
        return self._send(path, urlencode({**hidden, **fields}).encode())

    def _send(self, path: str, content: bytes | None = None) -> str:
        try:
            with self._opener.open(f"{self.address}{path}", content, timeout=30) as answer:
                text: str = answer.read().decode()
        except HTTPError as error:
            if error.code != 422:  # a form that asks again
                raise
            text = error.read().decode()
        return text
