"""The process's variables are read in one place; that each is explained is told by `test_settings_are_explained.py`."""

import re
from typing import Any

READING = re.compile(r"""os\.(environ(?!\.setdefault|\["\w+"\] = )|getenv)""")  # setting one is no reading


def test_the_environment_is_read_in_one_place(product: list[Any]) -> None:
    found = [
        source.name
        for source in product
        if READING.search(source.text)
        and source.module != "memory_admin.env"
        and not source.module.startswith("memory_admin.embedded")  # hands it on to the servers it starts
    ]

    assert found == []
