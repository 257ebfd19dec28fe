"""One installation for all trials, with everything running when a trial begins."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.durability.installation import Installation


@pytest.fixture(scope="session")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """The installation with its servers up and the tenant north in it."""
    folder = tmp_path_factory.mktemp("own")
    one = Installation(folder)
    try:
        one.found()
        yield one
    finally:
        one.stop()
        shutil.rmtree(folder)


@pytest.fixture
def installation(founded: Installation) -> Installation:
    """The installation with web process, worker and scheduler running, whatever was killed before."""
    founded.run()
    return founded
