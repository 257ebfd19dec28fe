"""Questions in dialogs, the list that narrows while one types, keys that act, and what happens without a network."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect


@pytest.fixture
def mia(larkfield: Any, open_page: Any) -> Any:
    larkfield.said("Prefers the window seat on trains")
    larkfield.said("Drinks tea without sugar", kind="fact")
    larkfield.noted("Works from home on Fridays", kind="fact")
    watched = open_page()
    watched.sign_in()
    return watched


def _has_the_focus(page: Page, text: str) -> None:
    """Wait until what has the focus reads so: the browser moves it a moment after a dialog is gone."""
    page.wait_for_function("(text) => document.activeElement.textContent.trim() === text", arg=text)


def test_a_key_asks_in_a_dialog_and_escape_gives_the_focus_back(mia: Any) -> None:
    page = mia.page
    page.get_by_role("link", name="Drinks tea without sugar", exact=True).focus()

    page.keyboard.press("d")
    expect(page.get_by_role("dialog", name="Delete this memory?")).to_be_visible()
    _has_the_focus(page, "Delete this memory?")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") == "checkbox"
    page.keyboard.press("Tab")
    _has_the_focus(page, "Keep")
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
    _has_the_focus(page, "Drinks tea without sugar")
    assert page.locator("#dialog").inner_text() == ""


def test_what_was_typed_is_not_lost_by_one_escape_and_is_sent_by_control_and_enter(mia: Any) -> None:
    page = mia.page
    page.get_by_role("link", name="Drinks tea without sugar", exact=True).focus()
    page.keyboard.press("c")
    page.get_by_label("It was never right").check()
    page.get_by_label("How should it read?").fill("Drinks tea with sugar")

    page.keyboard.press("Escape")
    expect(page.get_by_text("What you typed is not saved.")).to_be_visible()
    page.get_by_label("How should it read?").press("Control+Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("Drinks tea with sugar")


def test_a_key_on_the_page_of_a_memory_gives_the_focus_to_what_it_stands_for(mia: Any) -> None:
    page = mia.page
    page.get_by_role("link", name="Drinks tea without sugar", exact=True).click()
    page.get_by_role("heading", level=1, name="Drinks tea without sugar").wait_for()
    page.wait_for_load_state("load")

    page.keyboard.press("c")
    expect(page.get_by_role("dialog", name="Correct this memory")).to_be_visible()
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
    _has_the_focus(page, "Correct")


def test_enter_on_a_tick_sends_nothing_and_the_news_of_a_page_has_the_focus(mia: Any) -> None:
    page = mia.page
    page.get_by_label("Select: Drinks tea without sugar").press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("document.activeElement.type") == "checkbox"

    page.get_by_role("button", name="Yes, remember it").press("Enter")

    page.get_by_role("heading", level=1, name="Works from home on Fridays").wait_for()
    page.wait_for_function("document.activeElement.textContent.trim().startsWith('Confirmed.')")


def test_what_a_dialog_sends_wrongly_comes_back_as_a_page(mia: Any) -> None:
    page = mia.page
    page.get_by_role("link", name="Drinks tea without sugar", exact=True).focus()
    page.keyboard.press("c")

    page.get_by_label("How should it read?").fill("")
    page.get_by_role("button", name="Save correction").click()

    expect(page.get_by_role("alert").first).to_contain_text("Check what you entered")
    expect(page.get_by_role("heading", level=1)).to_have_text("Correct this memory")
    mia.strayed.clear()  # the browser notes the 422


def test_a_dialog_that_cannot_be_had_becomes_its_page(mia: Any) -> None:
    page = mia.page
    page.evaluate(
        "document.querySelector('[data-key~=d]').href = '/memories/018f0000-0000-7000-8000-00000000000a/delete/'"
    )
    row = page.locator(".mem").first
    row.get_by_role("link").first.focus()

    page.keyboard.press("d")

    expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing here")
    mia.strayed.clear()  # the browser notes the 404


def test_the_keys_of_an_open_memory(mia: Any) -> None:
    page = mia.page
    page.get_by_role("link", name="Works from home on Fridays").first.click()
    page.get_by_role("heading", level=1, name="Works from home on Fridays").wait_for()

    page.keyboard.press("u")
    _has_the_focus(page, "When it was used")
    page.keyboard.press("e")
    expect(page.get_by_role("dialog", name="Correct this memory")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("y")

    expect(page.get_by_text("Active, confirmed by you")).to_be_visible()


def test_the_list_narrows_while_one_types_and_goes_back(mia: Any) -> None:
    page = mia.page

    page.keyboard.press("/")
    page.keyboard.type("window")

    expect(page.locator(".mem")).to_have_count(1)
    expect(page.locator("#matches")).to_have_text("1 of 3 memories match")
    assert page.evaluate("document.activeElement.id") == "id_q"
    expect(page).to_have_url(f"{mia.address}/?q=window&sort=newest")
    page.go_back()
    expect(page.locator(".mem")).to_have_count(3)


def test_without_a_network_the_page_says_so_and_tries_again(mia: Any) -> None:
    page = mia.page

    page.context.set_offline(True)
    page.get_by_label("Search my memories").fill("window")
    expect(page.get_by_role("alert")).to_contain_text("We could not reach the server")
    page.context.set_offline(False)
    page.get_by_label("Search my memories").fill("tea")

    expect(page.locator(".mem")).to_have_count(1)
    expect(page.get_by_role("alert")).to_have_count(0)
    mia.strayed.clear()  # the browser notes the request that failed


def test_a_part_of_a_page_asked_for_after_the_session_ended_leads_to_the_sign_in_and_back(mia: Any) -> None:
    page = mia.page
    page.context.clear_cookies()

    page.get_by_label("Search my memories").fill("window")

    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_a_printed_page_leaves_the_frame_out_and_says_whose_it_is(mia: Any) -> None:
    page = mia.page

    page.emulate_media(media="print")

    for part in (".top", ".side", ".tools", ".mem .menu", ".mem .check"):
        expect(page.locator(part).first).to_be_hidden()
    expect(page.locator(".printed")).to_contain_text(f"Larkfield, Mia: {mia.address}/")
    expect(page.get_by_text("Drinks tea without sugar", exact=True)).to_be_visible()
