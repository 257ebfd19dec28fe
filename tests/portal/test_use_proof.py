"""The proof of one use: it is sealed a little later, checked on the page, and can be checked without us."""

import json
import subprocess
import sys
from html import unescape
from pathlib import Path
from uuid import UUID, uuid4

from django.utils import timezone

from memory_admin.memories.models import Memory
from memory_admin.retrieval.models import RetrievalCandidate
from memory_admin.retrieval.services import Ask, seal_reads, search
from memory_admin.tenancy.scope import tenant_scope
from tests.portal.cast import Larkfield, Person


def used(larkfield: Larkfield, who: Person, memory: Memory) -> UUID:
    with tenant_scope(larkfield.tenant.id):
        ask = Ask(subjects=[who.subject.ref], query="Which seat does she prefer?", purpose="planning_trips")
        search(ask=ask, by=larkfield.relay, now=timezone.now())
        return RetrievalCandidate.objects.get(memory_id=memory.id).id


def sealed(larkfield: Larkfield) -> None:
    with tenant_scope(larkfield.tenant.id):
        seal_reads(now=timezone.now())


def test_a_use_is_sealed_and_checked_by_the_program_that_the_page_shows(
    larkfield: Larkfield, mia: Person, tmp_path: Path
) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    address = f"/uses/{used(larkfield, mia, memory)}/proof"
    assert f'href="{address}/"' in mia.get(f"/memories/{memory.id}/").content.decode()
    assert "not sealed yet" in mia.get(f"{address}/").content.decode()
    assert mia.get(f"{address}.json").status_code == 404
    sealed(larkfield)

    page = mia.get(f"{address}/").content.decode()
    program = unescape(page.split('id="check">')[1].split("</pre>")[0])
    kept = tmp_path / "proof.json"

    def check() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    kept.write_bytes(mia.get(f"{address}.json").content)
    assert check().stdout == "1 entries hold.\nThe use was sealed.\n"
    assert "what the log says of this use is what was sealed" in page
    assert "window" not in kept.read_text()

    proof = json.loads(kept.read_text())
    proof["use"]["row"] = proof["use"]["row"].replace('"returned":true', '"returned":false')
    kept.write_text(json.dumps(proof))
    assert "not the one that was sealed" in check().stderr


def test_a_use_that_was_changed_since_is_told(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    use_id = used(larkfield, mia, memory)
    sealed(larkfield)
    with tenant_scope(larkfield.tenant.id):
        RetrievalCandidate.objects.filter(id=use_id).update(rank=9)

    assert "it has been altered" in mia.get(f"/uses/{use_id}/proof/").content.decode()


def test_the_use_of_another_person_and_one_that_never_was_are_none(
    larkfield: Larkfield, mia: Person, jonas: Person
) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    use_id = used(larkfield, mia, memory)
    sealed(larkfield)

    for page in ("proof/", "proof.json"):
        assert jonas.get(f"/uses/{use_id}/{page}").status_code == 404
        assert mia.get(f"/uses/{uuid4()}/{page}").status_code == 404
