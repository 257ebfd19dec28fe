"""What the product expects of a server before migrations can run: roles, extensions, rights."""

from pathlib import Path
from typing import Final, LiteralString, Protocol

from psycopg import Connection

SCRIPT: Final = Path(__file__).with_name("bootstrap.sql")

# One row per thing: its name, and whether it is as it should be.
_EXPECTED: Final = """
SELECT 'PostgreSQL 16 or newer', current_setting('server_version_num')::int >= 160000
UNION ALL
SELECT 'the role ' || name, EXISTS (SELECT FROM pg_roles WHERE rolname = name)
  FROM unnest(ARRAY['memory_owner', 'memory_migrate', 'memory_app', 'memory_reader', 'memory_backup']) name
UNION ALL
SELECT 'the extension ' || name, EXISTS (SELECT FROM pg_extension WHERE extname = name)
  FROM unnest(ARRAY['vector', 'btree_gist']) name
UNION ALL
SELECT 'the database''s owner memory_owner', EXISTS
  (SELECT FROM pg_database WHERE datname = current_database() AND pg_get_userbyid(datdba) = 'memory_owner')
UNION ALL
SELECT 'the right of memory_migrate to assume memory_owner', EXISTS
  (SELECT FROM pg_auth_members WHERE pg_get_userbyid(member) = 'memory_migrate'
      AND pg_get_userbyid(roleid) = 'memory_owner')
"""


class Cursor(Protocol):
    """Django's cursor or psycopg's: both will do."""

    def execute(self, query: LiteralString, /) -> object: ...
    def fetchall(self) -> list[tuple[str, bool]]: ...


def run(connection: Connection) -> None:
    """Make the roles, extensions and rights in the connected database; the connected role must be a superuser."""
    connection.execute(SCRIPT.read_text())


def missing(cursor: Cursor) -> list[str]:
    """Name what the connected database lacks of what migrations expect; an empty list when it lacks nothing."""
    cursor.execute(_EXPECTED)
    return [name for name, fine in cursor.fetchall() if not fine]
