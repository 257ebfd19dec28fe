"""What an erasure looks for, and what is listed, is found by an index that leaves no row out."""

import pytest
from django.db import connection


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("memories_memory", "tenant_id, recorded_at DESC, id DESC"),
        ("memories_writedecision", "tenant_id, memory_id"),
        ("memories_dispute", "tenant_id, memory_id"),
        ("retrieval_retrievalcandidate", "tenant_id, memory_id"),
        ("retrieval_retrievalcandidate", "tenant_id, subject_id"),
    ],
)
def test_a_whole_index_begins_with_what_is_looked_for(db: None, table: str, columns: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE tablename = %s", [table])
        whole = [definition for (definition,) in cursor.fetchall() if " WHERE " not in definition]

    assert any(f"({columns}" in definition for definition in whole)
