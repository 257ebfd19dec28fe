"""One memory on its page: its five sections, its uses with their numbers, and what is left of an erased one."""

import json
import re
import subprocess
import sys
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.actors import Actor
from memory_admin.audit.models import Event
from memory_admin.lifecycle.services import erase
from memory_admin.memories import services as memories
from memory_admin.memories.models import Link, MemoryRevision
from memory_admin.memories.vocabulary import Relation
from memory_admin.portal.uses import PARTS, uses_of
from memory_admin.retrieval.models import RetrievalCandidate
from memory_admin.retrieval.ranking import Parts, contributions, score
from memory_admin.retrieval.scoring import scoring_of
from memory_admin.retrieval.services import Ask, count_uses, search
from memory_admin.tenancy.scope import tenant_scope
from policies.baseline import ACCESS, RETENTION, RETRIEVAL
from policies.digests import Terms
from policies.documents import AccessMatch, AccessRule, RegionLimit
from tests.in_force import put_in_force
from tests.portal.cast import Larkfield, Person, found


def text_of(answer: Any) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode())))


def asked(larkfield: Larkfield, who: Person, query: str, *, by: Actor | None = None, **ask: Any) -> UUID:
    with tenant_scope(larkfield.tenant.id):
        answer = search(
            ask=Ask(subjects=[who.subject.ref], query=query, purpose="planning_trips", **ask),
            by=by or larkfield.relay,
            now=timezone.now(),
        )
    return answer.retrieval_id


def test_the_sections_stand_in_their_order(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat", quote="a window seat please")
    replaced = larkfield.said(mia, "Prefers the aisle seat", kind="fact")
    with tenant_scope(larkfield.tenant.id):
        Link.objects.create(
            from_id=memory.id, to_id=replaced.id, relation=Relation.CONTRADICTS, created_at=timezone.now()
        )

    page = mia.get(f"/memories/{memory.id}/").content.decode()

    assert re.findall(r'<h2 id="s-[a-z]+"[^>]*>([^<]+)</h2>', page) == [
        "The memory",
        "Where it comes from",
        "When it was used",
        "History",
        "Related and derived",
        "Proof",
    ]


def test_the_page_says_who_may_use_it_how_long_it_is_kept_and_what_decided(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Went to the opera", kind="event", quote="I was at the opera")

    page = text_of(mia.get(f"/memories/{memory.id}/"))

    assert "Travel assistant Your organisation's agents may read it. Access policy, version 1. Not for: action." in page
    assert "(stated event) is kept 90 days: retention policy, version 1." in page
    assert "I was at the opera" in page
    assert "of write policy version 1. Decided" in page


def test_a_version_for_one_agent_or_region_is_what_the_page_tells_of_it(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Went to the opera", kind="event")
    closed = AccessRule(id="A-001", title="No events", match=AccessMatch(kinds=("event",)), decision="deny")
    own = Terms(agent_id=larkfield.relay.agent_id)
    put_in_force(larkfield.tenant.id, "access", ACCESS.model_copy(update={"rules": (closed,)}), terms=own)
    limit = RegionLimit(region="eu", maximum_days=40)
    put_in_force(larkfield.tenant.id, "retention", RETENTION.model_copy(update={"region_limits": (limit,)}))

    page = text_of(mia.get(f"/memories/{memory.id}/"))

    assert "Your organisation's agents may read it" not in page
    assert "(stated event) is kept 40 days: retention policy, version 2." in page


def test_an_end_of_its_own_is_told_apart_from_the_policys(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Is on a diet", expires_at=timezone.now() + timedelta(days=3))

    assert "This one has an end of its own." in text_of(mia.get(f"/memories/{memory.id}/"))


def test_a_memory_whose_time_is_over_says_so(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Went to the opera", kind="event", now=timezone.now() - timedelta(days=100))

    assert "No agent uses it any more." in text_of(mia.get(f"/memories/{memory.id}/"))


def test_a_use_shows_its_reason_its_parts_and_their_sum(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    asked(larkfield, mia, "Which seat does she prefer, window or aisle?")

    with tenant_scope(larkfield.tenant.id):
        use = uses_of(larkfield.reread(memory)).shown[0]
        logged = RetrievalCandidate.objects.get(memory_id=memory.id)

    assert use.was_given
    assert use.agent == "Travel assistant"
    assert sum(part.adds for part in use.parts) == pytest.approx(logged.score, abs=0.03)
    page = text_of(mia.get(f"/memories/{memory.id}/"))
    assert "Given to Travel assistant" in page
    assert "Planning trips" in page
    assert "It mentions words of the question" in page or "It is close in meaning" in page
    assert f"Together {logged.score:.2f}" in page
    assert "Needed: 0.30." in page
    assert "Retrieval policy, version 1; access policy, version 1." in page
    assert mia.get(f"/memories/{memory.id}/").content.decode().count("<meter ") == len(use.parts)


def test_what_would_have_kept_it_back_does(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    query = "Which seat does she prefer?"
    asked(larkfield, mia, query)
    with tenant_scope(larkfield.tenant.id):
        logged = RetrievalCandidate.objects.get(memory_id=memory.id)
    asked(larkfield, mia, query, min_score=logged.score - 0.02)
    with tenant_scope(larkfield.tenant.id):
        use = uses_of(larkfield.reread(memory)).shown[0]
    scoring = scoring_of(RETRIEVAL)
    decisive = {
        name for name in logged.parts if score(Parts(**{**logged.parts, name: 0.0}), scoring=scoring) < use.needed
    }

    assert {"similarity", "recency"} <= decisive
    assert "neighbour" not in decisive
    named = {name for name, (_, _, had) in PARTS.items() if f"it had not {had}" in use.otherwise}
    assert named - {"importance"} == decisive - {"importance"}
    assert "you had paused it" in use.otherwise
    assert "it had not been confirmed" not in use.otherwise
    with tenant_scope(larkfield.tenant.id):
        memories.pause_memories(memory_ids=[memory.id], by=mia.actor, now=timezone.now(), until=None)
    asked(larkfield, mia, query)
    with tenant_scope(larkfield.tenant.id):
        assert RetrievalCandidate.objects.filter(memory_id=memory.id).count() == 2


def test_a_use_is_told_before_it_is_counted_and_once_when_it_is(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    asked(larkfield, mia, "Which seat does she prefer?")

    def told() -> list[str]:
        return [re.findall(r"Used (?:once|twice)|Not used yet", text_of(mia.get(page)))[0] for page in ("/?", address)]

    address = f"/memories/{memory.id}/"
    assert told() == ["Used once", "Used once"]
    with tenant_scope(larkfield.tenant.id):
        count_uses(subject_id=mia.subject.id, now=timezone.now())
    assert told() == ["Used once", "Used once"]
    asked(larkfield, mia, "Which seat does she prefer?")
    assert told() == ["Used twice", "Used twice"]


def test_filters_order_and_download_know_a_use_that_is_not_counted_yet(larkfield: Larkfield, mia: Person) -> None:
    used = larkfield.said(mia, "Prefers the window seat")
    larkfield.said(mia, "Plays the cello on Tuesdays")
    with tenant_scope(larkfield.tenant.id):
        asked(larkfield, mia, "window seat", k=1)
        assert larkfield.reread(used).use_count == 0

    def listed(query: str) -> list[str]:
        return re.findall(r'class="says">\s*<a [^>]*>([^<]+)', mia.get(f"/?{query}").content.decode())

    assert listed("used=never") == ["Plays the cello on Tuesdays"]
    assert listed("used=week") == ["Prefers the window seat"]
    assert listed("sort=used") == ["Prefers the window seat", "Plays the cello on Tuesdays"]
    assert listed("sort=unused") == ["Plays the cello on Tuesdays", "Prefers the window seat"]
    (entry,) = mia.get("/memories.json?used=week&sort=used").json()
    assert (entry["use_count"], entry["last_used_at"] is None) == (1, False)


def test_what_each_part_adds_is_the_score() -> None:
    scoring = scoring_of(RETRIEVAL)
    parts = Parts(
        similarity=0.51,
        keyword=0.2,
        recency=0.9,
        importance=0.3,
        confidence=1.0,
        confirmed=1.0,
        neighbour=0.7,
        session=0.8,
    )

    assert sum(contributions(parts, scoring=scoring).values()) == pytest.approx(score(parts, scoring=scoring), abs=1e-6)


def test_what_was_considered_and_not_given_says_why(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    asked(larkfield, mia, "What is the capital of Mongolia?", min_score=0.95)

    page = text_of(mia.get(f"/memories/{memory.id}/"))

    assert "Considered for Travel assistant, not given" in page
    assert "It did not fit the question well enough." in page
    assert "0.95" in page


def test_the_uses_are_paged_and_narrowed_to_an_agent(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    for number in range(12):
        asked(larkfield, mia, f"Which seat does she prefer on train {number}?")
    with tenant_scope(larkfield.tenant.id):
        measure = Actor(kind="system", tenant_id=larkfield.tenant.id, channel=larkfield.own.channel)
        asked(larkfield, mia, "Which seat does she prefer?", by=measure)

    address = f"/memories/{memory.id}/"
    first = mia.get(address).content.decode()
    older = unescape(re.findall(r'href="(\?agent=[^"#]+before=[^"#]+)#s-uses"', first)[0])
    rest = mia.get(f"{address}{older}").content.decode()

    assert first.count('<article class="use">') == 10
    assert rest.count('<article class="use">') == 3
    assert "Load more" not in rest
    with tenant_scope(larkfield.tenant.id):
        memory = larkfield.reread(memory)
        assert len(uses_of(memory, agent=str(larkfield.agent.id)).shown) == 10
        assert not any(use.agent != "Travel assistant" for use in uses_of(memory, agent=str(larkfield.agent.id)).shown)
        assert uses_of(memory, agent="nonsense", outcome="nonsense").agent == ""
        assert len(uses_of(memory, outcome="given").shown) == 10
        assert uses_of(memory, outcome="considered").shown == []
    for query in ("before=nonsense", "agent=nonsense", f"before={uuid4()}", "agent=%F0%9F%98%80&before=" + "9" * 5000):
        assert mia.get(f"{address}?{query}").status_code == 200


def test_what_the_same_question_gave_one_time_after_the_other_is_told_once(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    for number in range(53):
        asked(larkfield, mia, "What is the capital of Peru?" if number == 1 else "Which seat does she prefer?")

    with tenant_scope(larkfield.tenant.id):
        latest = uses_of(memory)
        older = uses_of(memory, before=latest.next)

    assert [use.times for use in (*latest.shown, *older.shown)] == [50, 1, 1, 1]
    assert older.next is None
    page = text_of(mia.get(f"/memories/{memory.id}/"))
    assert "50 times that day for the same question" in page
    assert page.count("Given to Travel assistant") == 1


def test_the_page_asks_equally_often_however_often_it_was_used(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    asked(larkfield, mia, "Which seat does she prefer?")
    mia.get(f"/memories/{memory.id}/")
    with CaptureQueriesContext(connection) as for_one:
        mia.get(f"/memories/{memory.id}/")
    for _ in range(10):
        asked(larkfield, mia, "Which seat does she prefer?")

    with CaptureQueriesContext(connection) as for_many:
        mia.get(f"/memories/{memory.id}/")

    assert len(for_many) == len(for_one) <= 32


def test_a_version_whose_words_were_erased_is_told_in_the_history(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    form = {"reason": "needs_context", "statement": "Prefers the window seat by day", "version": 1}
    mia.post(f"/memories/{memory.id}/correct/", form)
    with tenant_scope(larkfield.tenant.id):
        MemoryRevision.objects.filter(memory_id=memory.id, version=1).delete()

    page = text_of(mia.get(f"/memories/{memory.id}/"))

    assert "An earlier version was erased, text removed" in page
    assert "You changed it" in page


def test_an_erased_memory_leaves_its_date_and_its_receipt_to_its_person_alone(
    larkfield: Larkfield, mia: Person, jonas: Person
) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    with tenant_scope(larkfield.tenant.id):
        erasure = erase(memory_ids=[memory.id], by=mia.actor, now=timezone.now())

    stub = mia.get(f"/memories/{memory.id}/")

    assert stub.status_code == 404
    assert f'href="/deleted/{erasure.id}/"' in stub.content.decode()
    assert "window" not in stub.content.decode()
    foreign, missing = jonas.get(f"/memories/{memory.id}/"), jonas.get(f"/memories/{uuid4()}/")
    assert foreign.status_code == missing.status_code == 404
    assert foreign.content == missing.content


def test_the_proof_is_checked_by_the_program_that_the_page_shows(
    larkfield: Larkfield, mia: Person, tmp_path: Path
) -> None:
    memory = larkfield.noted(mia, "Prefers the window seat")
    mia.post(f"/memories/{memory.id}/confirm/")
    page = mia.get(f"/memories/{memory.id}/proof/").content.decode()
    program = unescape(page.split('id="check">')[1].split("</pre>")[0])
    kept = tmp_path / "proof.json"

    def check() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    kept.write_bytes(mia.get(f"/memories/{memory.id}/proof.json").content)
    assert check().stdout == "2 entries hold.\n"
    assert page.count("Checked now: it gives its hash") == 2
    assert "window" not in kept.read_text()

    proof = json.loads(kept.read_text())
    with tenant_scope(larkfield.tenant.id):
        assert bytes(Event.objects.get(seq=proof["entries"][0]["number"]).hash).hex() == proof["entries"][0]["hash"]
    proof["entries"][1]["entry"] = proof["entries"][1]["entry"].replace("memory.confirmed", "memory.disputed")
    kept.write_text(json.dumps(proof))
    assert "was altered" in check().stderr


def test_the_proof_of_another_person_is_none(larkfield: Larkfield, mia: Person, jonas: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    eve = found("northwind").join("Eve")

    for page in ("proof/", "proof.json"):
        answers = [who.get(f"/memories/{at}/{page}") for who in (jonas, eve) for at in (memory.id, uuid4())]
        assert {answer.status_code for answer in answers} == {404}
        assert answers[0].content == answers[1].content
