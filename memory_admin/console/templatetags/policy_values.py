"""Template filters for values of policies."""

import json
import re
from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def as_json(value: Any) -> str:
    """Write a value as JSON over several lines."""
    return json.dumps(value, indent=2, ensure_ascii=False)


@register.filter
def as_line(value: Any) -> str:
    """Write a value as JSON in one line."""
    return json.dumps(value, ensure_ascii=False)


@register.filter
def item(values: Mapping[str, Any], name: str) -> Any:
    """Give one of several values, by name."""
    return values.get(name)


@register.filter
def field_id(path: str) -> str:
    """Name the element of the field at a path: letters, digits and hyphens only."""
    return "f-" + re.sub(r"[^a-zA-Z0-9]+", "-", path).strip("-")
