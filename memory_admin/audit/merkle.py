"""Hashing many things into one, so that each can be shown to be among them without the others. Pure.

The tree of RFC 9162, section 2.1: a leaf hashes as SHA-256(0x00 ‖ leaf), a node as SHA-256(0x01 ‖ left ‖ right), and a
tree of n leaves divides at the largest power of two below n.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Literal

Step = tuple[Literal["left", "right"], bytes]
"""One hash on the way from a leaf to the root, and on which side of what was hashed so far it stands."""


def leaf_hash(leaf: bytes) -> bytes:
    """Hash a leaf."""
    return sha256(b"\x00" + leaf).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """Hash all leaves into one: the root of their tree."""
    return _root([leaf_hash(leaf) for leaf in leaves])


def path_of(leaves: Sequence[bytes], index: int) -> list[Step]:
    """Give the proof that the leaf at an index is in the tree: what it is hashed with, from the leaf to the root.

    :raises IndexError: there is no such leaf
    """
    if not 0 <= index < len(leaves):
        raise IndexError(index)
    return _path([leaf_hash(leaf) for leaf in leaves], index)


def climb(leaf: bytes, path: Iterable[Step]) -> bytes:
    """Compute the root that a leaf and its path lead to."""
    reached = leaf_hash(leaf)
    for side, other in path:
        reached = _node(other, reached) if side == "left" else _node(reached, other)
    return reached


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def _root(hashes: Sequence[bytes]) -> bytes:
    if not hashes:
        return sha256().digest()
    if len(hashes) == 1:
        return hashes[0]
    at = _division(len(hashes))
    return _node(_root(hashes[:at]), _root(hashes[at:]))


def _path(hashes: Sequence[bytes], index: int) -> list[Step]:
    if len(hashes) == 1:
        return []
    at = _division(len(hashes))
    if index < at:
        return [*_path(hashes[:at], index), ("right", _root(hashes[at:]))]
    return [*_path(hashes[at:], index - at), ("left", _root(hashes[:at]))]


def _division(size: int) -> int:
    """Give the largest power of two below a size of at least two."""
    return 1 << ((size - 1).bit_length() - 1)
