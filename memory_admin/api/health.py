"""Whether the service lives and is ready; asked by load balancers, told without a key."""

from __future__ import annotations

from typing import Any, Final

from celery import current_app
from django.db import DatabaseError, connection
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memory_admin.api.views import OpenView

BROKER_TIMEOUT: Final = 2  # seconds

_DATABASE = """
    SELECT has_function_privilege('audit_append(uuid, bytea[], bytea[], text[])', 'EXECUTE')
           AND NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off',
           outbox_lag()
"""


class LivenessOut(serializers.Serializer[Any]):
    """The process answers."""

    status = serializers.ChoiceField(["alive"])


class ReadinessOut(serializers.Serializer[Any]):
    """What the process needs."""

    status = serializers.ChoiceField(["ready", "degraded", "not_ready"])
    database = serializers.BooleanField()
    audit_writable = serializers.BooleanField()
    broker = serializers.BooleanField(help_text="Without it nothing is lost: jobs wait in the outbox.")
    outbox_lag_seconds = serializers.FloatField(allow_null=True)


class Livez(OpenView):
    """GET /livez: tell that the process answers."""

    answers = {200: LivenessOut}

    def get(self, request: Request) -> Response:
        return Response({"status": "alive"})


class Readyz(OpenView):
    """GET /readyz: tell whether the process can serve.

    Not ready without the database or a writable audit trail; degraded without the broker.
    """

    answers = {200: ReadinessOut, 503: ReadinessOut}

    def get(self, request: Request) -> Response:
        audit_writable, lag = _ask_database()
        broker = _broker_answers()
        ready = lag is not None and audit_writable
        status = "not_ready" if not ready else "ready" if broker else "degraded"
        found = {
            "status": status,
            "database": lag is not None,
            "audit_writable": audit_writable,
            "broker": broker,
            "outbox_lag_seconds": lag,
        }
        return Response(found, status=200 if ready else 503)


def _ask_database() -> tuple[bool, float | None]:
    try:
        with connection.cursor() as cursor:
            cursor.execute(_DATABASE)
            audit_writable, lag = cursor.fetchone()
    except DatabaseError:
        return False, None
    return audit_writable, round(lag, 1)


def _broker_answers() -> bool:
    try:
        with current_app.connection_for_write(connect_timeout=BROKER_TIMEOUT) as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=BROKER_TIMEOUT)
    except Exception:  # whatever its transport raises
        return False
    return True
