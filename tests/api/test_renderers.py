from datetime import UTC, datetime

import orjson

from memory_admin.api.renderers import dump


def test_a_number_that_fits_no_integer_leaves_as_a_double() -> None:
    written = dump({"items": [{"value": (10**20, -(10**30), 7)}], "at": datetime(2025, 5, 8, tzinfo=UTC)})

    assert orjson.loads(written) == {"items": [{"value": [1e20, -1e30, 7]}], "at": "2025-05-08T00:00:00Z"}
