"""Two organisations, and the agents that call."""

import pytest

from accounts.models import Subject
from tests.api.cast import Caller, Organisation, organisation


@pytest.fixture
def north(db: None) -> Organisation:
    """The organisation most tests are about."""
    return organisation("north")


@pytest.fixture
def alice(north: Organisation) -> Subject:
    """A person of north."""
    return north.subject("user:alice")


@pytest.fixture
def helper(north: Organisation, alice: Subject) -> Caller:
    """An agent trusted to relay what people say, with every scope."""
    return north.caller()
