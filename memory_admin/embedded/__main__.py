"""`python -m memory_admin.embedded start|stop`: the embedded servers by hand."""

import sys

from memory_admin import embedded


def main() -> int:
    """Do what the first argument says."""
    match sys.argv[1:]:
        case ["start"]:
            embedded.ensure_postgres()
            embedded.ensure_valkey()
        case ["stop"] if embedded.in_use():
            sys.stderr.write("PostgreSQL and Valkey keep running: other programs are connected.\n")
        case ["stop"]:
            embedded.stop()
        case _:
            sys.stderr.write("Usage: python -m memory_admin.embedded start|stop\n")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
