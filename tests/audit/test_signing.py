"""What the installation signs, and that it can be checked also after its key was changed."""

from collections.abc import Iterator

import pytest
from django.test import Client

from memory_admin import env
from memory_admin.audit import signing


@pytest.fixture(autouse=True)
def _keys_are_read_anew() -> Iterator[None]:
    yield
    forget()


def forget() -> None:
    signing._signing_key.cache_clear()
    signing._former_keys.cache_clear()


def test_what_was_signed_for_one_purpose_counts_for_no_other() -> None:
    signature = signing.sign(b"{}", purpose="receipt")

    signing.verify(b"{}", signature, purpose="receipt", key_id=signing.key_id())
    for message, purpose, key_id in ((b"{ }", "receipt", signing.key_id()), (b"{}", "export", signing.key_id())):
        with pytest.raises(signing.NotSigned, match="has been changed"):
            signing.verify(message, signature, purpose=purpose, key_id=key_id)
    with pytest.raises(signing.NotSigned, match="not known here"):
        signing.verify(b"{}", signature, purpose="receipt", key_id="00000000")


def test_a_former_key_stays_known_and_an_unknown_one_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    former, note = signing.public_keys()[0], signing.sign_note("memory_admin/test\n")
    signature = signing.sign(b"{}", purpose="receipt")

    monkeypatch.setenv("SIGNING_KEY", "another key of thirty-two characters")
    forget()
    with pytest.raises(signing.NotSigned, match="No known key"):
        signing.read_note(note)
    monkeypatch.setenv("FORMER_SIGNING_KEYS", str(former))
    forget()

    assert signing.read_note(note).signed_by == (former,)
    signing.verify(b"{}", signature, purpose="receipt", key_id=former.id.hex())
    assert signing.key_id() != former.id.hex()


def test_a_former_key_that_cannot_be_read_is_told_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORMER_SIGNING_KEYS", "memory.example.org+0badc0de+AQ==")
    forget()

    with pytest.raises(env.Misconfigured, match="FORMER_SIGNING_KEYS: A public key reads"):
        signing.public_keys()


def test_the_public_keys_are_published_a_line_each(client: Client) -> None:
    answer = client.get("/.well-known/memory-admin-keys")

    assert answer.content.decode() == f"{signing.public_keys()[0]}\n"
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
