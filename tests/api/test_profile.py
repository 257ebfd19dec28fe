import pytest

from accounts.models import Subject
from accounts.vocabulary import Channel, Scope
from tests.api.cast import Caller, Organisation

ZONE = "/subjects/user:alice/profile/timezone"


@pytest.fixture(autouse=True)
def _alice(alice: Subject) -> None:
    """Every test is about her."""


def test_a_keyed_fact_is_put_read_and_listed(helper: Caller) -> None:
    put = helper.put(ZONE, {"value": "Europe/Oslo"})

    assert put.status_code == 201
    read = helper.get(ZONE)
    assert read.json()["value"] == "Europe/Oslo"
    assert read.json()["statement"] == "Timezone: Europe/Oslo."
    assert read["ETag"] == '"1"'
    assert [entry["key"] for entry in helper.get("/subjects/user:alice/profile").json()["items"]] == ["timezone"]


def test_a_new_value_replaces_the_version_that_is_named(helper: Caller) -> None:
    old = helper.put(ZONE, {"value": "Europe/Oslo"}).json()

    unnamed = helper.put(ZONE, {"value": "America/Lima"})
    wrong = helper.put(ZONE, {"value": "America/Lima"}, If_Match='"7"')
    named = helper.put(ZONE, {"value": "America/Lima"}, If_Match='"1"')

    assert (unnamed.status_code, wrong.status_code, named.status_code) == (428, 412, 201)
    assert helper.get(ZONE).json()["value"] == "America/Lima"
    assert helper.get(f"/memories/{old['id']}").json()["status"] == "superseded"


def test_a_value_is_not_put_over_a_version_that_does_not_exist(helper: Caller) -> None:
    answered = [helper.put(ZONE, {"value": "Europe/Oslo"}, If_Match=tag) for tag in ('"7"', "*")]

    assert [one.status_code for one in answered] == [412, 412]
    assert helper.get(ZONE).status_code == 404


def test_true_and_one_are_two_values(helper: Caller) -> None:
    at, said = "/subjects/user:alice/profile/newsletter", "The newsletter is set."
    helper.put(at, {"value": 1, "statement": said})

    again = helper.put(at, {"value": 1.0, "statement": said})
    changed = helper.put(at, {"value": True, "statement": said}, If_Match='"1"')

    assert (again.status_code, changed.status_code) == (200, 201)
    assert helper.get(at).json()["value"] is True


def test_the_same_value_again_changes_nothing(helper: Caller) -> None:
    first = helper.put(ZONE, {"value": "Europe/Oslo"}).json()

    again = helper.put(ZONE, {"value": "Europe/Oslo"})

    assert (again.status_code, again.json()["id"], again.json()["version"]) == (200, first["id"], 1)


def test_an_erased_entry_is_gone(helper: Caller) -> None:
    helper.put(ZONE, {"value": "Europe/Oslo"})

    assert helper.delete(ZONE).status_code == 202
    assert helper.get(ZONE).status_code == 404
    assert helper.delete(ZONE).status_code == 404


def test_an_agents_own_value_waits_for_the_person(north: Organisation, helper: Caller) -> None:
    agent = north.caller(channel=Channel.AGENT)

    assert agent.put(ZONE, {"value": "Europe/Oslo"}).status_code == 202
    assert helper.get(ZONE).status_code == 404


def test_who_may_not_read_finds_out_nothing_by_putting_and_deleting(north: Organisation, helper: Caller) -> None:
    writer = north.with_agent("Writer").caller(channel=Channel.TOOL, scopes=[Scope.PROFILE_WRITE])
    helper.put(ZONE, {"value": "Europe/Oslo"})
    elsewhere = ZONE.replace("timezone", "language")

    def tried(at: str) -> list[tuple[int, list[str]]]:
        answers = [
            writer.put(at, {"value": "Europe/Oslo"}),
            writer.put(at, {"value": "America/Lima"}),
            writer.put(at, {"value": "America/Lima"}, If_Match='"1"'),
            writer.put(at, {"value": "America/Lima"}, If_Match="*"),
            writer.delete(at),
            writer.delete(at, If_Match='"7"'),
        ]
        return [(answered.status_code, sorted(answered.json())) for answered in answers]

    assert [status for status, _ in tried(ZONE)] == [202, 202, 412, 412, 404, 404]
    assert tried(ZONE) == tried(elsewhere)
    assert helper.get(ZONE).json()["value"] == "Europe/Oslo"


def test_who_erases_an_entry_can_follow_it(north: Organisation, helper: Caller) -> None:
    keeper = north.caller(scopes=[Scope.PROFILE_WRITE])
    keeper.put(ZONE, {"value": "Europe/Oslo"})

    taken = keeper.delete(ZONE)

    assert keeper.get(taken["Location"].removeprefix("/api/v1")).json() == taken.json()


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (True, "Timezone: yes."),
        (2.5, "Timezone: 2.5."),
        (["a", 1, False], "Timezone: a, 1, no."),
        ({"a": [None]}, 'Timezone: {"a":[null]}.'),
    ],
)
def test_a_value_without_a_sentence_gets_one_in_plain_words(helper: Caller, value: object, said: str) -> None:
    assert helper.put(ZONE, {"value": value}).json()["statement"] == said


@pytest.mark.parametrize("key", ["Time Zone", "time%20zone", "UPPER", "x" * 65, "..%2f"])
def test_a_key_that_is_no_name_is_refused(helper: Caller, key: str) -> None:
    assert helper.put(f"/subjects/user:alice/profile/{key}", {"value": 1}).status_code in (400, 404)


def test_a_subject_is_summed_up(helper: Caller) -> None:
    helper.put(ZONE, {"value": "Europe/Oslo"})

    told = helper.get("/subjects/user:alice").json()

    assert told["memories"] == 1
    assert told["by_kind"] == {"fact": 1}
    assert told["by_status"] == {"active": 1}
    assert told["memory_mode"] == "on"
