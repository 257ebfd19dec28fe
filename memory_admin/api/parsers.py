"""Request bodies: JSON in UTF-8 and nothing else."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser

from memory_admin.api import strict_json
from memory_admin.api.problems import Problem
from memory_admin.api.strict_json import MOST_BYTES, NotStrict


class StrictJSONParser(BaseParser):
    """Read one JSON object; see :func:`memory_admin.api.strict_json.parse`."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        try:
            return strict_json.parse(_read(stream))
        except NotStrict as refused:
            raise Problem(400, refused.code, refused.sentence) from None


def _read(stream: IO[bytes]) -> bytes:
    raw = stream.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise Problem(413, "body_too_large", f"The body is larger than {MOST_BYTES // 1024} KB.")
    return raw
