"""Take pictures of the pages, of the demo tenant in a folder that is thrown away.

make screenshots                                  the README's, into docs/images/
.venv/bin/python -m docs.screenshots --all DIR    every page that links lead to, wide, on a phone and dark
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import Browser, Page, StorageState, sync_playwright

from tests.machine import CHROMIUM, QUIETLY, free_port

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
# What would lead the product to other servers than its own.
FOREIGN = ("DATABASE_URL", "DATABASE_OWNER_URL", "CELERY_BROKER_URL", "CACHE_URL", "ENVIRONMENT")
LARGEST = 150_000  # bytes of a picture in the README

Theme = Literal["light", "dark"]
WIDE, PHONE = (1280, 860), (390, 780)


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture of the README.

    :ivar links: what is followed from the page that is opened first, each as a selector of the link
    :ivar query: what the page that it leads to is narrowed by
    """

    name: str
    who: str
    path: str = "/"
    links: tuple[str, ...] = ()
    query: str = ""
    size: tuple[int, int] = WIDE
    theme: Theme = "light"


SEAT = 'main .mem a:has-text("Prefers the window seat")'
PICTURES = (
    Picture("memories", "mia"),
    Picture("memory-dark", "mia", "/?q=window+seat", (SEAT,), "outcome=given", (1280, 1240), "dark"),
    Picture("memories-phone", "mia", size=PHONE),
    Picture("receipt", "mia", "/receipts/", ('main a[href*="/deleted/"]',)),
    Picture("retrieval", "amara", "/console/retrievals/", ("main tbody th a",), size=(1280, 1160)),
)

# Of `--all`: each page in these sizes and themes, and of pages that differ in an id alone so many.
LOOKS: tuple[tuple[str, tuple[int, int], Theme], ...] = (
    ("wide", WIDE, "light"),
    ("phone", PHONE, "light"),
    ("dark", WIDE, "dark"),
)
OF_A_KIND = 4
NOBODY = "nobody"  # who looks without signing in
BEGINNINGS = {NOBODY: ("/", "/help/", "/styleguide/")}  # the style guide leads to every error
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|(?<=/)\d+(?=/)")
LEADS_AWAY = re.compile(r"/logout/|/static/|/download|\.(csv|json)\b|^/api/v1/|/tenant/")


@dataclass(frozen=True, slots=True)
class Product:
    """The running product: its address, and the password of each person by the first part of their e-mail."""

    address: str
    passwords: dict[str, str]


@contextmanager
def running() -> Iterator[Product]:
    """Run the product with the demo tenant, in a folder that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
        process = subprocess.Popen(
            [sys.executable, "manage.py", "run"],
            cwd=ROOT,
            env={**environment, "DATA_DIR": folder, "PORT": str(port), "DEBUG": "true"},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if line.startswith("Ctrl-C"):
                    break
            sign_ins = json.loads((Path(folder) / "demo.json").read_text())["sign_ins"]
            passwords = {one["email"].partition("@")[0]: one["password"] for one in sign_ins}
            yield Product(f"http://localhost:{port}", passwords)
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=120)


class Camera:
    """A browser in which each person signs in once."""

    def __init__(self, browser: Browser, product: Product) -> None:
        self.browser, self.product = browser, product
        self._signed_in: dict[str, StorageState] = {}

    @contextmanager
    def page_of(self, who: str, size: tuple[int, int], theme: Theme, path: str = "/") -> Iterator[Page]:
        """Open a page as somebody sees it."""
        if who != NOBODY and who not in self._signed_in:
            self._signed_in[who] = self._sign_in(who)
        width, height = size
        context = self.browser.new_context(
            storage_state=self._signed_in.get(who),
            viewport={"width": width, "height": height},
            color_scheme=theme,
            reduced_motion="reduce",
        )
        page = context.new_page()
        page.goto(urljoin(self.product.address, path))
        yield page
        context.close()

    def _sign_in(self, who: str) -> StorageState:
        context = self.browser.new_context()
        page = context.new_page()
        page.goto(f"{self.product.address}/")
        page.get_by_label("E-mail").fill(f"{who}@larkfield.example")
        page.get_by_label("Password", exact=True).fill(self.product.passwords[who])
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("heading", level=1).wait_for()
        page.goto(f"{self.product.address}/")  # what greets somebody once has been shown
        state = context.storage_state()
        context.close()
        return state


def take_readme(camera: Camera) -> None:
    """Take the pictures of the README."""
    IMAGES.mkdir(exist_ok=True)
    for picture in PICTURES:
        with camera.page_of(picture.who, picture.size, picture.theme, picture.path) as page:
            for link in picture.links:
                page.locator(link).first.click()
                page.wait_for_load_state("networkidle")
            if picture.query:
                page.goto(f"{page.url}?{picture.query}")
            taken = page.screenshot(path=IMAGES / f"{picture.name}.png")
        print(f"{picture.name}.png: {len(taken) // 1000} kB")
        if len(taken) > LARGEST:
            raise SystemExit(f"It may have {LARGEST // 1000} kB.")


def take_all(camera: Camera, folder: Path) -> None:
    """Take every page that links lead each person to, and somebody who is not signed in."""
    folder.mkdir(parents=True, exist_ok=True)
    for who in (NOBODY, *camera.product.passwords):
        with camera.page_of(who, WIDE, "light") as page:
            paths = list(_reached(page, BEGINNINGS.get(who, ("/",))))
        for look, size, theme in LOOKS:
            with camera.page_of(who, size, theme) as page:
                for number, path in enumerate(paths):
                    page.goto(urljoin(camera.product.address, path))
                    name = "-".join(re.findall(r"[\w-]+", ID.sub("id", path))) or "home"
                    page.screenshot(path=folder / f"{who}-{number:03}-{name[:60]}-{look}.png", full_page=True)
        print(f"{who}: {len(paths)} pages")


def _reached(page: Page, beginnings: tuple[str, ...]) -> Iterator[str]:
    """Follow links from where somebody begins, and give the path and query of each page of the product that answers."""
    host = urlsplit(page.url).netloc
    waiting = deque(beginnings)
    seen, of_a_kind = set(waiting), Counter[str]()
    while waiting:
        path = waiting.popleft()
        if of_a_kind[_kind(path)] == OF_A_KIND:
            continue
        answer = page.goto(urljoin(page.url, path))
        kind = _kind(_within(page.url))  # it may have led elsewhere, such as to the sign-in
        if answer is None or of_a_kind[kind] == OF_A_KIND or not (answer.ok or "/errors/" in path):
            continue
        if "text/html" not in answer.headers.get("content-type", ""):
            continue
        of_a_kind[kind] += 1
        yield path
        links: list[str] = page.eval_on_selector_all("a[href]", "found => found.map(link => link.href)")
        ours = [_within(link) for link in links if urlsplit(link).netloc == host]
        new = [link for link in dict.fromkeys(ours) if link not in seen and not LEADS_AWAY.search(link)]
        seen.update(new)
        waiting.extend(new)


def _within(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _kind(path: str) -> str:
    """Name what pages have in common that differ in ids and in the values of their query alone."""
    return re.sub(r"=[^&]*", "", ID.sub("id", path))


def main() -> None:
    """Start the product, take the pictures, and stop it."""
    parser = argparse.ArgumentParser(description="Take pictures of the demo tenant's pages.")
    parser.add_argument("--all", metavar="DIR", type=Path, help="take every page into this folder")
    asked = parser.parse_args()
    with running() as product, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=QUIETLY)
        camera = Camera(browser, product)
        if asked.all:
            take_all(camera, asked.all)
        else:
            take_readme(camera)
        browser.close()


if __name__ == "__main__":
    main()
