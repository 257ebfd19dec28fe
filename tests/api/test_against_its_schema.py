"""The API against its own schema: what a machine makes of it."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from accounts.models import Subject
from memory_admin.api import conf
from memory_admin.api.schema import document
from tests.api.cast import Caller

SCHEMA = schemathesis.openapi.from_dict(document())
FOUND: list[Any] = [found.ok() for found in SCHEMA.get_all_operations()]  # type: ignore[union-attr]
OPERATIONS = {operation.label: operation for operation in FOUND}


@pytest.fixture(scope="module")
def application(django_db_setup: None, django_db_blocker: Any) -> Any:
    """Start the application as a web process does, before a test holds the connection."""
    with django_db_blocker.unblock():
        from memory_admin.wsgi import application
    return application


@pytest.fixture
def _kept_connection() -> Iterator[None]:
    """Keep the test's transaction open between two requests, as Django's own test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.usefixtures("_kept_connection")
@pytest.mark.parametrize("label", sorted(OPERATIONS))
def test_made_up_requests_are_answered_as_the_schema_says(
    application: Any, helper: Caller, alice: Subject, monkeypatch: pytest.MonkeyPatch, label: str
) -> None:
    monkeypatch.setattr(conf, "REQUESTS_PER_MINUTE", 1_000_000)
    monkeypatch.setattr(conf, "READS_OF_ONE_SUBJECT_PER_MINUTE", 1_000_000)

    @given(case=OPERATIONS[label].as_strategy())
    @settings(
        max_examples=10,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def call(case: Any) -> None:
        answered = case.call(app=application, headers={"Authorization": f"Bearer {helper.key}"})
        assert answered.status_code < 500
        case.validate_response(answered, checks=[status_code_conformance, response_schema_conformance])

    call()
