"""Logs that cannot carry what people wrote: a database error quotes the row it was about."""

from __future__ import annotations

import logging
import traceback
from types import TracebackType

import orjson

from memory_admin import audit

# Whatever else somebody attaches to a record stays out of the log.
KEYS = (
    "action",
    "agent_id",
    "attempts",
    "code",
    "count",
    "duration_ms",
    "epoch",
    "job",
    "job_id",
    "method",
    "object_id",
    "request_id",
    "route",
    "status",
    "tenant_id",
)


class SafeFormatter(logging.Formatter):
    """One JSON object a line: time, level, logger, message, request, the keys of the list, and errors without text."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _said(record),
        }
        if request_id := audit.request_id():
            line["request_id"] = request_id
        line.update({key: str(value) for key in KEYS if (value := getattr(record, key, None)) is not None})
        if record.exc_info and record.exc_info[0]:
            line["error"] = describe_error(record.exc_info)
        return orjson.dumps(line).decode()


def describe_error(
    error: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
) -> list[str]:
    """Tell the kind of an error and where it was raised, never its text."""
    kind, value, trace = error
    if kind is None or value is None:
        return []
    chain: list[str] = []
    current: BaseException | None = value
    while current is not None and len(chain) < 5:
        state = getattr(current, "sqlstate", None)
        chain.append(f"{type(current).__module__}.{type(current).__name__}" + (f" [{state}]" if state else ""))
        current = current.__cause__ or current.__context__
    frames = traceback.extract_tb(trace)[-12:]
    return chain + [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]


def _said(record: logging.LogRecord) -> str:
    """Give the message; arguments that are errors are named by kind only."""
    args = record.args
    if isinstance(args, tuple):
        args = tuple(_kind(arg) for arg in args)
    elif isinstance(args, dict):
        args = {name: _kind(arg) for name, arg in args.items()}
    message = record.msg if isinstance(record.msg, str) else str(_kind(record.msg))
    try:
        return message % args if args else message
    except (TypeError, ValueError):
        return message


def _kind(value: object) -> object:
    return type(value).__name__ if isinstance(value, BaseException) else value
