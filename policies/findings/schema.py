"""What is wrong with the form of a policy, in plain words. Pure."""

from __future__ import annotations

from typing import Any

import pydantic

from policies import wording
from policies.findings.finding import Finding


def schema_findings(error: pydantic.ValidationError) -> list[Finding]:
    """Tell of each field that does not fit."""
    return [
        Finding("does_not_fit", "error", _path(one["loc"]), f"{place(one['loc'])}: {problem(dict(one))}.")
        for one in error.errors(include_url=False)
    ]


def problem(found: dict[str, Any]) -> str:
    """Say what is wrong with one value, from what pydantic found, without the place and the full stop."""
    kind, ctx = found["type"], found.get("ctx", {})
    if kind == "value_error":
        return str(ctx["error"])
    if kind in PLAIN:
        return PLAIN[kind]
    if kind in LIMITS:
        words, name = LIMITS[kind]
        limit = ctx[name]
        return words.format(wording.number(limit) if isinstance(limit, int | float) else limit)
    return str(found["msg"])[0].lower() + str(found["msg"])[1:]


def _path(loc: tuple[int | str, ...]) -> str:
    path = ""
    for step in loc:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    return path


def place(loc: tuple[int | str, ...]) -> str:
    """Name a place in a typed text: “Rules, number 3, match, kinds”."""
    words: list[str] = []
    for step in loc:
        if isinstance(step, int):
            words.append(f"number {step + 1}")
        else:
            words.append(wording.name(step))
    named = ", ".join(words) or "the policy"
    return named[0].upper() + named[1:]


PLAIN = {
    "missing": "something must stand here",
    "extra_forbidden": "there is no such field",
    "int_type": "this must be a whole number",
    "int_parsing": "this must be a whole number",
    "int_from_float": "this must be a whole number",
    "float_type": "this must be a number",
    "float_parsing": "this must be a number",
    "finite_number": "this must be a number with an end",
    "bool_type": "this must be yes or no",
    "bool_parsing": "this must be yes or no",
    "string_type": "this must be a text",
    "tuple_type": "this must be a list",
    "frozen_set_type": "this must be a list",
    "model_type": "this must be a group of fields",
    "model_attributes_type": "this must be a group of fields",
    "dict_type": "this must be a group of fields",
    "string_pattern_mismatch": "this is not written as it must be: letters, digits and underscores without spaces, "
    "or a rule number such as W-100",
}
LIMITS = {
    "literal_error": ("this must be {}", "expected"),
    "greater_than_equal": ("this must be at least {}", "ge"),
    "less_than_equal": ("this must be at most {}", "le"),
    "string_too_short": ("this must have at least {} characters", "min_length"),
    "string_too_long": ("this must have at most {} characters", "max_length"),
}
