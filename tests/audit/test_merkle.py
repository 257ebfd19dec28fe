"""The tree of RFC 9162, by the examples that implementations of it share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_admin.audit import merkle

LEAVES = [
    bytes.fromhex(leaf)
    for leaf in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
NO_LEAF = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize("size", range(1, 9))
def test_the_root_is_the_one_of_the_standard(size: int) -> None:
    assert merkle.root_of(LEAVES[:size]).hex() == ROOTS[size - 1]


def test_a_tree_without_leaves_has_a_root() -> None:
    assert merkle.root_of([]).hex() == NO_LEAF


@given(st.lists(st.binary(max_size=4), min_size=1, max_size=70, unique=True), st.data())
def test_each_leaf_climbs_to_the_root_and_no_other_does(leaves: list[bytes], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    path = merkle.path_of(leaves, index)

    assert merkle.climb(leaves[index], path) == merkle.root_of(leaves)
    assert merkle.climb(leaves[index] + b"x", path) != merkle.root_of(leaves)
    assert len(path) <= (len(leaves) - 1).bit_length()


@pytest.mark.parametrize("index", [-1, 8])
def test_there_is_no_path_from_a_leaf_that_is_not_there(index: int) -> None:
    with pytest.raises(IndexError):
        merkle.path_of(LEAVES, index)
