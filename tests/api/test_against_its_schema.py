"""The API against its own schema: what a machine makes of it."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from accounts.models import Subject
from memory_admin.api import conf
from memory_admin.api.schema import document
from memory_admin.wsgi import application
from tests.api.cast import Caller

SCHEMA = schemathesis.openapi.from_dict(document())
FOUND: list[Any] = [found.ok() for found in SCHEMA.get_all_operations()]  # type: ignore[union-attr]
OPERATIONS = {operation.label: operation for operation in FOUND}


@pytest.mark.parametrize("label", sorted(OPERATIONS))
def test_made_up_requests_are_answered_as_the_schema_says(
    helper: Caller, alice: Subject, monkeypatch: pytest.MonkeyPatch, label: str
) -> None:
    monkeypatch.setattr(conf, "REQUESTS_PER_MINUTE", 1_000_000)
    monkeypatch.setattr(conf, "READS_OF_ONE_SUBJECT_PER_MINUTE", 1_000_000)

    @given(case=OPERATIONS[label].as_strategy())
    @settings(
        max_examples=10,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def call(case: Any) -> None:
        answered = case.call(app=application, headers={"Authorization": f"Bearer {helper.key}"})
        assert answered.status_code < 500
        case.validate_response(answered, checks=[status_code_conformance, response_schema_conformance])

    call()
