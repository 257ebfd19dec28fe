"""What the web server runs."""

import os
from typing import Any

import django
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.utils.http import parse_header_parameters

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_admin.settings")


class Utf8Request(WSGIRequest):
    """A request that is read as UTF-8, whatever charset it claims.

    Django would try any codec that Python knows, compression included, before a middleware can refuse it.
    """

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))


class Utf8Handler(WSGIHandler):
    """Django's handler for such requests."""

    request_class = Utf8Request


django.setup(set_prefix=False)
application = Utf8Handler()

from memory_admin.boot import boot  # noqa: E402 (needs the apps)

boot()
