"""Mia and Jonas of Larkfield."""

import pytest

from tests.portal.cast import Larkfield, Person, found


@pytest.fixture
def larkfield(db: None) -> Larkfield:
    return found("larkfield")


@pytest.fixture
def mia(larkfield: Larkfield) -> Person:
    return larkfield.join("Mia")


@pytest.fixture
def jonas(larkfield: Larkfield) -> Person:
    return larkfield.join("Jonas")
