"""Every operation of the API, and addresses to call it by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import URLPattern

from accounts.models import Subject
from memory_admin.api.urls import version_1
from memory_admin.api.views import AgentView, OpenView
from tests.api.cast import Caller, refund
from tests.in_force import put_in_force

NO_ID = "00000000-0000-7000-8000-000000000000"


@dataclass(frozen=True)
class Operation:
    """One method of one address."""

    method: str
    path: str
    view: type[OpenView]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def needs_key(self) -> bool:
        return issubclass(self.view, AgentView)

    @property
    def names_a_row(self) -> bool:
        return "<" in self.path

    def call(self, caller: Caller, rows: dict[str, str]) -> Any:
        """Call it about these rows, with the example of its docs."""
        path = self.path
        for name, value in rows.items():
            path = path.replace(name, value)
        assert "<" not in path, path
        if self.view.filters and self.view.example:
            path = f"{path}?{urlencode(self.view.example)}"
        return caller.call(self.method, path, self.view.example if self.view.reads else None, If_Match='"1"')


def operations() -> Iterator[Operation]:
    """Find every operation."""
    for pattern in version_1:
        assert isinstance(pattern, URLPattern)
        for method, view in pattern.callback.operations.items():  # type: ignore[attr-defined]
            yield Operation(method, f"/{pattern.pattern}", view)


def rows(caller: Caller, subject: Subject, statement: str = "Prefers a window seat.") -> dict[str, str]:
    """Make one row for every part of an address, all about one subject, and name them."""
    about = {"subject": subject.ref, "origin": "stated"}
    memory = caller.post("/memories", {**about, "kind": "preference", "statement": statement}).json()
    doomed = caller.post("/memories", {**about, "kind": "fact", "statement": f"Once said: {statement}"}).json()
    erasure = caller.delete(f"/memories/{doomed['id']}").json()
    caller.put(f"/subjects/{subject.ref}/profile/timezone", {"value": "Europe/Oslo"})
    put_in_force(subject.tenant_id, "procedure", refund())
    found = caller.post("/memories/search", {"subject": subject.ref, "query": "seat", "purpose": "assist"}).json()
    return {
        "<uuid:memory_id>": memory["id"],
        "<uuid:decision_id>": memory["decision_id"],
        "<uuid:erasure_id>": erasure["id"],
        "<uuid:retrieval_id>": found["retrieval_id"],
        "<str:ref>": subject.ref,
        "<str:key>": "timezone",
        "<str:name>": "refund",
    }


def no_rows() -> dict[str, str]:
    """Name rows that do not exist."""
    ids = {f"<uuid:{name}_id>": NO_ID for name in ("memory", "decision", "erasure", "retrieval")}
    return {**ids, "<str:ref>": "user:nobody", "<str:key>": "timezone", "<str:name>": "no_such_procedure"}
