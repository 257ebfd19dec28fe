"""What a stored policy may contain."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from policies.baseline import BASELINE
from policies.documents import Procedure, ProcedurePolicy, Range, Weights, parse


def content(family: Any) -> dict[str, Any]:
    return BASELINE[family].model_dump(mode="json")


@pytest.mark.parametrize(
    ("family", "path", "value"),
    [
        ("write", ("surprise",), 1),
        ("write", ("schema_version",), 2),
        ("write", ("judge",), "oracle"),
        ("write", ("rules", 0, "outcome"), "allow"),
        ("write", ("rules", 0, "match", "kinds"), ["rumour"]),
        ("write", ("rules", 0, "id"), "W-020"),
        ("write", ("default", "id"), "W-010"),
        ("write", ("dedupe", "near_identical"), 1.5),
        ("retention", ("days", "event", "observed"), 0),
        ("retention", ("days", "event"), {"stated": 1}),
        ("retrieval", ("weights", "similarity"), -0.1),
        ("retrieval", ("weights",), dict.fromkeys(Weights.model_fields, 0)),
        ("retrieval", ("k",), {"default": 60, "maximum": 50}),
        ("retrieval", ("form",), "guess"),
        ("retrieval", ("minimum_score",), float("nan")),
        ("access", ("default", "match", "kinds"), ["fact"]),
        ("access", ("rules", 1, "id"), "A-010"),
        ("access", ("staff", "admin"), "everything"),
    ],
)  # fmt: skip
def test_content_that_does_not_fit_is_refused(family: Any, path: tuple[Any, ...], value: Any) -> None:
    changed = content(family)
    place: Any = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value

    with pytest.raises(ValidationError):
        parse(family, changed)


def test_a_range_needs_an_end_and_runs_forward() -> None:
    with pytest.raises(ValidationError):
        Range()
    with pytest.raises(ValidationError):
        Range(at_least=2, below=1)


def test_a_procedure_name_is_used_once() -> None:
    one = Procedure(name="refund", title="How to refund", text="Ask first.", owner="payments")

    with pytest.raises(ValidationError):
        ProcedurePolicy(procedures=(one, one))


def test_a_rule_is_told_by_its_title() -> None:
    write: Any = BASELINE["write"]

    assert write.title_of("W-310") == "You said it yourself"
    assert write.title_of("W-999") == "No rule allows it"
    assert write.title_of("W-555") is None
