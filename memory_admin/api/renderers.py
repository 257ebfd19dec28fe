"""Answers as JSON: plain values in, one line of bytes out."""

from collections.abc import Iterable, Mapping
from typing import Any

import orjson
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

OPTIONS = orjson.OPT_UTC_Z


def dump(value: object) -> bytes:
    """Write a value as JSON; times leave in UTC, ids as text."""
    try:
        return orjson.dumps(value, option=OPTIONS, default=str)
    except TypeError:
        return orjson.dumps(_bounded(value), option=OPTIONS, default=str)


def _bounded(value: object) -> object:
    """Give the nearest double for every whole number that does not fit into 64 bits."""
    match value:
        case int() if not -(2**63) <= value < 2**64:
            return float(value)
        case Mapping():
            return {name: _bounded(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_bounded(inner) for inner in value]
    return value


class OneLineJSON(BaseRenderer):
    """Render plain values with orjson."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return b"" if data is None else dump(data)


class AlwaysJSON(BaseContentNegotiation):
    """Speak JSON to everybody: there is nothing else to choose from."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        declared = (request.content_type or "").split(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == declared), None)

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)
