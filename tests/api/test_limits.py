from concurrent.futures import ThreadPoolExecutor

import pytest
import time_machine
from django.db import connection

from accounts.models import Subject
from memory_admin.api import conf
from memory_admin.api.models import RateWindow
from tests.api.cast import Caller, organisation


@pytest.fixture
def _three_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "REQUESTS_PER_MINUTE", 3)


@pytest.mark.usefixtures("_three_a_minute")
def test_the_fourth_request_of_a_minute_has_to_wait(helper: Caller) -> None:
    with time_machine.travel("2026-05-08T12:00:10Z", tick=False):
        answers = [helper.get("/whoami") for _ in range(4)]

    assert [answered.status_code for answered in answers] == [200, 200, 200, 429]
    assert [answered["RateLimit-Remaining"] for answered in answers] == ["2", "1", "0", "0"]
    assert answers[3].json()["code"] == "too_many_requests"
    assert answers[3]["Retry-After"] == "60"


@pytest.mark.usefixtures("_three_a_minute")
def test_a_new_minute_begins_anew(helper: Caller) -> None:
    with time_machine.travel("2026-05-08T12:00:00Z", tick=False):
        for _ in range(4):
            helper.get("/whoami")
    with time_machine.travel("2026-05-08T12:01:00Z", tick=False):
        assert helper.get("/whoami").status_code == 200


def test_nobody_is_read_out_by_one_key(helper: Caller, alice: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "READS_OF_ONE_SUBJECT_PER_MINUTE", 2)

    with time_machine.travel("2026-05-08T12:00:10Z", tick=False):
        answers = [helper.get("/memories?subject=user:alice").status_code for _ in range(3)]
        others = helper.get("/whoami").status_code

    assert answers == [200, 200, 429]
    assert others == 200


def test_windows_that_are_over_go_with_the_next_request(helper: Caller, alice: Subject) -> None:
    with time_machine.travel("2026-05-08T12:00:00Z", tick=False):
        helper.get("/memories?subject=user:alice")
    with time_machine.travel("2026-05-08T12:01:00Z", tick=False):
        helper.get("/whoami")

    assert RateWindow.objects.filter(key_id=helper.key_id).count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_three_a_minute")
def test_the_limit_holds_when_all_ask_at_once() -> None:
    caller = organisation("south").caller()

    def ask(_: int) -> int:
        try:
            return int(caller.get("/whoami").status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(ask, range(12)))

    assert sorted(answers) == [200] * 3 + [429] * 9
