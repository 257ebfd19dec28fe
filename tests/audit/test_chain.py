"""The pure part of the audit chain: canonical bytes, hashes, and what the check finds."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_admin.audit import chain
from memory_admin.audit.chain import Finding, Link, NotAReference, Problem

TENANT = UUID("018f0000-0000-7000-8000-000000000001")
OTHER = UUID("018f0000-0000-7000-8000-000000000002")
MEMORY = UUID("018f0000-0000-7000-8000-00000000000a")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SALT = b"s" * 16


def metadata(**changes: object) -> bytes:
    told = {"action": "memory.stored", "by": "key:1", "target": ("memory", MEMORY), "at": NOON} | changes
    return chain.metadata(**told)  # type: ignore[arg-type]


def chained(*canonicals: bytes, payloads: Sequence[bytes | None] = ()) -> list[Link]:
    links, last = [], chain.genesis(TENANT)
    for seq, canonical in enumerate(canonicals, start=1):
        body = payloads[seq - 1] if payloads else None
        digest = chain.event_hash(last, canonical)
        links.append(Link(seq, canonical, last, digest, None if body is None else (SALT, body)))
        last = digest
    return links


def findings(links: Sequence[Link], *, size: int | None = None, head: bytes | None = None) -> tuple[Finding, ...]:
    """Check links against the head of the chain as it was before anybody touched it, unless told otherwise."""
    return chain.check(
        TENANT,
        links,
        size=links[-1].seq if size is None else size,
        head=links[-1].hash if head is None else head,
    ).findings


def replaced(link: Link, **changes: object) -> Link:
    values = {name: getattr(link, name) for name in ("seq", "canonical", "prev_hash", "hash", "payload")} | changes
    return Link(**values)


def test_the_canonical_bytes_are_sorted_metadata_without_spaces() -> None:
    canonical = metadata(policy_version="write/3", request_id="r-1", payload=b"\x01\xff")

    assert canonical == (
        b'{"action":"memory.stored","at":"2026-03-01T12:00:00.000000Z","by":"key:1","payload":"01ff",'
        b'"policy_version":"write/3","request_id":"r-1",'
        b'"target":{"id":"018f0000-0000-7000-8000-00000000000a","kind":"memory"}}'
    )


def test_one_instant_has_one_form_whatever_its_offset() -> None:
    in_oslo = NOON.astimezone(timezone(timedelta(hours=2)))

    assert metadata(at=in_oslo) == metadata(at=NOON)


def test_a_time_without_an_offset_is_refused() -> None:
    with pytest.raises(ValueError, match="offset"):
        metadata(at=datetime(2026, 3, 1, 12))


@pytest.mark.parametrize("field", ["action", "by", "policy_version", "request_id"])
@pytest.mark.parametrize("text", ["Prefers the window seat", "mia@example.org", "", "x" * 129, "a\n", "é"])
def test_metadata_refuses_words_addresses_and_names(field: str, text: str) -> None:
    with pytest.raises(NotAReference):
        metadata(**{field: text})


def test_hashes_are_separated_by_domain() -> None:
    assert chain.event_hash(b"p" * 32, b"{}") == sha256(b"\x01" + b"p" * 32 + b"{}").digest()
    assert chain.commitment(SALT, b"{}") == sha256(b"\x00" + SALT + b"{}").digest()


def test_ids_times_and_sets_have_a_canonical_form() -> None:
    assert chain.canonicalise({"id": MEMORY, "at": NOON, "rules": {"b", "a"}, "n": 0.5, "none": None}) == (
        b'{"at":"2026-03-01T12:00:00.000000Z","id":"018f0000-0000-7000-8000-00000000000a","n":0.5,"none":null,'
        b'"rules":["a","b"]}'
    )


@given(st.sets(st.integers(1, 60)))
def test_runs_hold_exactly_the_numbers_given(numbers: set[int]) -> None:
    runs = list(chain.runs(numbers))

    assert {n for first, last in runs for n in range(first, last + 1)} == numbers
    assert all(next_first > last + 1 for (_, last), (next_first, _) in pairwise(runs))


def test_an_untouched_chain_holds() -> None:
    body = b'{"kind":"fact"}'
    links = chained(metadata(), metadata(payload=chain.commitment(SALT, body)), metadata(), payloads=[None, body, None])

    checked = chain.check(TENANT, links, size=3, head=links[-1].hash)

    assert checked.holds
    assert (checked.events, checked.head, checked.first_bad) == (3, links[-1].hash, None)


def test_an_empty_chain_holds() -> None:
    assert chain.check(TENANT, [], size=0, head=chain.genesis(TENANT)).holds


@given(at=st.integers(1, 5), column=st.sampled_from(["canonical", "prev_hash", "hash"]), data=st.data())
def test_every_edited_byte_is_found_at_its_event(at: int, column: str, data: st.DataObject) -> None:
    links = chained(*[metadata(request_id=f"r-{n}") for n in range(5)])
    value = bytearray(getattr(links[at - 1], column))
    value[data.draw(st.integers(0, len(value) - 1))] ^= data.draw(st.integers(1, 255))
    head = links[-1].hash
    links[at - 1] = replaced(links[at - 1], **{column: bytes(value)})

    found = findings(links, head=head)

    assert found[0].seq == at


@pytest.mark.parametrize("at", [1, 2, 4])
def test_a_dropped_event_is_found(at: int) -> None:
    links = chained(*[metadata() for _ in range(4)])
    head = links[-1].hash
    del links[at - 1]

    found = findings(links, size=4, head=head)

    assert found[0].seq == at


def test_an_event_rewritten_with_a_fitting_hash_is_found_at_the_next_one() -> None:
    links = chained(*[metadata() for _ in range(3)])
    other = metadata(by="key:2")
    links[1] = replaced(links[1], canonical=other, hash=chain.event_hash(links[1].prev_hash, other))

    assert findings(links) == (Finding(3, Problem.UNLINKED),)


def test_a_tail_that_was_cut_is_found() -> None:
    links = chained(*[metadata() for _ in range(4)])

    assert findings(links[:2], size=4, head=links[-1].hash) == (Finding(3, Problem.CUT),)


def test_the_chain_of_another_tenant_does_not_pass() -> None:
    links = chained(metadata())

    found = chain.check(OTHER, links, size=1, head=links[-1].hash).findings

    assert found == (Finding(1, Problem.UNLINKED),)


def test_a_forged_payload_is_found() -> None:
    links = chained(
        metadata(payload=chain.commitment(SALT, b'{"rule":"a"}')), metadata(), payloads=[b'{"rule":"b"}', None]
    )

    assert findings(links) == (Finding(1, Problem.PAYLOAD_FORGED),)


def test_a_payload_that_was_never_committed_to_is_found() -> None:
    links = chained(metadata(), payloads=[b"{}"])

    assert findings(links) == (Finding(1, Problem.PAYLOAD_FORGED),)


def test_a_missing_payload_without_an_erasure_is_found() -> None:
    links = chained(metadata(payload=chain.commitment(SALT, b"{}")), metadata())

    assert findings(links) == (Finding(1, Problem.PAYLOAD_MISSING),)


def test_a_missing_payload_that_a_later_event_names_is_fine() -> None:
    promised = metadata(payload=chain.commitment(SALT, b"{}"))
    links = chained(promised, promised, metadata(action="payload.erased", erases=[(1, 2)]))

    assert findings(links) == ()


def test_an_erasure_reaches_no_later_event() -> None:
    promised = metadata(payload=chain.commitment(SALT, b"{}"))
    links = chained(metadata(action="payload.erased", erases=[(1, 10**15)]), promised)

    assert findings(links) == (Finding(2, Problem.PAYLOAD_MISSING),)


@pytest.mark.parametrize("canonical", [b"not json", b"[]", b'{"erases":7}', b'{"erases":[["a","b"]]}', b"\xff"])
def test_bytes_that_are_no_metadata_are_found_and_stop_nothing(canonical: bytes) -> None:
    links = chained(metadata(), canonical, metadata(payload=chain.commitment(SALT, b"{}")))

    assert findings(links) == (Finding(2, Problem.UNREADABLE), Finding(3, Problem.PAYLOAD_MISSING))


def test_a_chain_rewritten_whole_passes_and_only_a_head_kept_elsewhere_tells() -> None:
    """The limit that the design states: who owns the database can rewrite all of it, head included."""
    kept_elsewhere = chained(metadata(), metadata())[-1].hash
    rewritten = chained(metadata(), metadata(by="key:2"))

    checked = chain.check(TENANT, rewritten, size=2, head=rewritten[-1].hash)

    assert checked.holds
    assert checked.head != kept_elsewhere


def test_a_chain_broken_everywhere_is_told_briefly() -> None:
    links = [replaced(link, hash=b"x" * 32) for link in chained(*[metadata() for _ in range(300)])]

    assert len(findings(links)) == chain.FINDINGS_KEPT
