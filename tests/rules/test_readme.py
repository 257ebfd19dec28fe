"""What the README tells is so."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands
from django.utils import timezone

from accounts.actors import system
from accounts.services import create_agent, create_tenant, ensure_subject, issue_key
from accounts.vocabulary import Channel, Scope
from memory_admin.tenancy.scope import tenant_scope
from policies.services import install_baseline

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


@pytest.fixture
def key(transactional_db: None) -> str:
    """A key as `make run` prints it: of an agent that may relay the person's words."""
    now = timezone.now()
    tenant = create_tenant(slug="larkfield", name="Larkfield", now=now)
    by = system("readme", tenant_id=tenant.id)
    install_baseline(tenant_id=tenant.id, by=by, now=now)
    with tenant_scope(tenant.id):
        ensure_subject(ref="user:mia", by=by, now=now)
        agent = create_agent(name="Travel assistant", by=by, now=now)
        return issue_key(agent=agent, scopes=list(Scope), channel=Channel.USER_MESSAGE, by=by, now=now).text


def test_the_agent_of_the_readme_stores_and_finds(
    key: str, live_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert example.count("\n") <= 14

    exec(example.replace("http://localhost:8000", live_server.url).replace("mk_…", key), {})

    assert "Prefers the aisle seat on short flights. – " in capsys.readouterr().out


def test_every_command_it_names_exists() -> None:
    named = set(re.findall(r"`(?:manage\.py )?([a-z]+_[a-z_]+)(?: [-A-Z][^`]*)?`", README))

    assert named - set(get_commands()) - {"memory_admin"} == set()


def test_every_path_it_names_exists() -> None:
    named = re.findall(r"^\| `([\w./-]+)` \|", README, re.MULTILINE)

    assert len(named) > 5
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_target_of_make_that_it_names_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))

    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", README, re.MULTILINE)) - targets == set()


def test_every_link_between_the_docs_leads_somewhere() -> None:
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())
        if not (page.parent / target).exists()
    ]

    assert broken == []
