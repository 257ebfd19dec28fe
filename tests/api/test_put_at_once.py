"""First values of one key that arrive at the same time."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from tests.api.cast import organisation


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_known", [True, False], ids=["known subject", "new subject"])
def test_one_is_stored_and_the_others_must_name_what_they_replace(is_known: bool) -> None:
    north = organisation("north")
    helper = north.caller()
    if is_known:
        north.subject("user:alice")

    def put(zone: str) -> int:
        answered = helper.put("/subjects/user:alice/profile/timezone", {"value": zone})
        connection.close()
        return int(answered.status_code)

    with ThreadPoolExecutor(4) as pool:
        statuses = list(pool.map(put, ["Europe/Oslo", "America/Lima", "Asia/Tokyo", "Africa/Accra"]))

    assert sorted(statuses) == [201, 428, 428, 428]
