"""What people and agents write is text on every page: it runs nothing, asks no other host, and makes no link.

Every page of a journey is watched: a request to another host, an error, or a word of the content policy fails it.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from accounts.actors import Actor, system
from accounts.services import create_agent, issue_key
from accounts.vocabulary import Channel, Scope
from memory_admin.memories import services as memories
from memory_admin.memories.models import Memory
from memory_admin.memories.services import Claim, SourceIn
from memory_admin.retrieval.services import Ask, search
from memory_admin.tenancy.scope import tenant_scope
from tests.journeys.conftest import Cast, Open, Watched
from tests.journeys.test_console import come_in, staff

__all__ = ["staff"]

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"

# Markup that would mark the page if it became markup.
MARKS = (
    "<script>document.documentElement.dataset.ran = 'yes'</script>",
    '"><img src=x onerror="document.documentElement.dataset.ran = \'yes\'">',
    "</textarea><svg onload=\"document.documentElement.dataset.ran = 'yes'\">",
    "' autofocus onfocus='document.documentElement.dataset.ran = 1",
    '<a hx-get="https://x.example.net/" hx-trigger="load">soon</a>',
    "[more](javascript:document.documentElement.dataset.ran=1)",
)
AGENT = "Helper <img src=//x.example.net/a onerror=\"document.documentElement.dataset.ran = 'yes'\">"


def texts() -> list[str]:
    """Take the public cases that are about rendering, and the naughty strings that look like markup or a formula."""
    cases = [json.loads(line) for line in (DATA / "write-screening-cases.jsonl").read_text().splitlines()]
    chosen = [case["text"] for case in cases if case["cat"] in ("xss_csv", "exfiltration")]
    assert len(chosen) >= 6
    naughty = [text for text in json.loads((DATA / "naughty-strings.json").read_text()) if "<" in text or "=" in text]
    return [*chosen, *MARKS, *(text for text in naughty[::12] if text.strip() and "\0" not in text)]


@pytest.fixture
def written(larkfield: Cast) -> list[Memory]:
    """Memories, agents, sources and disputes about Mia whose every word is one of the texts."""
    now, by = timezone.now(), system("tests", tenant_id=larkfield.tenant.id)
    with tenant_scope(larkfield.tenant.id):
        agent = create_agent(name=AGENT, by=by, now=now)
        key = issue_key(agent=agent, scopes=tuple(Scope), channel=Channel.USER_MESSAGE, by=by, now=now).key
    actor = Actor(
        kind="agent",
        tenant_id=larkfield.tenant.id,
        channel=Channel.USER_MESSAGE,
        agent_id=agent.id,
        agent_name=AGENT,
        key_id=key.id,
        scopes=frozenset(Scope),
    )
    for number, text in enumerate(texts()):
        source = SourceIn(trace_id=text, message_id=f"m-{number}", quote=f"I said {text}", speaker=text[:60])
        for channel, origin in ((Channel.USER_MESSAGE, "stated"), (Channel.TOOL, "inferred")):
            claim = Claim(
                subject_ref="user:mia",
                kind="event",
                statement=f"{text} (by {channel.label})",
                origin=origin,
                channel=channel,
                source=source,
            )
            with tenant_scope(larkfield.tenant.id):
                memories.capture(claim=claim, by=actor, now=now)
    with tenant_scope(larkfield.tenant.id):
        search(ask=Ask(subjects=["user:mia"], query="said <b>that</b>", purpose="chat"), by=actor, now=now)
        return list(Memory.objects.filter(statement__contains="<").order_by("id"))


def look(watched: Watched, path: str) -> str:
    """Open a page and wait until it is quiet; nothing on it may have run."""
    watched.go(path)
    watched.page.wait_for_load_state("networkidle")
    assert watched.page.evaluate("document.documentElement.dataset.ran ?? null") is None, path
    odd = "a[href^='javascript:'], [onerror], [onload], main img, main script, main [hx-trigger='load']"
    assert watched.page.locator(odd).count() == 0, path
    return watched.page.inner_text("main")


def test_what_is_written_about_a_person_is_text_on_every_page_of_theirs(
    larkfield: Cast, written: list[Memory], open_page: Open
) -> None:
    mia = open_page()
    mia.sign_in()
    marked = [memory for memory in written if "dataset.ran" in memory.statement]
    assert len(written) > 12
    assert marked

    for number in range(1, 5):
        look(mia, f"/?page={number}")
    for memory in [*marked[:4], *written[:3]]:
        address = f"/memories/{memory.id}/"
        assert " ".join(memory.statement.split())[:40] in " ".join(look(mia, address).split())
        # What waits for an answer is answered and not disputed.
        disputed = ("dispute/",) if memory.status == "active" else ()
        for page in ("correct/", *disputed, "pause/", "delete/", "proof/"):
            look(mia, address + page)
    mia.go(f"/memories/{next(one.id for one in marked if one.status == 'active')}/dispute/")
    mia.page.get_by_label("Something else").check()
    mia.page.get_by_label("Anything that helps to check it").fill(MARKS[1])
    mia.page.locator("main form button[type=submit]").click()
    mia.page.wait_for_load_state("networkidle")
    look(mia, mia.page.url.removeprefix(mia.address))
    for path in (
        "/?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E",
        "/?status=quarantined",
        "/not-saved/",
        "/privacy/",
        "/receipts/",
    ):
        look(mia, path)


def test_what_is_written_about_a_person_is_text_on_every_page_of_the_staff(
    larkfield: Cast, staff: None, written: list[Memory], open_page: Open
) -> None:
    sofia = open_page()
    page = come_in(sofia)

    for path in (
        "",
        "agents/",
        "retrievals/",
        "policy-requests/",
        "reviews/",
        "reviews/refusals/",
        "subjects/",
        "audit/",
    ):
        look(sofia, f"/console/{path}")
    assert AGENT in look(sofia, "/console/agents/")
    sofia.go("/console/retrievals/")
    page.locator("tbody th a").first.click()
    page.get_by_label("Why do you need the texts?").select_option("complaint")
    page.get_by_role("button", name="Show the texts").click()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.dataset.ran ?? null") is None
    assert page.locator("main img, main script").count() == 0


def test_the_texts_hold_what_would_be_noticed() -> None:
    held: Any = "\n".join(texts())

    assert "onerror=alert(1)" in held
    assert "=HYPERLINK" in held
    assert "![ok](https://pix.example.net" in held
