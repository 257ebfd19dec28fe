"""Every variable that is read stands in `.env.example`, with a word on what it is for."""

import ast
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
READING = re.compile(r"""os\.(environ(?!\.setdefault|\["\w+"\] = )|getenv)""")  # setting one is no reading
READERS = {"text", "required", "flag", "number", "words", "key"}


def variables_read(sources: list[Any]) -> set[str]:
    return {
        node.args[0].value
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call)
        and (
            (
                isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "env"
            )
            or (isinstance(node.func, ast.Name) and source.module == "memory_admin.env")
        )
        and (node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id) in READERS
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    }


def test_every_variable_is_in_the_example_and_the_example_names_no_other(product: list[Any]) -> None:
    example = set(re.findall(r"^#?\s?([A-Z][A-Z0-9_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))

    assert example == variables_read(product)


def test_the_environment_is_read_in_one_place(product: list[Any]) -> None:
    found = [
        source.name
        for source in product
        if READING.search(source.text)
        and source.module != "memory_admin.env"
        and not source.module.startswith("memory_admin.embedded")  # hands it on to the servers it starts
    ]

    assert found == []
