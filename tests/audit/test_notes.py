"""Signed notes as https://c2sp.org/signed-note has them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_admin.audit import notes
from memory_admin.audit.notes import NotAKey, NotANote, NotSigned, PublicKey, SigningKey

# What the reference implementation (golang.org/x/mod/sumdb/note) documents.
NEUMANN = PublicKey.parse("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
SAID = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
OURS = SigningKey.from_seed("memory.example.org", bytes(32))
TEXT = "memory_admin/audit/x\n\n3\n"


def test_a_note_of_the_reference_implementation_is_read() -> None:
    assert notes.read(SAID, [OURS.public, NEUMANN]).signed_by == (NEUMANN,)


def test_a_public_key_is_written_as_it_is_read() -> None:
    assert PublicKey.parse(str(OURS.public)) == OURS.public


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])).map(lambda text: f"{text}\n"))
def test_whatever_was_signed_is_read_again(text: str) -> None:
    assert notes.read(notes.sign(text, OURS), [OURS.public]).text == text


@pytest.mark.parametrize(
    ("note", "refused", "why"),
    [
        (SAID.replace("the answer", "an answer"), NotSigned, "what was signed has been changed"),
        (notes.sign(TEXT, SigningKey.from_seed("other", bytes(32))), NotSigned, "signed by other"),
        (notes.sign(TEXT, SigningKey.from_seed("memory.example.org", b"1" * 32)), NotSigned, "No known key"),
        (SAID.rstrip("\n"), NotANote, "each with its end of line"),
        (SAID.partition("\n\n")[0], NotANote, "an empty line"),
        (SAID.replace("—", "-"), NotANote, "lines of signatures alone"),
        (SAID.replace("x08go", "x08g"), NotANote, "no base64"),
        (SAID.replace("then", "then\t"), NotANote, "no other control character"),
        ("", NotANote, "an empty line"),
    ],
)
def test_anything_else_is_refused_and_told_apart(note: str, refused: type[ValueError], why: str) -> None:
    with pytest.raises(refused, match=why):
        notes.read(note, [NEUMANN, OURS.public])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "memory.example.org",
        str(OURS.public).replace("+", " ", 1),
        str(OURS.public)[:-4],
        str(OURS.public).replace(OURS.public.id.hex(), "00000000"),
        f"a name{str(OURS.public).removeprefix('memory.example.org')}",
    ],
)
def test_what_is_no_public_key_is_refused(text: str) -> None:
    with pytest.raises(NotAKey):
        PublicKey.parse(text)
