"""What a process does before it serves."""

import logging
import os

import pytest
from celery.signals import worker_init
from django.db import connection
from pytest_django.fixtures import Settings

from memory_admin.boot import boot
from memory_admin.indexing import embedding
from memory_admin.tenancy.checks import UnsafeDatabase


@pytest.fixture(autouse=True)
def not_loaded() -> None:
    embedding._load.cache_clear()


@pytest.mark.django_db(transaction=True)
def test_the_model_is_there_before_the_first_request_and_works_in_a_forked_process() -> None:
    boot()

    assert embedding._load.cache_info().currsize == 1
    assert connection.connection is None
    child = os.fork()
    if child == 0:  # as the web server and the worker do
        os._exit(embedding.embed(["Prefers tea."]).shape != (1, 384) or embedding._load.cache_info().misses != 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.django_db(transaction=True)
def test_a_process_starts_without_the_model_and_says_so(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.EMBEDDING_MODEL = "/nowhere"

    with caplog.at_level(logging.WARNING):
        boot()

    assert "The embedding model is unavailable" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_worker_ends_when_it_must_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise UnsafeDatabase("the connected role is a superuser")

    monkeypatch.setattr("memory_admin.boot.refuse_unsafe_database", refuse)

    with pytest.raises(SystemExit, match="is a superuser"):
        worker_init.send(sender=None)
