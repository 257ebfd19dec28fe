import pytest

from accounts.models import Subject
from accounts.vocabulary import Channel, Scope
from memory_admin.memories.models import Memory
from memory_admin.tenancy.scope import tenant_scope
from tests.api.cast import Caller, Organisation

SEAT = {"subject": "user:alice", "kind": "preference", "statement": "Prefers a window seat.", "origin": "stated"}


@pytest.fixture
def seat(helper: Caller, alice: Subject) -> str:
    return str(helper.post("/memories", SEAT).json()["id"])


def test_a_correction_makes_a_new_version(helper: Caller, seat: str) -> None:
    corrected = helper.patch(f"/memories/{seat}", {"statement": "Prefers an aisle seat."}, If_Match='"1"')

    assert corrected.status_code == 200
    assert corrected.json()["statement"] == "Prefers an aisle seat."
    assert corrected["ETag"] == '"2"'
    assert helper.get(f"/memories/{seat}")["ETag"] == '"2"'


def test_a_correction_without_a_version_is_refused(helper: Caller, seat: str) -> None:
    answered = helper.patch(f"/memories/{seat}", {"statement": "Prefers an aisle seat."})

    assert (answered.status_code, answered.json()["code"]) == (428, "if_match_required")


@pytest.mark.parametrize("tag", ['"2"', 'W/"1"', "nonsense", '"' + "9" * 30 + '"'])
def test_a_correction_of_another_version_is_refused(helper: Caller, seat: str, tag: str) -> None:
    answered = helper.patch(f"/memories/{seat}", {"statement": "Prefers an aisle seat."}, If_Match=tag)

    assert (answered.status_code, answered.json()["code"]) == (412, "changed_meanwhile")
    assert helper.get(f"/memories/{seat}").json()["statement"] == "Prefers a window seat."


def test_a_correction_of_whichever_version_there_is_says_so_with_an_asterisk(helper: Caller, seat: str) -> None:
    corrected = helper.patch(f"/memories/{seat}", {"statement": "Prefers an aisle seat."}, If_Match="*")

    assert (corrected.status_code, corrected["ETag"]) == (200, '"2"')


@pytest.mark.parametrize("statement", ["Owns a red boat.", "Owns a dog.", "Owns a green kayak."])
def test_a_change_by_another_way_is_answered_alike_whatever_becomes_of_it(
    north: Organisation, helper: Caller, alice: Subject, statement: str
) -> None:
    """One says what was erased, one what is remembered, one something new."""
    about = {**SEAT, "kind": "fact"}
    erased = helper.post("/memories", {**about, "statement": "Owns a red boat."}).json()["id"]
    helper.delete(f"/memories/{erased}")
    helper.post("/memories", {**about, "statement": "Owns a dog."})
    importer = north.caller(channel=Channel.IMPORT)
    own = importer.post("/memories", {**about, "statement": "Owns a blue bicycle."}).json()

    answered = importer.patch(
        f"/memories/{own['memory_id']}", {"statement": statement, "reason": "changed"}, If_Match='"1"'
    )

    assert (answered.status_code, answered.json()) == (202, own)


def test_a_change_is_answered_with_the_memory_that_now_holds(helper: Caller, seat: str) -> None:
    corrected = helper.patch(
        f"/memories/{seat}", {"statement": "Prefers an aisle seat.", "reason": "changed"}, If_Match='"1"'
    ).json()

    assert corrected["id"] != seat
    assert helper.get(f"/memories/{seat}").json()["status"] == "superseded"


def test_a_correction_that_brings_a_secret_is_refused(helper: Caller, seat: str) -> None:
    secret = "".join(["sk", "_live_", "4eC39HqLyjWDarjtT1zdp7dc"])

    answered = helper.patch(f"/memories/{seat}", {"statement": f"The key is {secret}"}, If_Match='"1"')

    assert answered.status_code == 422
    assert answered.json()["rule_ids"] != []
    assert secret not in answered.content.decode()


def test_an_agent_cannot_correct_what_the_person_said(north: Organisation, seat: str) -> None:
    agent = north.caller(channel=Channel.AGENT)

    answered = agent.patch(f"/memories/{seat}", {"statement": "Prefers an aisle seat."}, If_Match='"1"')

    assert (answered.status_code, answered.json()["code"]) == (409, "confirmed_by_the_person")


def test_a_confirmation_is_shown(helper: Caller, seat: str) -> None:
    answered = helper.post(f"/memories/{seat}/confirm")

    assert answered.status_code == 200
    assert answered.json()["provenance"]["confirmed_at"] is not None


def test_only_a_key_that_relays_the_person_confirms(north: Organisation, seat: str) -> None:
    answered = north.caller(channel=Channel.TOOL).post(f"/memories/{seat}/confirm")

    assert (answered.status_code, answered.json()["code"]) == (403, "only_the_person")


def test_a_disputed_memory_says_so(helper: Caller, seat: str) -> None:
    answered = helper.post(f"/memories/{seat}/dispute", {"reason": "wrong", "words": "Never said that."})

    assert answered.status_code == 201
    assert answered.json()["status"] == "disputed"
    assert helper.get(f"/memories/{seat}").json()["status"] == "disputed"
    assert helper.post(f"/memories/{seat}/dispute", {"reason": "wrong"}).status_code == 409


def test_a_superseded_memory_gives_way(helper: Caller, seat: str) -> None:
    newer = {"kind": "preference", "statement": "Prefers an aisle seat.", "origin": "stated"}

    answered = helper.post(f"/memories/{seat}/supersede", newer)

    assert answered.status_code == 201
    assert answered.json()["statement"] == "Prefers an aisle seat."
    assert helper.get(f"/memories/{seat}").json()["status"] == "superseded"


def test_an_erased_memory_is_gone_and_its_erasure_can_be_followed(
    helper: Caller, north: Organisation, seat: str
) -> None:
    taken = helper.delete(f"/memories/{seat}")

    assert taken.status_code == 202
    assert taken["Location"] == f"/api/v1/erasures/{taken.json()['id']}"
    followed = helper.get(f"/erasures/{taken.json()['id']}")
    assert followed.json() == taken.json()
    assert followed.json()["state"] == "erased"
    assert helper.get(f"/memories/{seat}").status_code == 404
    assert helper.delete(f"/memories/{seat}").status_code == 404
    with tenant_scope(north.tenant.id):
        assert Memory.objects.get(id=seat).statement == ""


def test_everything_about_a_subject_can_be_erased(helper: Caller, seat: str) -> None:
    taken = helper.delete("/subjects/user:alice")

    assert taken.status_code == 202
    assert taken.json()["scope"] == "subject"
    assert helper.get("/memories?subject=user:alice").json()["items"] == []


def test_an_agent_cannot_erase_what_the_person_said(north: Organisation, seat: str) -> None:
    agent = north.caller(channel=Channel.AGENT)

    assert agent.delete(f"/memories/{seat}").status_code == 403
    answered = [agent.delete(f"/subjects/user:{name}") for name in ("alice", "nobody")]
    assert [one.status_code for one in answered] == [403, 403]
    assert answered[0].content == answered[1].content


def test_an_erasure_is_followed_by_the_key_that_asked_for_it(north: Organisation, helper: Caller, seat: str) -> None:
    taken = helper.delete(f"/memories/{seat}").json()

    assert north.caller().get(f"/erasures/{taken['id']}").status_code == 404


def test_without_the_scope_the_memory_does_not_exist(north: Organisation, helper: Caller, seat: str) -> None:
    reader = north.caller(scopes=[Scope.MEMORIES_READ])

    answered = reader.delete(f"/memories/{seat}")

    assert answered.status_code == 404
    assert answered.content == helper.get(f"/memories/{'0' * 8}-0000-7000-8000-{'0' * 12}").content
