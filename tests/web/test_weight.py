"""The first page is light, and what it loads is kept by the browser."""

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client, RequestFactory
from pytest_django.fixtures import Settings
from whitenoise.middleware import WhiteNoiseMiddleware

from tests.web.cast import Member

MOST_BYTES = 150_000


def test_the_first_page_weighs_little(client: Client, mia: Member) -> None:
    client.force_login(mia.user)

    answer = client.get("/", headers={"Accept-Encoding": "gzip"})

    assert answer["Content-Encoding"] == "gzip"
    page = gzip.decompress(answer.content).decode()
    loaded = re.findall(r'(?:href|src)="/static/([^"]+)"', page)
    assert len(loaded) > 8
    assert len(answer.content) + sum(_compressed(name) for name in loaded) <= MOST_BYTES


def test_production_serves_hashed_names_compressed_and_for_ever(settings: Settings, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }
    settings.WHITENOISE_USE_FINDERS = False
    call_command("collectstatic", interactive=False, verbosity=0)
    (hashed,) = (path.name for path in (tmp_path / "css").glob("base.*.css"))
    serving = WhiteNoiseMiddleware(lambda request: pytest.fail("the file is not served"))

    answer = serving(RequestFactory().get(f"/static/css/{hashed}", headers={"Accept-Encoding": "gzip"}))

    answer.close()
    assert answer["Content-Encoding"] == "gzip"
    assert answer["Cache-Control"] == "max-age=315360000, public, immutable"


def _compressed(name: str) -> int:
    found = finders.find(name)
    assert found is not None, name
    return len(gzip.compress(Path(found).read_bytes()))
