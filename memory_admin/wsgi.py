"""What the web server runs."""

import os
from io import BytesIO
from typing import Any

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import parse_header_parameters

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_admin.settings")


class Utf8Request(WSGIRequest):
    """A request that is read as UTF-8, whatever charset it claims.

    Django would try any codec that Python knows, compression included, before a middleware can refuse it.
    """

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))


class Handler(WSGIHandler):
    """Django's handler for such requests, whose bodies may also come in chunks."""

    request_class = Utf8Request

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        if "HTTP_TRANSFER_ENCODING" in environ:
            _tell_length(environ)
        return super().__call__(environ, start_response)

    def get_response(self, request: HttpRequest) -> HttpResponseBase:
        response = super().get_response(request)
        if request.method == "HEAD" and isinstance(response, HttpResponse):
            response.content = b""  # its length stays told; the server would warn of every body that it drops
        return response


def _tell_length(environ: dict[str, Any]) -> None:
    """Read a body that came in chunks: Django takes one whose length is not told for none."""
    try:
        body = environ["wsgi.input"].read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    except OSError:  # what the server raises when the chunks are none, or end early
        body = b""
    environ |= {"CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body)}


django.setup(set_prefix=False)
application = Handler()

from memory_admin.boot import boot  # noqa: E402 (needs the apps)

boot()
