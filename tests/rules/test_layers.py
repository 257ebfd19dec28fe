"""Who may import whom."""

import re
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]

# The project around the packages, and what starts it.
BESIDE_THE_LADDER = {
    "memory_admin.boot",
    "memory_admin.celery",
    "memory_admin.embedded",
    "memory_admin.logs",
    "memory_admin.management",
    "memory_admin.settings",
    "memory_admin.wsgi",
}
SURFACES = (
    "memory_admin.api",
    "memory_admin.portal",
    "memory_admin.web",
    "memory_admin.console",
    "memory_admin.styleguide",
    "memory_admin.urls",
)


def package_of(module: str) -> str:
    return ".".join(module.split(".")[: 2 if module.startswith("memory_admin") else 1])


def test_every_contract_is_kept() -> None:
    linter = Path(sys.executable).with_name("lint-imports")

    said = subprocess.run([linter, "--no-logo", "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)

    assert said.returncode == 0, said.stdout


def test_every_package_stands_on_the_ladder(product: list[Any]) -> None:
    contracts = ConfigParser()
    contracts.read(ROOT / ".importlinter")
    ladder = set(re.findall(r"[\w.]+", contracts["importlinter:contract:ladder"]["layers"]))

    packages = {package_of(source.module) for source in product} - {"memory_admin"}

    assert packages - ladder == BESIDE_THE_LADDER


def test_nothing_imports_tasks(product: list[Any]) -> None:
    found = [
        f"{source.name} imports {name}" for source in product for name in source.imports() if name.endswith(".tasks")
    ]

    assert found == []


def test_the_domain_knows_no_http(product: list[Any]) -> None:
    below = [source for source in product if not package_of(source.module).startswith(SURFACES)]
    ours = [source for source in below if package_of(source.module) not in BESIDE_THE_LADDER]

    found = [
        f"{source.name} imports {name}"
        for source in ours
        for name in source.imports()
        if name.startswith(("django.http", "django.shortcuts", "django.views"))
    ]

    assert found == []


def test_nothing_happens_by_signal(product: list[Any]) -> None:
    found = [
        f"{source.name} imports {name}"
        for source in product
        for name in source.imports()
        if name.startswith(("django.dispatch", "django.db.models.signals", "django.core.signals"))
    ]

    assert found == []


def test_modules_are_named_for_what_they_hold(product: list[Any]) -> None:
    empty_words = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "misc", "data", "process"}

    found = [source.name for source in product if empty_words & set(source.module.split("."))]

    assert found == []
