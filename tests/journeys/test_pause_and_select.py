"""Pause what agents may use, do something about many memories, allow again: with scripts and without."""

from typing import Any

import pytest
from playwright.sync_api import expect

from memory_admin.lifecycle.models import ErasureRequest
from memory_admin.tenancy.scope import tenant_scope
from tests.lifecycle.erasing import run_jobs

WITH_AND_WITHOUT_SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])


@WITH_AND_WITHOUT_SCRIPTS
def test_a_person_pauses_everything_and_resumes_it(larkfield: Any, open_page: Any, scripts: bool) -> None:
    larkfield.said("Prefers the window seat on trains")
    mia = open_page(java_script_enabled=scripts)
    mia.sign_in()

    mia.page.get_by_role("link", name="Privacy", exact=True).first.click()
    mia.page.get_by_label("Paused", exact=True).check()
    mia.page.get_by_role("button", name="Save", exact=True).click()
    mia.page.get_by_role("link", name="My memories").first.click()

    strip = mia.page.get_by_role("region", name="Paused")
    expect(strip).to_contain_text("Memory is paused.")
    strip.get_by_role("button", name="Resume").click()
    expect(mia.page.get_by_role("status").first).to_contain_text("Memory is on again")
    expect(strip).to_have_count(0)


@WITH_AND_WITHOUT_SCRIPTS
def test_a_person_pauses_a_category_and_an_agent(larkfield: Any, open_page: Any, scripts: bool) -> None:
    larkfield.said("Prefers the window seat on trains", categories=("travel",))
    mia = open_page(java_script_enabled=scripts)
    mia.sign_in()
    mia.go("/privacy/")

    mia.page.get_by_role("switch", name="Travel assistant").uncheck()
    mia.page.get_by_role("button", name="Save these switches").first.click()
    mia.page.get_by_role("switch", name="Travel 1 memory").uncheck()
    mia.page.get_by_role("button", name="Save these switches").last.click()

    expect(mia.page.get_by_role("switch", name="Travel assistant")).not_to_be_checked()
    expect(mia.page.get_by_text("Paused by you.")).to_have_count(2)
    mia.go("/")
    expect(mia.page.get_by_role("listitem").filter(has_text="Paused with its category").first).to_be_visible()


@WITH_AND_WITHOUT_SCRIPTS
def test_a_person_deletes_those_they_ticked_and_allows_them_again(
    larkfield: Any, open_page: Any, scripts: bool
) -> None:
    for city in ("Oslo", "Bergen", "Lisbon"):
        larkfield.said(f"Likes {city}")
    mia = open_page(java_script_enabled=scripts)
    mia.sign_in()
    expect(mia.page.get_by_role("form", name="Selected memories")).to_be_hidden()

    mia.page.get_by_label("Select: Likes Oslo").check()
    mia.page.get_by_label("Select: Likes Bergen").check()
    mia.page.get_by_role("form", name="Selected memories").get_by_role("button", name="Delete").click()
    expect(mia.page.get_by_role("heading", name="Delete 2 memories?")).to_be_visible()
    mia.page.get_by_role("button", name="Delete 2 memories").click()

    expect(mia.page.get_by_role("heading", level=1)).to_have_text("2 memories are being deleted")
    with tenant_scope(larkfield.tenant.id):
        run_jobs(ErasureRequest.objects.get().id)
    if not scripts:  # with them the page asks by itself how far it is
        mia.page.reload()
    expect(mia.page.get_by_role("heading", level=1)).to_have_text("2 memories are deleted")
    mia.page.get_by_role("link", name="Do not remember").first.click()
    mia.page.get_by_role("button", name="Allow again").click()
    expect(mia.page.get_by_role("heading", name="Nothing is kept out")).to_be_visible()


def test_rows_are_ticked_by_keyboard(larkfield: Any, open_page: Any) -> None:
    larkfield.said("Likes Oslo")
    larkfield.said("Likes Bergen")
    mia = open_page()
    mia.sign_in()

    for key in ("j", "j", "x"):
        mia.page.keyboard.press(key)

    expect(mia.page.get_by_label("Select: Likes Oslo")).to_be_checked()
    expect(mia.page.get_by_role("form", name="Selected memories")).to_be_visible()


@pytest.mark.parametrize("width", [320, 1280])
def test_none_of_these_pages_scrolls_sideways(larkfield: Any, open_page: Any, width: int) -> None:
    larkfield.said(f"Likes words like {'antidisestablishmentarianism' * 8}", kind="fact", categories=("travel",))
    mia = open_page(viewport={"width": width, "height": 800})
    mia.sign_in()
    memory = mia.page.locator(".mem .says a").first.get_attribute("href")

    for path in (
        f"{memory}pause/",
        "/privacy/",
        "/kept-out/",
        "/receipts/",
        "/?sort=used",
        "/selected/delete/?all=yes",
        "/selected/pause/?all=yes",
    ):
        mia.go(path)
        assert mia.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path
