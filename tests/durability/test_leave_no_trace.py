"""What was erased, and what was refused as a secret, is in no table, log or broker afterwards."""

from __future__ import annotations

import json
import secrets
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import canary
from tests.durability.browser import Browser
from tests.durability.installation import Installation

CANARY = "Grows Zygopetalum orchids behind the Quillwort pavilion"


def places(installation: Installation, sentence: str) -> list[str]:
    """Name every place that holds the sentence, once no job is left."""
    installation.wait_for("the jobs", lambda: installation.jobs_waiting() == 0)
    with installation.database() as database, installation.broker() as broker:
        return canary.find(sentence, database=database, broker=broker, files=installation.logs)


def claim(statement: str, **more: Any) -> dict[str, Any]:
    return {"subject": "user:mia", "kind": "preference", "statement": statement, "origin": "stated", **more}


def source(message: str, words: str) -> dict[str, str]:
    return {"trace_id": f"chat of {message}", "message_id": message, "quote": f"I say: {words}", "speaker": "Mia"}


def version(memory: Any) -> str:
    return memory.headers["ETag"]  # type: ignore[no-any-return]


def used_in_every_way(installation: Installation, words: str, message: str) -> list[str]:
    """Write words about Mia, correct them, ask for them, look at them; give the ids of the memories that hold them."""
    call, more = installation.call, {"aliases": [words], "key": "plants", "value": words}
    stored = call("POST", "/memories", claim(words, source=source(message, words), **more))
    assert stored.status == 201, stored.content
    memory_id = stored.body["id"]
    batch = [claim(f"{words}, again", kind="event", source=source(f"{message}-2", words))]
    batch += [claim(f"{words}, concluded", origin="inferred", derived_from=[memory_id])]
    assert call("POST", "/memories/batch", {"items": batch}).status == 200
    call("POST", "/memories", claim(f"{words}, seen"), channel="document")
    corrected = {"statement": f"{words}, mostly", "value": words}
    assert call("PATCH", f"/memories/{memory_id}", corrected, If_Match=version(stored)).status == 200
    for question in (words, words.upper()):
        answer = call("POST", "/memories/search", {"subject": "user:mia", "query": question, "purpose": "answer"})
        assert answer.status == 200, answer.content
    call("POST", f"/memories/{memory_id}/dispute", {"reason": "wrong", "words": f"No: {words}"})
    call("POST", "/memories/check", claim(words))

    browser = Browser(installation)
    assert words in browser.open("/", q=words)
    browser.open(f"/memories/{memory_id}/")
    browser.fill("/add/", statement=f"{words}, by hand", kind="preference")
    browser.fill("/add/", statement=f"{words}, on a form that asks again", kind="nothing")
    browser.fill(f"/memories/{memory_id}/correct/", statement=f"{words}, on the whole", reason="needs_context")
    return [str(row[0]) for row in installation.rows("SELECT id FROM memories_memory WHERE statement <> ''")]


def erase(installation: Installation, memory_id: str) -> None:
    """Let an agent erase a memory, or the person, where the agent is not shown that it exists."""
    if installation.call("DELETE", f"/memories/{memory_id}").status == 404 and is_there(installation, memory_id):
        Browser(installation).fill(f"/memories/{memory_id}/delete/", keeps_out="on")
        with installation.database() as database:
            database.execute("UPDATE lifecycle_erasurerequest SET due_at = now() WHERE state = 'waiting'")
        installation.bring_jobs_forward()
        installation.wait_for("the erasure", lambda: not is_there(installation, memory_id))


def is_there(installation: Installation, memory_id: str) -> bool:
    return installation.rows("SELECT FROM memories_memory WHERE id = %s AND statement <> ''", memory_id) != []


def test_no_trace_of_erased_memories_is_left(installation: Installation) -> None:
    memory_ids = used_in_every_way(installation, CANARY, "m-1")
    held = places(installation, CANARY)
    assert {"table public.memories_memory", "table public.memories_source"} <= set(held)

    for memory_id in memory_ids:
        erase(installation, memory_id)

    assert places(installation, CANARY) == []


def test_no_trace_of_an_erased_subject_is_left(installation: Installation, tmp_path: Path) -> None:
    words = "Feeds Xenorhabdus cultures below the Yellowhammer bridge"
    used_in_every_way(installation, words, "m-3")
    turns = [{"dia_id": f"D1:{number}", "speaker": "Ann", "text": f"{words} {number}"} for number in range(9)]
    session = {"session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    conversation = {"speaker_a": "Ann", "speaker_b": "Ida", **session}
    (tmp_path / "talk.json").write_text(json.dumps([{"sample_id": "talk-1", "conversation": conversation, "qa": []}]))
    installation.manage("import_conversations", str(tmp_path / "talk.json"), "--tenant", "north")
    for ref in ("user:mia", "user:talk-1"):
        installation.call("POST", "/memories/search", {"subject": ref, "query": words, "purpose": "answer"})
    assert "table public.memories_memory" in places(installation, words)

    for ref in ("user:mia", "user:talk-1"):
        assert installation.call("DELETE", f"/subjects/{ref}").status == 202

    assert places(installation, words) == []


@pytest.fixture
def secret() -> str:
    """A token as a code host issues them."""
    return "ghp_" + "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(36))


def test_a_refused_secret_is_nowhere(installation: Installation, secret: str) -> None:
    call = installation.call
    kept = call("POST", "/memories", claim("Deploys on Fridays, never before noon", kind="fact"))
    words = f"My token is {secret}"
    newer = {"kind": "fact", "statement": words, "origin": "stated"}
    asked = [
        call("POST", "/memories", claim(words)),
        call("POST", "/memories", claim(words), Idempotency_Key="deploy-1"),
        call("POST", "/memories", claim("Deploys with a token", source={"quote": words, "trace_id": secret})),
        call("POST", "/memories", claim("Deploys with tokens", value={"token": secret}, key="token", aliases=[secret])),
        call("POST", "/memories/batch", {"items": [claim(words), claim(words, kind="event")]}),
        call("POST", "/memories/check", claim(words)),
        call("PUT", "/subjects/user:mia/profile/token", {"value": secret}),
        call("PATCH", f"/memories/{kept.body['id']}", {"statement": words}, If_Match=version(kept)),
        call("POST", f"/memories/{kept.body['id']}/supersede", newer),
        call("POST", "/memories", claim(words, unknown=secret)),
        call("POST", "/memories", {secret: words}),
        call("POST", "/memories", claim(words), channel="document"),
    ]
    Browser(installation).fill("/add/", statement=words, kind="fact")

    assert all(answer.status < 500 and secret.encode() not in answer.content for answer in asked)
    assert places(installation, secret) == []


@pytest.fixture
def refusing(installation: Installation) -> Iterator[Installation]:
    """A database that refuses the canary's row by a constraint that only it knows, quoting the row in its error."""
    with installation.database() as database:
        database.execute(
            f"ALTER TABLE memories_memory ADD CONSTRAINT own CHECK (length(statement) <> {len(CANARY)}) NOT VALID"
        )
        yield installation
        database.execute("ALTER TABLE memories_memory DROP CONSTRAINT own")


def test_an_error_that_quotes_the_row_does_not_reach_a_log(refusing: Installation) -> None:
    answer = refusing.call("POST", "/memories", claim(CANARY, subject="user:noah"))

    assert answer.status == 409
    assert "IntegrityError" in (refusing.folder / "web process.log").read_text()
    assert places(refusing, CANARY) == []
