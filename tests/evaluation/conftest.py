"""A tenant to import into."""

import pytest

from tests.api.cast import Organisation, organisation


@pytest.fixture
def acme(db: None) -> Organisation:
    return organisation("acme")
