"""Nothing that people wrote gets into a line of the log, whatever a record carries."""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

import pytest
from django.db import IntegrityError
from psycopg.errors import CheckViolation

from memory_admin.logs import SafeFormatter

CANARY = "Zygomorphic"


def line(message: object, *args: object, error: BaseException | None = None, **extra: object) -> dict[str, Any]:
    """Format one record and read the line."""
    info = (type(error), error, error.__traceback__) if error is not None else None
    record = logging.LogRecord("a.logger", logging.ERROR, __file__, 1, message, args, info)
    vars(record).update(extra)
    written = SafeFormatter().format(record)
    assert CANARY not in written
    read: dict[str, Any] = json.loads(written)
    return read


def quoting() -> BaseException:
    """Raise an error of the database that quotes a row, as Django passes it on, and catch it."""
    try:
        try:
            raise CheckViolation(f"new row violates a constraint\nDETAIL:  Failing row contains ({CANARY}).")
        except CheckViolation as error:
            raise IntegrityError(str(error)) from error
    except IntegrityError as error:
        return error


def test_a_line_says_when_how_bad_where_and_what() -> None:
    written = line("saved %s of %s", 3, "memories")

    assert written.pop("at")
    assert written == {"level": "error", "logger": "a.logger", "message": "saved 3 of memories"}


def test_an_error_is_told_by_its_kinds_and_its_place() -> None:
    written = line("request failed", error=quoting())

    assert written["error"][:2] == ["django.db.utils.IntegrityError", "psycopg.errors.CheckViolation [23514]"]
    assert written["error"][2].endswith("quoting")


@pytest.mark.parametrize("error", [quoting(), ValueError(f"not a date: {CANARY}"), KeyError(CANARY)])
def test_an_error_in_the_message_is_told_by_its_kind(error: BaseException) -> None:
    kind = type(error).__name__

    assert line("it failed: %s", error)["message"] == f"it failed: {kind}"
    assert line("it failed: %(why)s", {"why": error})["message"] == f"it failed: {kind}"
    assert line(error)["message"] == kind


def test_what_else_is_attached_stays_out() -> None:
    written = line("request failed", statement=CANARY, request_id="r-1", code="conflict")

    assert written["request_id"] == "r-1"
    assert "statement" not in written


def test_a_message_that_does_not_fit_its_arguments_is_written_without_them() -> None:
    assert line("%d memories", CANARY)["message"] == "%d memories"


def test_the_error_in_flight_is_no_different() -> None:
    try:
        raise ValueError(CANARY)
    except ValueError:
        record = logging.LogRecord("a.logger", logging.ERROR, __file__, 1, "failed", (), sys.exc_info())

    assert CANARY not in SafeFormatter().format(record)
