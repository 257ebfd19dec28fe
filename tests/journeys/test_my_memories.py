"""Sign in, see everything, put it right, delete it: with scripts and without, by mouse and by keyboard."""

from typing import Any

import pytest
from playwright.sync_api import expect

WITH_AND_WITHOUT_SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])


@WITH_AND_WITHOUT_SCRIPTS
def test_a_person_sees_what_is_remembered_and_why(larkfield: Any, open_page: Any, scripts: bool) -> None:
    larkfield.said("Prefers the window seat on trains", quote="a window seat please")
    mia = open_page(java_script_enabled=scripts)

    mia.sign_in()

    row = mia.page.get_by_role("listitem").filter(has_text="Prefers the window seat on trains").first
    expect(row).to_contain_text("Stated")
    expect(row).to_contain_text("to Travel assistant")
    expect(row).to_contain_text("a window seat please")
    expect(row).to_contain_text("Rule W-310 of write policy version 1")


@WITH_AND_WITHOUT_SCRIPTS
def test_a_person_corrects_a_memory(larkfield: Any, open_page: Any, scripts: bool) -> None:
    larkfield.said("Is a vegetarian", kind="fact")
    mia = open_page(java_script_enabled=scripts)
    mia.sign_in()

    mia.page.get_by_role("link", name="Is a vegetarian", exact=True).click()
    mia.page.get_by_role("link", name="Correct").click()
    mia.page.get_by_label("It is right, but something is missing").check()
    mia.page.get_by_label("How should it read?").fill("Eats vegetarian on trips; fish is fine at home")
    mia.page.get_by_role("button", name="Save correction").click()

    expect(mia.page.get_by_role("heading", level=1)).to_have_text("Eats vegetarian on trips; fish is fine at home")
    expect(mia.page.get_by_role("status").first).to_contain_text("No agent uses the old text any more")
    expect(mia.page.locator(".change del")).to_have_text("Is a vegetarian")


@WITH_AND_WITHOUT_SCRIPTS
def test_a_person_deletes_a_memory_and_sees_what_came_of_it(larkfield: Any, open_page: Any, scripts: bool) -> None:
    larkfield.said("Prefers the window seat on trains")
    larkfield.said("Wants answers in English", kind="instruction")
    mia = open_page(java_script_enabled=scripts)
    mia.sign_in()

    mia.page.get_by_text("Actions for: Prefers the window seat on trains").locator("..").click()
    mia.page.get_by_role("link", name="Delete").first.click()
    expect(mia.page.get_by_role("heading", name="Delete this memory?")).to_be_visible()
    mia.page.get_by_role("button", name="Delete this memory").click()

    if scripts:
        expect(mia.page.locator("#toasts")).to_contain_text("The memory is being deleted")
    else:
        expect(mia.page.get_by_role("heading", level=1)).to_have_text("The memory is being deleted")
        mia.page.get_by_role("link", name="Back to my memories").click()
    expect(mia.page.get_by_text("1 memory.")).to_be_visible()
    expect(mia.page.get_by_text("Prefers the window seat on trains")).to_have_count(0)


@WITH_AND_WITHOUT_SCRIPTS
def test_a_person_answers_what_waits(larkfield: Any, open_page: Any, scripts: bool) -> None:
    larkfield.noted("Prefers an aisle seat on short flights")
    mia = open_page(java_script_enabled=scripts)
    mia.sign_in()

    mia.page.get_by_role("button", name="Yes, remember it").click()

    expect(mia.page.get_by_text("Active, confirmed by you")).to_be_visible()


def test_a_filter_takes_effect_when_it_is_chosen(larkfield: Any, open_page: Any) -> None:
    larkfield.said("Prefers the window seat on trains")
    larkfield.noted("Works from home on Fridays", kind="fact")
    mia = open_page()
    mia.sign_in()

    mia.page.get_by_label("Origin").select_option(label="Inferred")

    expect(mia.page.get_by_role("link", name="Works from home on Fridays").last).to_be_visible()
    expect(mia.page.get_by_role("link", name="Prefers the window seat on trains")).to_have_count(0)


def test_every_step_of_a_deletion_is_reached_by_keyboard(larkfield: Any, open_page: Any) -> None:
    larkfield.said("Prefers the window seat on trains")
    mia = open_page()
    mia.sign_in()
    page = mia.page

    _tab_to(page, "Actions for: Prefers the window seat on trains")
    page.keyboard.press("Enter")
    _tab_to(page, "Delete")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Delete this memory?").wait_for()
    assert page.evaluate("document.activeElement.textContent.trim()") == "Delete this memory?"
    page.keyboard.press("Tab")
    expect(page.get_by_label("Do not learn this again")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent.trim()") == "Keep"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.locator("#toasts")).to_contain_text("The memory is being deleted")
    expect(page.locator("#results .mem")).to_have_count(0)


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/password/reset/", "/accounts/signup/"])
def test_a_page_before_sign_in_stands_in_the_middle(open_page: Any, transactional_db: None, path: str) -> None:
    stranger = open_page(viewport={"width": 1280, "height": 900})

    stranger.go(path)

    box = stranger.page.locator("main").bounding_box()
    assert box["x"] + box["width"] / 2 == pytest.approx(640, abs=10)
    assert box["width"] < 500


def test_an_open_menu_closes_on_escape_and_gives_the_focus_back(larkfield: Any, open_page: Any) -> None:
    larkfield.said("Prefers the window seat on trains")
    mia = open_page()
    mia.sign_in()
    menu = mia.page.locator("details.menu.end")

    menu.locator("summary").click()
    mia.page.keyboard.press("Escape")

    expect(menu).not_to_have_attribute("open", "")
    assert mia.page.evaluate("document.activeElement.tagName") == "SUMMARY"


@pytest.mark.parametrize("width", [320, 390, 768, 1280, 1700])
def test_no_page_scrolls_sideways(larkfield: Any, open_page: Any, width: int) -> None:
    larkfield.said(f"Likes words like {'antidisestablishmentarianism' * 8}", kind="fact")
    mia = open_page(viewport={"width": width, "height": 800})
    mia.sign_in()
    memory = mia.page.locator(".mem .says a").first.get_attribute("href")

    for path in ("/", memory, f"{memory}correct/", f"{memory}dispute/", f"{memory}delete/", "/add/", "/not-saved/"):
        mia.go(path)
        assert mia.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path


def test_markup_in_a_memory_stays_text(larkfield: Any, open_page: Any) -> None:
    larkfield.said("Writes <img src=x onerror=alert(1)> and <b>bold</b> by hand", kind="fact")
    mia = open_page()
    mia.sign_in()

    expect(
        mia.page.get_by_role("link", name="Writes <img src=x onerror=alert(1)> and <b>bold</b> by hand")
    ).to_be_visible()
    assert mia.page.locator(".says b, .says img").count() == 0


def _tab_to(page: Any, name: str) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            return
    raise AssertionError(f"{name} is not reached by Tab")
