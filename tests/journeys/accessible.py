"""What every page must be for everybody: looked at in a real browser, by axe-core and by hand-written checks."""

from dataclasses import dataclass, field
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 320, "height": 800}

AXE = """async (rules) => {
  const only = rules.length ? {runOnly: {type: "rule", values: rules}} : {};
  const sizes = {"target-size": {enabled: true}};
  const found = await axe.run(document, {resultTypes: ["violations"], rules: sizes, ...only});
  return found.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target} ${node.failureSummary}`));
}"""

# What scrolls sideways by itself (a row of views) or is cut on purpose (words for the ear only) loses nothing.
CUT_OFF = """() => [...document.querySelectorAll("main *, header *, nav *")]
  .filter((one) => one.checkVisibility({checkVisibilityCSS: true}) && !one.closest(".vh, svg, select"))
  .filter((one) => ["hidden", "clip"].includes(getComputedStyle(one).overflowX))
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .filter((one) => !one.matches(".meta"))
  .map((one) => one.outerHTML.slice(0, 120))"""

# Every stop of the Tab key shows where it is: by an outline of its own, or of the switch or line around it.
WITHOUT_FOCUS_MARK = """() => {
  const stops = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")];
  const plain = stops.filter((one) => one.checkVisibility() && !one.disabled && one.type !== "hidden").filter((one) => {
    one.focus({preventScroll: true});
    const style = getComputedStyle(one);
    return document.activeElement === one && (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2);
  });
  document.activeElement.blur();
  return plain.map((one) => one.outerHTML.slice(0, 120));
}"""


@dataclass
class Inspector:
    """Looks at one page in every way it is shown, and keeps what is wrong."""

    page: Page
    wrong: list[str] = field(default_factory=list)

    def inspect(self, name: str, *, thoroughly: bool = False) -> None:
        """Inspect the page that is open: light, dark, 320 pixels wide, and with letters twice as large."""
        self._note(name, "", self._bones())
        self.look(name, thoroughly=thoroughly)

    def look(self, name: str, *, thoroughly: bool = False) -> None:
        """Look at what is open, such as a dialog, and leave the keyboard alone."""
        self._note(name, "light", self._axe())
        self._note(name, "focus", self.page.evaluate(WITHOUT_FOCUS_MARK))
        self.page.emulate_media(color_scheme="dark")
        self._note(name, "dark", self._axe("color-contrast"))
        self.page.emulate_media(color_scheme="light")
        self.page.set_viewport_size(NARROW)  # type: ignore[arg-type]
        self._note(name, "320 px", self._axe(*([] if thoroughly else ["target-size"])) + self._sideways())
        self.page.set_viewport_size(WIDE)  # type: ignore[arg-type]
        self.page.evaluate("document.documentElement.style.fontSize = '200%'")
        self._note(name, "200 %", self._sideways() + self.page.evaluate(CUT_OFF))
        self._note(name, "200 %", self._axe() if thoroughly else [])
        self.page.evaluate("document.documentElement.style.fontSize = ''")

    def _axe(self, *rules: str) -> list[str]:
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        found: list[str] = self.page.evaluate(AXE, list(rules))
        return found

    def _bones(self) -> list[str]:
        page = self.page
        found = [] if page.locator("h1").count() == 1 else [f"{page.locator('h1').count()} first headings"]
        if page.locator("html").get_attribute("lang") != "en":
            found.append("no language")
        if not page.title().removesuffix(" – memory_admin"):
            found.append("no title")
        page.keyboard.press("Tab")
        if page.evaluate("document.querySelector('main [autofocus]') === null"):
            if page.evaluate("document.activeElement.className") != "skip":
                found.append("the first stop of Tab is not the link to the content")
            page.keyboard.press("Enter")
            if page.evaluate("document.activeElement.id") != "main":
                found.append("the link to the content does not go there")
        return found

    def _sideways(self) -> list[str]:
        wide, window = self.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        return [f"scrolls sideways: {wide} of {window}"] if wide > window else []

    def _note(self, name: str, how: str, found: list[Any]) -> None:
        self.wrong += [f"{name} ({how}): {one}" for one in found]
