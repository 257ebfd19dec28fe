"""docs/policies.md prints what the code says."""

from __future__ import annotations

from pathlib import Path

from django.core.management import call_command

from policies.baseline import ACCESS, WRITE
from policies.handbook import STORED, page


def test_the_page_equals_the_code() -> None:
    assert STORED.read_text(encoding="utf-8") == page(), "run manage.py policies_doc"


def test_the_command_writes_it(tmp_path: Path) -> None:
    call_command("policies_doc", to=tmp_path / "policies.md", verbosity=0)

    assert (tmp_path / "policies.md").read_text(encoding="utf-8") == page()


def test_every_rule_is_on_it() -> None:
    printed = page()

    ids = [*(rule.id for rule in WRITE.rules), *(rule.id for rule in ACCESS.rules), WRITE.default.id, ACCESS.default.id]
    assert [rule_id for rule_id in ids if f"| {rule_id} |" not in printed] == []
