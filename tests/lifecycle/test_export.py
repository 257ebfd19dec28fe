"""Copies to take away: what they hold equals the database, they go with an erasure, and come in again as they were."""

from __future__ import annotations

import csv
import json
from base64 import b64decode
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from io import BytesIO, StringIO
from typing import Any
from zipfile import ZipFile

import pytest
import rfc8785

from accounts.actors import Actor
from memory_admin.audit import signing
from memory_admin.audit.models import Event
from memory_admin.errors import Invalid, NotFound
from memory_admin.lifecycle import services
from memory_admin.lifecycle.models import Export, ExportScope
from memory_admin.lifecycle.services.export import NotThere, OnlyOnesOwn
from memory_admin.memories import services as memories
from memory_admin.memories.models import DataRequest, Memory, MemoryRevision
from memory_admin.memories.queries import visible_to
from memory_admin.memories.vocabulary import CorrectionReason
from tests.factories import NOON, Person, claim, person, remembered

WEEK = timedelta(days=7)


@pytest.fixture
def remembering(alice: Person, helper: Actor) -> Person:
    """Alice, of whom a few things are remembered, one of them guessed, one corrected, one refused."""
    remembered(alice, "Prefers tea", categories=("food",), key="drink", value="tea")
    moved = remembered(alice, "Lives in Kyiv", kind="fact", now=NOON - WEEK)
    changed = CorrectionReason.CHANGED
    memories.correct(memory_id=moved.id, statement="Lives in Lviv", reason=changed, by=alice.actor, now=NOON)
    memories.capture(claim=claim(alice.subject, "May like jazz", origin="inferred"), by=helper, now=NOON)
    memories.capture(claim=claim(alice.subject, "x"), by=helper, now=NOON)
    return alice


def made(alice: Person, scope: ExportScope = ExportScope.ALL, category: str = "") -> Export:
    asked = services.ask_for_export(scope=scope, category=category, by=alice.actor, now=NOON)
    services.make_export(export_id=asked.id, now=NOON)
    return Export.objects.get(id=asked.id)


def opened(export: Export) -> ZipFile:
    assert export.content is not None
    return ZipFile(BytesIO(bytes(export.content)))


def entries(export: Export) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(opened(export).read("memories.json"))
    return found


def altered(export: Export, change: Callable[[dict[str, Any]], None]) -> bytes:
    """Give the archive with its memories changed and the manifest made to fit, as a forger would."""
    held = opened(export)
    found = entries(export)
    for one in found:
        change(one)
    raw = json.dumps(found).encode()
    manifest = json.loads(held.read("manifest.json"))
    manifest["files"]["memories.json"]["sha256"] = sha256(raw).hexdigest()
    buffer = BytesIO()
    with ZipFile(buffer, "w") as file:
        file.writestr("memories.json", raw)
        file.writestr("manifest.json", json.dumps(manifest))
        file.writestr("manifest.sig", held.read("manifest.sig"))
    return buffer.getvalue()


# --- what it holds ---------------------------------------------------------------------------------------------------


def test_the_manifest_counts_what_the_database_holds(remembering: Person) -> None:
    export = made(remembering)
    held = opened(export)
    manifest = json.loads(held.read("manifest.json"))
    there = visible_to(remembering.actor)

    assert export.memories == manifest["counts"]["memories"] == len(entries(export)) == there.count()
    assert manifest["counts"]["by_origin"] == {
        origin: there.filter(origin=origin).count() for origin in manifest["counts"]["by_origin"]
    }
    assert manifest["files"]["history.jsonl"]["rows"] == MemoryRevision.objects.count()
    assert manifest["files"]["refusals.jsonl"]["rows"] == 1
    for name, told in manifest["files"].items():
        raw = held.read(name)
        assert (told["sha256"], told["bytes"]) == (sha256(raw).hexdigest(), len(raw)), name
    assert set(held.namelist()) == {*manifest["files"], "manifest.json", "manifest.sig"}


def test_the_manifest_is_signed_and_a_changed_one_is_not(remembering: Person) -> None:
    held = opened(made(remembering))
    manifest, signed = (json.loads(held.read(name)) for name in ("manifest.json", "manifest.sig"))
    signature = b64decode(signed["signature"])

    signing.verify(rfc8785.dumps(manifest), signature, purpose="export", key_id=signed["key_id"])
    manifest["counts"]["memories"] += 1
    with pytest.raises(signing.NotSigned):
        signing.verify(rfc8785.dumps(manifest), signature, purpose="export", key_id=signed["key_id"])


def test_the_table_holds_the_same_memories_and_no_formula(alice: Person) -> None:
    remembered(alice, "=1+1 is what Alice typed")
    export = made(alice)
    rows = list(csv.DictReader(StringIO(opened(export).read("memories.csv").decode())))

    assert [row["statement"] for row in rows] == ["'=1+1 is what Alice typed"]
    assert [one["statement"] for one in entries(export)] == ["=1+1 is what Alice typed"]


@pytest.mark.parametrize(
    ("scope", "category", "statements"),
    [
        (ExportScope.ALL, "", {"Prefers tea", "Lives in Kyiv", "Lives in Lviv", "May like jazz"}),
        (ExportScope.PORTABLE, "", {"Prefers tea", "Lives in Kyiv", "Lives in Lviv"}),
        (ExportScope.CATEGORY, "food", {"Prefers tea"}),
        (ExportScope.CATEGORY, "travel", set()),
    ],
)
def test_a_scope_holds_what_it_says(
    remembering: Person, scope: ExportScope, category: str, statements: set[str]
) -> None:
    export = made(remembering, scope, category)

    assert {one["statement"] for one in entries(export)} == statements
    assert ("settings.json" in opened(export).namelist()) == (scope == ExportScope.ALL)


def test_nothing_of_anybody_else_is_in_it(remembering: Person) -> None:
    bob = person(remembering.house, "bob")
    remembered(bob, "Prefers the zither")
    held = opened(made(remembering))

    assert not any(b"zither" in held.read(name) for name in held.namelist())


# --- its life --------------------------------------------------------------------------------------------------------


def test_one_is_made_at_a_time_and_each_is_registered_and_recorded(alice: Person) -> None:
    first = services.ask_for_export(scope=ExportScope.ALL, by=alice.actor, now=NOON)
    again = services.ask_for_export(scope=ExportScope.PORTABLE, by=alice.actor, now=NOON)
    services.make_export(export_id=first.id, now=NOON)
    services.make_export(export_id=first.id, now=NOON + WEEK)
    services.fetch_export(export_id=first.id, by=alice.actor, now=NOON)

    assert again.id == first.id
    assert Export.objects.get(id=first.id).ready_at == NOON
    assert DataRequest.objects.get(kind="export").object_id == first.id
    about = Event.objects.filter(target_id=str(first.id)).order_by("seq").values_list("action", flat=True)
    assert list(about) == ["export.asked", "export.fetched"]


def test_a_copy_is_there_for_a_week_and_then_gone(alice: Person) -> None:
    export = made(alice)

    assert services.fetch_export(export_id=export.id, by=alice.actor, now=NOON + WEEK / 2).content
    with pytest.raises(NotThere):
        services.fetch_export(export_id=export.id, by=alice.actor, now=NOON + WEEK)
    assert services.purge_exports(now=NOON + WEEK) == 1
    assert Export.objects.get(id=export.id).content is None


@pytest.mark.parametrize("at_once", [True, False])
def test_an_erasure_takes_every_copy_along(remembering: Person, at_once: bool) -> None:
    export, tea = made(remembering), Memory.objects.get(statement="Prefers tea")
    if at_once:
        services.erase(memory_ids=[tea.id], by=remembering.actor, now=NOON)
    else:
        services.request_erasure(memory_ids=[tea.id], by=remembering.actor, now=NOON, grace=services.GRACE)

    assert Export.objects.get(id=export.id).content is None
    with pytest.raises(NotThere):
        services.fetch_export(export_id=export.id, by=remembering.actor, now=NOON)
    assert "Prefers tea" not in {one["statement"] for one in entries(made(remembering))}


def test_only_the_person_takes_a_copy_and_nobody_fetches_that_of_another(alice: Person, helper: Actor) -> None:
    bob = person(alice.house, "bob")
    export = made(alice)

    with pytest.raises(OnlyOnesOwn):
        services.ask_for_export(scope=ExportScope.ALL, by=helper, now=NOON)
    with pytest.raises(NotFound):
        services.fetch_export(export_id=export.id, by=bob.actor, now=NOON)


@pytest.mark.parametrize(("scope", "category"), [(ExportScope.CATEGORY, ""), (ExportScope.ALL, "food")])
def test_a_category_is_named_for_that_scope_alone(alice: Person, scope: ExportScope, category: str) -> None:
    with pytest.raises(Invalid):
        services.ask_for_export(scope=scope, category=category, by=alice.actor, now=NOON)


# --- bringing it in again --------------------------------------------------------------------------------------------

SAME = ("statement", "kind", "origin", "key", "value", "categories", "confidence", "importance", "valid_from", "pinned")


def test_what_is_brought_in_equals_what_was_taken_away(remembering: Person) -> None:
    export = made(remembering)
    before = [one for one in entries(export) if one["status"] == "active"]
    bob = person(remembering.house, "bob")

    results = services.bring_in(content=bytes(export.content or b""), by=bob.actor, now=NOON)
    after = entries(made(bob))

    assert results["stored"] == len(before)
    assert Event.objects.filter(action="export.brought_in", target_id=str(bob.subject.id)).count() == 1
    told = [sorted(json.dumps([one[name] for name in SAME]) for one in side) for side in (before, after)]
    assert told[0] == told[1]


def test_what_is_there_already_is_not_written_twice(remembering: Person) -> None:
    export, count = made(remembering), Memory.objects.count()
    results = services.bring_in(content=bytes(export.content or b""), by=remembering.actor, now=NOON)

    assert results["duplicate"] == sum(one["status"] == "active" for one in entries(export))
    assert Memory.objects.count() == count


def test_a_copy_that_nobody_vouches_for_counts_as_imported(remembering: Person) -> None:
    def claims_more(one: dict[str, Any]) -> None:
        one["origin"] = "verified_outcome"

    bob = person(remembering.house, "bob")
    services.bring_in(content=altered(made(remembering), claims_more), by=bob.actor, now=NOON)

    assert {one["origin"] for one in entries(made(bob))} == {"imported"}


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "mood"},
        {"statement": ""},
        {"statement": 5},
        {"statement": "a\0b"},
        {"statement": "x" * 5_000},
        {"categories": "food"},
        {"categories": [1]},
        {"confidence": 2},
        {"confidence": "high"},
        {"valid_from": "yesterday"},
        {"valid_from": 5},
        {"key": 7},
        {"quote": None},
    ],
)
def test_a_file_that_makes_no_sense_is_refused_whole(remembering: Person, change: dict[str, Any]) -> None:
    content, bob = altered(made(remembering), lambda one: one.update(change)), person(remembering.house, "bob")

    with pytest.raises(services.NotACopy):
        services.bring_in(content=content, by=bob.actor, now=NOON)
    assert not visible_to(bob.actor).exists()


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_copy_is_refused(alice: Person, content: bytes) -> None:
    with pytest.raises(services.NotACopy):
        services.bring_in(content=content, by=alice.actor, now=NOON)


def test_a_changed_byte_is_noticed(remembering: Person) -> None:
    held = opened(made(remembering))
    buffer = BytesIO()
    with ZipFile(buffer, "w") as file:
        for name in held.namelist():
            raw = held.read(name)
            file.writestr(name, raw.replace(b"Prefers tea", b"Prefers gin") if name == "memories.json" else raw)

    with pytest.raises(services.NotACopy):
        services.bring_in(content=buffer.getvalue(), by=remembering.actor, now=NOON)
