"""What was erased does not come back, whichever way it is brought."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.durability.installation import Installation

STATEMENT = "Keeps the spare key under the third flowerpot"
IN_CAPITALS = "KEEPS THE SPARE KEY UNDER THE THIRD FLOWER\u00adPOT!"
SOURCE = {"trace_id": "chat-7", "message_id": "m-3", "quote": "It is under the third flowerpot", "speaker": "Noor"}
CHANNELS = ("user_message", "import", "agent", "tool", "document", "peer_agent")


def claim(subject: str, statement: str = STATEMENT, **more: Any) -> dict[str, Any]:
    return {"subject": subject, "kind": "fact", "statement": statement, "origin": "stated", **more}


def kept_of(installation: Installation, subject: str) -> list[tuple[Any, ...]]:
    """List what is left of a subject: memories, versions and what search knows."""
    return installation.rows(
        """
        WITH s AS (SELECT id FROM accounts_subject WHERE ref = %s)
        SELECT 'memory', statement FROM memories_memory WHERE subject_id IN (TABLE s) AND statement <> ''
        UNION ALL SELECT 'version', statement FROM memories_memoryrevision WHERE subject_id IN (TABLE s)
        UNION ALL SELECT 'source', quote FROM memories_source WHERE subject_id IN (TABLE s) AND quote <> ''
        UNION ALL SELECT 'entry', memory_id::text FROM indexing_entry WHERE subject_id IN (TABLE s)
        """,
        subject,
    )


def erased(installation: Installation, subject: str, **headers: str) -> None:
    """Write the statement about a subject and erase it again."""
    stored = installation.call("POST", "/memories", claim(subject, source=SOURCE), **headers)
    assert stored.status == 201, stored.content
    assert installation.call("DELETE", f"/memories/{stored.body['id']}").status == 202


@pytest.mark.parametrize("channel", CHANNELS)
def test_the_same_words_stay_out_by_every_channel(installation: Installation, channel: str) -> None:
    subject = f"user:by-{channel}"
    erased(installation, subject)

    for statement in (STATEMENT, IN_CAPITALS):
        for kind in ("fact", "event"):
            again = claim(subject, statement, kind=kind)
            alone = installation.call("POST", "/memories", again, channel=channel)
            together = installation.call("POST", "/memories/batch", {"items": [again]}, channel=channel)
            assert (alone.status, together.body["items"][0]["status"]) == (202, 202)

    assert kept_of(installation, subject) == []


def test_the_same_source_stays_out_whatever_is_read_from_it(installation: Installation) -> None:
    erased(installation, "user:noor")

    for channel in CHANNELS:
        read_anew = claim("user:noor", f"Has a flowerpot with something below it, says {channel}", source=SOURCE)
        installation.call("POST", "/memories", read_anew, channel=channel)

    assert kept_of(installation, "user:noor") == []


def test_a_repeated_request_brings_nothing_back(installation: Installation) -> None:
    erased(installation, "user:rene", Idempotency_Key="first")

    again = installation.call("POST", "/memories", claim("user:rene", source=SOURCE), Idempotency_Key="first")

    assert again.headers["Idempotency-Replayed"] == "true"
    assert b"flowerpot" not in again.content
    assert kept_of(installation, "user:rene") == []


def test_another_memory_is_not_turned_into_it(installation: Installation) -> None:
    subject = "user:sol"
    erased(installation, subject)
    kept = installation.call("POST", "/memories", claim(subject, "Has a dog that barks at bicycles"))
    newer = {"kind": "fact", "statement": STATEMENT, "origin": "stated"}

    for reason in ("wrong", "needs_context", "changed"):
        for statement in (STATEMENT, IN_CAPITALS):
            asked = {"statement": statement, "reason": reason}
            refused = installation.call("PATCH", f"/memories/{kept.body['id']}", asked, If_Match=kept.headers["ETag"])
            assert refused.status == 422, refused.content
    installation.call("POST", f"/memories/{kept.body['id']}/supersede", newer)
    installation.call("PUT", f"/subjects/{subject}/profile/key", {"value": "pot", "statement": STATEMENT})

    assert {statement for what, statement in kept_of(installation, subject) if what != "entry"} == {
        "Has a dog that barks at bicycles"
    }


def test_an_import_read_again_brings_nothing_back(installation: Installation, tmp_path: Path) -> None:
    turns = [{"dia_id": "D1:1", "speaker": "Kim", "text": STATEMENT}]
    conversation = {
        "speaker_a": "Kim",
        "speaker_b": "Ida",
        "session_1": turns,
        "session_1_date_time": "1:56 pm on 8 May, 2023",
    }
    (tmp_path / "talk.json").write_text(json.dumps([{"sample_id": "kim", "conversation": conversation, "qa": []}]))
    imported = ("import_conversations", str(tmp_path / "talk.json"), "--tenant", "north")
    installation.manage(*imported)
    ((memory_id,),) = installation.rows("SELECT id FROM memories_memory WHERE statement = %s", STATEMENT)
    assert installation.call("DELETE", f"/memories/{memory_id}").status == 202

    installation.manage(*imported)

    assert kept_of(installation, "user:kim") == []


@pytest.fixture
def without_model(installation: Installation) -> Installation:
    """An installation whose embedding model cannot be read, and whose worker is away."""
    installation.kill("worker")
    installation.kill("web process")
    installation.model.unlink()
    installation.start("web process")
    installation.wait_for("an answer of the web process", installation.is_up)
    return installation


def search(installation: Installation, subject: str, query: str) -> Any:
    asked = {"subject": subject, "query": query, "purpose": "answer"}
    return installation.call("POST", "/memories/search", asked).body


def vectors(installation: Installation, subject: str) -> list[tuple[Any, ...]]:
    return installation.rows(
        "SELECT embedding IS NOT NULL FROM indexing_entry e JOIN accounts_subject s ON s.id = e.subject_id "
        "WHERE s.ref = %s",
        subject,
    )


def test_a_job_from_before_the_erasure_brings_nothing_back(without_model: Installation) -> None:
    erased(without_model, "user:toni")
    waiting = without_model.rows("SELECT name, epoch FROM jobs_job WHERE done_at IS NULL AND name = 'memories.embed'")
    assert waiting == [("memories.embed", 0)]

    without_model.run()

    without_model.wait_for("the jobs", lambda: without_model.jobs_waiting() == 0)
    assert kept_of(without_model, "user:toni") == []


def test_a_memory_stored_without_the_model_is_found_by_its_words_and_embedded_later(
    without_model: Installation,
) -> None:
    stored = without_model.call("POST", "/memories", claim("user:vera", "Plays the glockenspiel on Thursdays"))
    assert stored.status == 201, stored.content
    by_its_words = search(without_model, "user:vera", "glockenspiel")
    assert [item["id"] for item in by_its_words["items"]] == [stored.body["id"]]
    assert vectors(without_model, "user:vera") == [(False,)]

    without_model.run()

    without_model.wait_for("the vector", lambda: vectors(without_model, "user:vera") == [(True,)])
    by_its_meaning = search(without_model, "user:vera", "Which instrument is played weekly?")
    assert [item["id"] for item in by_its_meaning["items"]] == [stored.body["id"]]
