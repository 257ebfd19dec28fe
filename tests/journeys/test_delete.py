"""Delete a memory, undo it, delete it again, read the receipt: with scripts and without."""

from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from memory_admin.lifecycle.models import ErasureRequest, State
from memory_admin.retrieval import services as retrieval
from memory_admin.tenancy.scope import tenant_scope
from tests.lifecycle.erasing import let_its_time_come, run_jobs

WINDOW, COFFEE, CHESS = "Prefers the window seat", "Likes strong coffee", "Plays chess on Mondays"


def found(larkfield: Any) -> set[str]:
    """Ask what the agent is given."""
    ask = retrieval.Ask(subjects=["user:mia"], query="window seat, coffee, chess", purpose="answer")
    with tenant_scope(larkfield.tenant.id):
        return {item.statement for item in retrieval.search(ask=ask, by=larkfield.relay, now=timezone.now()).items}


def finish(larkfield: Any) -> None:
    """Let the time of the deletion that waits come, and its job run."""
    with tenant_scope(larkfield.tenant.id):
        erasure_id: UUID = ErasureRequest.objects.get(state=State.WAITING).id
        let_its_time_come(erasure_id)
        run_jobs(erasure_id)


def test_a_person_deletes_and_undoes_on_pages(larkfield: Any, open_page: Any) -> None:
    larkfield.said(WINDOW)
    larkfield.said(COFFEE)
    mia = open_page(java_script_enabled=False)
    mia.sign_in()
    heading = mia.page.get_by_role("heading", level=1)

    mia.page.get_by_role("link", name=WINDOW).click()
    mia.page.get_by_role("link", name="Delete", exact=True).click()
    mia.page.get_by_role("button", name="Delete this memory").click()
    expect(heading).to_have_text("The memory is being deleted")
    expect(mia.page.get_by_text("You can take this back for")).to_be_visible()
    assert found(larkfield) == {COFFEE}

    mia.page.get_by_role("button", name="Undo").click()
    expect(heading).to_have_text("The memory is back")
    assert found(larkfield) == {WINDOW, COFFEE}

    mia.page.get_by_role("link", name="Back to my memories").click()
    mia.page.get_by_role("link", name=WINDOW).click()
    mia.page.get_by_role("link", name="Delete", exact=True).click()
    mia.page.get_by_role("button", name="Delete this memory").click()
    finish(larkfield)
    mia.page.reload()
    expect(heading).to_have_text("The memory is deleted")
    expect(mia.page.get_by_text("1 memory, 2 versions")).to_be_visible()
    assert found(larkfield) == {COFFEE}


def test_a_person_deletes_and_undoes_within_the_list(larkfield: Any, open_page: Any) -> None:
    for statement in (CHESS, COFFEE, WINDOW):
        larkfield.said(statement)
    mia = open_page()
    mia.sign_in()
    rows, news = mia.page.locator("#results .mem"), mia.page.locator("#toasts")

    def delete() -> None:
        mia.page.locator("summary", has_text=f"Actions for: {COFFEE}").click()
        rows.filter(has_text=COFFEE).get_by_role("link", name="Delete").click()
        mia.page.get_by_role("dialog").get_by_role("button", name="Delete this memory").click()

    delete()
    expect(rows).to_have_count(2)
    expect(mia.page.get_by_role("link", name=CHESS)).to_be_focused()
    expect(news).to_contain_text("The memory is being deleted")
    assert COFFEE not in found(larkfield)

    expect(news.get_by_role("button", name="Undo")).to_be_visible()
    mia.page.keyboard.press("z")
    expect(rows).to_have_count(3)
    expect(mia.page.get_by_role("link", name=COFFEE)).to_be_focused()
    expect(news).to_contain_text("The memory is back")
    assert COFFEE in found(larkfield)
    news.get_by_role("button", name="Dismiss").click()
    expect(news.locator(".toast")).to_have_count(0)

    delete()
    news.get_by_role("link", name="Receipt").click()
    expect(mia.page.get_by_role("heading", level=1)).to_have_text("The memory is being deleted")
    finish(larkfield)
    # The page asks by itself how far it is, until it is done.
    expect(mia.page.get_by_role("heading", level=1)).to_have_text("The memory is deleted")
    expect(mia.page.get_by_role("button", name="Print")).to_be_visible()
    assert COFFEE not in found(larkfield)


@pytest.mark.parametrize("width", [320, 1280])
def test_no_receipt_scrolls_sideways(larkfield: Any, open_page: Any, width: int) -> None:
    larkfield.said(WINDOW)
    mia = open_page(viewport={"width": width, "height": 800})
    mia.sign_in()
    mia.go(f"{mia.page.locator('.mem .says a').first.get_attribute('href')}delete/")
    mia.page.get_by_role("button", name="Delete this memory").click()
    mia.page.get_by_role("heading", level=1, name="The memory is being deleted").wait_for()
    for finished in (False, True):
        if finished:
            finish(larkfield)
            mia.page.reload()
        assert mia.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
