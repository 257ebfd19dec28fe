"""Surfaces translate: whatever they change, a service changes for them."""

import ast
import re
from typing import Any

# The API's own bookkeeping, which no other surface shares: each writes only rows of `memory_admin.api`.
OWN_BOOKKEEPING = {"memory_admin/api/idempotency.py", "memory_admin/api/limits.py"}
# Commands that prepare a database, as an operator does; they serve no request.
COMMANDS = "/management/commands/"

WRITES = {"save", "create", "bulk_create", "bulk_update", "get_or_create", "update_or_create", "acreate", "asave"}
WRITES_OF_ROWS = {"update", "delete", "aupdate", "adelete"}  # a dictionary has these too
WRITING_SQL = re.compile(r"\s*(INSERT INTO|UPDATE \w+ SET|DELETE FROM|TRUNCATE|ALTER|CREATE|DROP)\b", re.IGNORECASE)
OF_ROWS = {"objects", "filter", "exclude", "all", "get"}


def writes_in(tree: ast.Module) -> list[int]:
    """Find the lines that write rows: through a model, through a queryset, or by SQL."""
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            receiver = {part.attr for part in ast.walk(node.func.value) if isinstance(part, ast.Attribute)}
            if node.func.attr in WRITES or (node.func.attr in WRITES_OF_ROWS and receiver & OF_ROWS):
                lines.append(node.lineno)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and WRITING_SQL.match(node.value):
            lines.append(node.lineno)
    return lines


def test_no_surface_writes(surfaces: list[Any]) -> None:
    found = [
        f"{source.name}:{line}"
        for source in surfaces
        if source.name not in OWN_BOOKKEEPING and COMMANDS not in source.name and "/migrations/" not in source.name
        for line in writes_in(source.tree)
    ]

    assert found == []


def test_the_scan_sees_every_way_of_writing() -> None:
    planted = """
memory.save()
Memory.objects.create(statement="x")
Memory.objects.filter(id=1).update(statement="x")
queries.visible_to(by).filter(id=1).delete()
Memory.objects.bulk_create([])
cursor.execute("UPDATE memories_memory SET statement = 'x'")
"""
    harmless = """
context.update(said="x")
cache.delete("x")
memories.erase(memory_id=1)
"""

    assert writes_in(ast.parse(planted)) == [2, 3, 4, 5, 6, 7]
    assert writes_in(ast.parse(harmless)) == []
