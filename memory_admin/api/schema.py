"""The OpenAPI document of every operation, and the page that shows it."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, URLResolver
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import EndpointEnumerator, SchemaGenerator
from rest_framework.response import Response

from memory_admin.api.views import OpenView


class _Enumerator(EndpointEnumerator):
    def _get_api_endpoints(self, patterns: list[Any] | None, prefix: str) -> list[tuple[str, str, str, Any]]:
        found = []
        for pattern in patterns or self.patterns or []:
            regex = prefix + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                found += self._get_api_endpoints(pattern.url_patterns, regex)
            elif isinstance(pattern, URLPattern):
                views = getattr(pattern.callback, "operations", {})
                path = self.get_path_from_regex(regex)  # type: ignore[no-untyped-call]
                found += [(path, regex, method, view.as_view()) for method, view in views.items() if view.schema]
        return found


class Generator(SchemaGenerator):
    """Finds the operations behind each address."""

    endpoint_inspector_cls = _Enumerator


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Tells the schema how a key is presented."""

    target_class = "memory_admin.api.authentication.BearerKey"
    name = "key"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "mk_<id>_<secret>"}


@cache
def document() -> dict[str, Any]:
    """Build the OpenAPI document of every operation, once a process."""
    built: dict[str, Any] = Generator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return built


class Schema(OpenView):
    """GET /api/schema/: this document."""

    schema = None  # type: ignore[assignment]

    def get(self, request: Any) -> Response:
        return Response(document())


def docs(request: HttpRequest) -> HttpResponse:
    """Show the schema as a page that loads nothing from another host."""
    return render(request, "api/docs.html")
