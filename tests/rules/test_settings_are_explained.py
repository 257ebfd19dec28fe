"""Every variable that the code reads stands in `.env.example`, and no other."""

from __future__ import annotations

import re

from memory_admin import env

READ = re.compile(r"env\.(?:text|flag|number|words|key)\(\s*\"([A-Z_]+)\"")
IN_ENV_ITSELF = re.compile(r"\btext\(\"([A-Z_]+)\"")


def test_every_variable_is_explained() -> None:
    code = [
        path.read_text()
        for package in ("accounts", "policies", "memory_admin")
        for path in (env.ROOT / package).rglob("*.py")
    ]
    read = {name for content in code for name in READ.findall(content)}
    read |= set(IN_ENV_ITSELF.findall((env.ROOT / "memory_admin/env.py").read_text()))

    assert set(env.read_file((env.ROOT / ".env.example").read_text())) == read
