"""Template filters for values of policies."""

import json
import re
from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from memory_admin.console import policy_words
from memory_admin.memories.services.apply_retention import Effect
from policies.models import PolicyTestRun

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
def results(run: PolicyTestRun) -> str:
    """Say what came of a run of the tests."""
    return policy_words.results_of(run)


@register.filter
def at_once(effect: Effect) -> str:
    """Say how many memories a retention policy would delete at once."""
    return policy_words.ending(effect.ends_now)


@register.filter
def later(effect: Effect) -> str:
    """Say what else a retention policy would do to what is stored."""
    sooner = effect.shortened - effect.ends_now
    return policy_words.changing(sooner, effect.lengthened, is_more=bool(effect.ends_now))


@register.filter
def field_id(path: str) -> str:
    """Name the element of the field at a path: letters, digits and hyphens only."""
    return "f-" + re.sub(r"[^a-zA-Z0-9]+", "-", path).strip("-")


@register.simple_tag
def reader_at(place: str, *parts: object) -> SafeString:
    """Let the reader begin at an element if it is the one that is named, such as ``f-rules-3``."""
    is_here = place == "-".join(str(part) for part in parts)
    return mark_safe('tabindex="-1" autofocus' if is_here else "")  # noqa: S308  # our own words
