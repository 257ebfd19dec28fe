"""``manage.py import_conversations``."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.actors import system
from accounts.vocabulary import Channel
from memory_admin.audit.models import Event
from memory_admin.extraction import services
from memory_admin.extraction.conversations import read
from memory_admin.indexing.models import Entry
from memory_admin.memories.models import Memory, WriteDecision
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import Organisation


def import_(file: Path, tenant: str = "acme") -> str:
    out = StringIO()
    call_command("import_conversations", str(file), tenant=tenant, stdout=out)
    return out.getvalue()


def test_every_turn_is_decided_like_any_other_write(acme: Organisation, file: Path) -> None:
    said = import_(file)

    with tenant_scope(acme.tenant.id):
        stored = Memory.objects.select_related("source", "subject").order_by("valid_from", "source__position")
        assert [(memory.statement, memory.source.speaker) for memory in stored if memory.source] == [
            ("I started cello lessons!", "Mia"),
            ("Great! [shares a photo of a music hall]", "Ben"),
            ("Did the cello lesson go well?", "Ben"),
        ]
        assert {(memory.subject.ref, memory.kind, memory.origin, memory.channel) for memory in stored} == {
            ("user:talk-1", "event", "observed", "import")
        }
        assert WriteDecision.objects.count() == Entry.objects.count() == 3
        assert Event.objects.filter(action="memory.stored").count() == 3
    assert said.splitlines() == ["1 conversations, 3 turns, 0 there already", "       3  stored  by W-100"]


def test_the_same_file_again_changes_nothing(acme: Organisation, file: Path) -> None:
    import_(file)

    said = import_(file)

    with tenant_scope(acme.tenant.id):
        assert Memory.objects.count() == WriteDecision.objects.count() == 3
    assert said.splitlines() == ["1 conversations, 3 turns, 3 there already"]


def test_a_stopped_import_goes_on_where_it_was(acme: Organisation, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "BATCH", 1)
    by = system("import_conversations", tenant_id=acme.tenant.id, channel=Channel.IMPORT)
    next(services.import_conversation(read(file)[0], by=by, now=timezone.now()))

    said = import_(file)

    assert said.splitlines()[0] == "1 conversations, 3 turns, 1 there already"


def test_an_unknown_tenant_is_an_error(acme: Organisation, file: Path) -> None:
    with pytest.raises(CommandError, match="no tenant named nowhere"):
        import_(file, tenant="nowhere")


def test_a_name_that_cannot_name_a_subject_is_an_error(acme: Organisation, file: Path) -> None:
    file.write_text(file.read_text().replace("talk-1", "talk 1!"))

    with pytest.raises(CommandError, match="A subject is named"):
        import_(file)


def test_a_file_that_is_not_there_is_an_error(acme: Organisation, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        import_(tmp_path / "none.json")
