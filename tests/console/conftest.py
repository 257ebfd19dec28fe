"""The staff of Larkfield, and Mia, about whom things are remembered."""

import pytest

from tests.console.cast import House, house
from tests.portal.cast import Person


@pytest.fixture
def larkfield(db: None) -> House:
    return house("larkfield")


@pytest.fixture
def mia(larkfield: House) -> Person:
    return larkfield.tenant_house.join("Mia")
