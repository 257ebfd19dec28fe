import json
from pathlib import Path
from typing import Any

import pytest
from drf_spectacular.drainage import GENERATOR_STATS
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from accounts.models import Subject
from memory_admin.api.schema import Generator, document
from tests.api.cast import Caller, Organisation, anonymous
from tests.api.operations import Operation, operations, rows

SNAPSHOT = Path(__file__).resolve().parents[2] / "docs" / "openapi.json"
ALL = list(operations())


def plain() -> dict[str, Any]:
    """The document as JSON says it."""
    built: dict[str, Any] = json.loads(json.dumps(document()))
    return built


def test_the_snapshot_is_current() -> None:
    assert json.loads(SNAPSHOT.read_text()) == plain(), (
        "Run: manage.py spectacular --format openapi-json --file docs/openapi.json"
    )


def test_the_schema_is_made_without_a_warning() -> None:
    GENERATOR_STATS.reset()

    Generator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]

    assert not GENERATOR_STATS._warn_cache
    assert not GENERATOR_STATS._error_cache


def test_every_operation_stands_in_the_schema() -> None:
    described = {
        (method.upper(), path.removeprefix("/api/v1"))
        for path, methods in plain()["paths"].items()
        for method in methods
    }

    assert described == {(one.method, _braced(one.path)) for one in ALL}


def test_the_schema_and_its_page_are_served_without_a_foreign_host(db: None) -> None:
    assert anonymous("GET", "/api/schema/").json()["openapi"].startswith("3.1")
    page = anonymous("GET", "/api/docs/").content.decode()
    assert "swagger-ui-bundle.js" in page
    assert "http://" not in page
    assert "https://" not in page
    assert "<style" not in page
    assert "<script>" not in page


@pytest.mark.parametrize("operation", ALL, ids=str)
def test_the_example_of_an_operation_works_and_its_answer_is_as_the_schema_says(
    north: Organisation, helper: Caller, alice: Subject, operation: Operation
) -> None:
    north.subject("user:u-817")  # the one that the examples are about

    answered = operation.call(helper, rows(helper, alice))

    described = plain()["paths"][f"/api/v1{_braced(operation.path)}"][operation.method.lower()]["responses"]
    assert 200 <= answered.status_code < 300
    assert str(answered.status_code) in described
    schema = described[str(answered.status_code)]["content"]["application/json"]["schema"]
    whole = {**schema, "components": _closed(plain()["components"])}
    assert [error.message for error in Draft202012Validator(whole).iter_errors(answered.json())] == []


def test_a_problem_is_as_the_schema_says(helper: Caller) -> None:
    answered = helper.post("/memories", {"colour": "red"})

    whole = {"$ref": "#/components/schemas/ProblemDocument", "components": _closed(plain()["components"])}
    assert [error.message for error in Draft202012Validator(whole).iter_errors(answered.json())] == []


def _braced(path: str) -> str:
    for converter in ("uuid:", "str:"):
        path = path.replace(f"<{converter}", "{")
    return path.replace(">", "}")


def _closed(components: dict[str, Any]) -> dict[str, Any]:
    """Let no answer hold a field that its schema does not name."""
    for schema in components["schemas"].values():
        if "properties" in schema and "additionalProperties" not in schema:
            schema["additionalProperties"] = False
    return components
