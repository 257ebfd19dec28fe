"""``manage.py evaluate_recall`` on real conversations: public data beside the repository, none of it kept here."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memory_admin import jobs
from memory_admin.jobs.models import Job
from memory_admin.memories.models import Memory
from memory_admin.retrieval.models import Retrieval
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import Organisation

CONVERSATIONS = Path(__file__).resolve().parents[3] / "shared" / "data" / "locomo-dev.json"


@pytest.fixture
def conversations() -> list[Any]:
    assert CONVERSATIONS.exists(), f"{CONVERSATIONS} is missing: these tests need the public test data"
    content: list[Any] = json.loads(CONVERSATIONS.read_text())
    return content


def evaluate(file: Path, *, as_json: bool = False) -> str:
    out = StringIO()
    call_command("evaluate_recall", str(file), tenant="acme", as_json=as_json, stdout=out)
    return out.getvalue()


def test_one_conversation_is_found_again(acme: Organisation, conversations: list[Any], tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    one = conversations[0]
    file.write_text(json.dumps([{**one, "qa": one["qa"][:40]}]))
    call_command("import_conversations", str(file), tenant="acme", stdout=StringIO())

    lines = evaluate(file).splitlines()

    names, totals = (
        [line.split()[0] for line in lines],
        dict(part.split("=") for part in lines[-1].split()[1:] if "=" in part),
    )
    assert names[-1] == "all"
    assert set(names[:-1]) <= {"multi-hop", "temporal", "open-domain", "single-hop", "adversarial"}
    assert float(totals["recall@10"]) >= 0.70
    with tenant_scope(acme.tenant.id):
        assert Retrieval.objects.filter(purpose="evaluation").count() == int(totals["questions"])
        # Measuring is no use: it must not change what is measured.
        assert not Job.objects.filter(name=jobs.COUNT_USES).exists()
        assert not Memory.objects.exclude(use_count=0).exists()

    measured = json.loads(evaluate(file, as_json=True))
    assert measured["all"]["recall"]["10"] == pytest.approx(float(totals["recall@10"]), abs=0.001)


def test_a_file_that_was_not_imported_is_an_error(acme: Organisation, conversations: list[Any], tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text(json.dumps(conversations[:1]))

    with pytest.raises(CommandError, match=r"Import one\.json into acme first"):
        evaluate(file)


@pytest.mark.long
def test_five_conversations_are_found_again(acme: Organisation, conversations: list[Any]) -> None:
    assert len(conversations) == 5
    call_command("import_conversations", str(CONVERSATIONS), tenant="acme", stdout=StringIO())

    measured = json.loads(evaluate(CONVERSATIONS, as_json=True))["all"]

    assert measured["recall"]["10"] >= 0.78
    assert measured["session_recall"]["5"] >= 0.89
    assert measured["session_recall"]["10"] >= 0.94
    assert measured["tokens_of_ten"] <= 500
