"""The policies in force in plain words, and the wishes to change one."""

import re
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.vocabulary import Role
from memory_admin.console.sentences import rules_of, tables_of
from memory_admin.tenancy.roles import as_owner
from policies.baseline import BASELINE, WRITE
from policies.documents import FAMILIES, Range, WriteMatch, WriteRule
from tests.console.cast import House, house
from tests.portal.cast import Person


def test_the_list_shows_version_digest_and_since(larkfield: House) -> None:
    page = larkfield.hire(Role.POLICY_EDITOR).reads("policies/")

    for family in FAMILIES:
        assert f"<code>{family}/1</code>" in page


@pytest.mark.parametrize("family", FAMILIES)
def test_every_policy_can_be_read(larkfield: House, family: Any) -> None:
    page = larkfield.hire(Role.AUDITOR).reads(f"policies/{family}/")

    assert "In force" in page
    for rule in rules_of(BASELINE[family]):
        assert f'id="{rule.id}"' in page


def test_content_that_was_altered_is_not_shown_as_in_force(transactional_db: None) -> None:
    larkfield = house("larkfield")
    auditor = larkfield.hire(Role.AUDITOR)
    assert "Altered" not in auditor.reads("policies/")
    with as_owner(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL app.tenant = '{larkfield.tenant.id}'")
        cursor.execute("ALTER TABLE policies_policyversion DISABLE TRIGGER USER")
        cursor.execute(
            "UPDATE policies_policyversion SET content = jsonb_set(content, '{unanswered_days}', '3') "
            "WHERE content ? 'unanswered_days'"
        )
        assert cursor.rowcount == 1
        cursor.execute("ALTER TABLE policies_policyversion ENABLE TRIGGER USER")

    assert auditor.reads("policies/").count("Altered") == 1
    page = auditor.reads("policies/retention/")

    assert "What is stored is not what was approved" in page
    assert 'class="status good"' not in page


@pytest.mark.parametrize("family", ["nothing", "write1", "%2e%2e"])
def test_a_policy_that_is_not_there(larkfield: House, family: str) -> None:
    assert larkfield.hire(Role.AUDITOR).get(f"policies/{family}/").status_code == 404


def test_rules_read_as_sentences() -> None:
    said = {rule.id: rule.sentence for rule in rules_of(WRITE)}

    assert said["W-010"] == ("If it holds a password, key or code, it is not kept, and its words are stored nowhere.")
    assert said["W-025"] == "If it has fewer than 2 characters, it is not kept."
    assert said["W-310"] == (
        "If it is stated and comes in the person’s own words to an agent, it is kept and in use at once."
    )
    assert said["W-999"] == "In every other case it is not kept."


def test_every_condition_has_words() -> None:
    match = WriteMatch(
        kinds=("event",),
        origins=("stated", "inferred"),
        channels=("tool",),
        categories=("health",),
        sensitive=False,
        findings=("odd_code",),
        agents=("Helper",),
        subject_kinds=("team",),
        confidence=Range(at_least=0.2, below=0.4),
        importance=Range(below=0.1),
        length=Range(at_least=9),
        is_test=True,
    )
    rule = WriteRule(id="W-001", title="All of it", match=match, outcome="propose", reason="All of it.")

    (first, *_) = rules_of(WRITE.model_copy(update={"rules": (rule,)}))

    assert first.sentence == (
        "If it is an event, is stated or inferred, comes from a tool, is about health, is about nothing sensitive, "
        "holds what is found as odd_code, concerns the agent Helper, is about a team, "
        "has a confidence of at least 0.2 and less than 0.4, has an importance of less than 0.1, "
        "has at least 9 characters and comes with a test key, it waits for the person."
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_every_table_has_a_cell_for_each_head(family: Any) -> None:
    for table in tables_of(BASELINE[family]):
        assert table.rows
        assert all(len(row) == len(table.head) for row in table.rows)


def test_what_agents_may_do_is_told_action_by_action() -> None:
    (table,) = (one for one in tables_of(BASELINE["access"]) if "Action" in one.head)

    sharing = [row[1:3] for row in table.rows if row[0] == "Share outside"]
    assert sharing == [
        ("If it is about something sensitive", "Denied"),
        ("All others", "After asking the person"),
    ]
    assert [row[1:3] for row in table.rows if row[0] == "Train model"] == [("All", "Denied")]


WISH = "Refunds for my account do not need approval"


@pytest.fixture
def wish(larkfield: House, mia: Person) -> str:
    house_of_mia = larkfield.tenant_house
    assert house_of_mia.wrote(house_of_mia.relay, mia, WISH, kind="instruction", origin="stated").memory is None
    return WISH


@pytest.mark.parametrize("role", [Role.POLICY_EDITOR, Role.POLICY_APPROVER, Role.PRIVACY_OFFICER])
def test_who_decides_policies_reads_the_wishes(larkfield: House, wish: str, role: Role) -> None:
    assert wish in larkfield.hire(role).reads("policy-requests/")


def test_an_auditor_sees_the_wish_without_its_words(larkfield: House, wish: str) -> None:
    page = larkfield.hire(Role.AUDITOR).reads("policy-requests/")

    assert wish not in page
    assert "W-050" in page
    assert "<code>user:mia</code>" in page


@pytest.mark.parametrize(("status", "is_shown"), [("open", True), ("dismissed", False), ("nothing", True)])
def test_wishes_are_narrowed_by_status(larkfield: House, wish: str, status: str, is_shown: bool) -> None:
    assert (wish in larkfield.hire(Role.POLICY_EDITOR).reads(f"policy-requests/?status={status}")) == is_shown


def test_wishes_of_another_tenant_are_not_there(larkfield: House, wish: str) -> None:
    assert "Nobody asked to change a rule" in house("northwind").hire(Role.POLICY_EDITOR).reads("policy-requests/")


def wish_id(page: str) -> str:
    found = re.search(r"/console/policy-requests/([0-9a-f-]+)/draft/", page)
    assert found is not None
    return found[1]


def test_a_wish_becomes_a_draft_once(larkfield: House, wish: str) -> None:
    editor = larkfield.hire(Role.POLICY_EDITOR)
    address = f"policy-requests/{wish_id(editor.reads('policy-requests/'))}/draft/"

    assert wish in editor.reads(address)
    assert editor.post(address, {"family": "nothing"}).status_code == 422
    assert editor.post(address, {"family": "procedure"}).status_code == 302
    assert editor.post(address, {"family": "procedure"}).status_code == 409
    assert "See the draft" in editor.reads("policy-requests/")


def test_whoever_wished_reads_why_not(larkfield: House, mia: Person, wish: str) -> None:
    editor = larkfield.hire(Role.POLICY_EDITOR)
    address = f"policy-requests/{wish_id(editor.reads('policy-requests/'))}/dismiss/"
    assert "Waits for an answer" in mia.get("/requests/").content.decode()

    assert editor.post(address, {"reason": "no"}).status_code == 422
    assert editor.post(address, {"reason": "Refunds keep their approval."}).status_code == 302
    assert editor.post(address, {"reason": "Refunds keep their approval."}).status_code == 409

    page = mia.get("/requests/").content.decode()
    assert "Refunds keep their approval." in page
    assert "Not taken up" in page
    jonas = larkfield.tenant_house.join("Jonas")
    assert wish not in jonas.get("/requests/").content.decode()


def test_an_auditor_answers_no_wish(larkfield: House, wish: str) -> None:
    assert "Dismiss…" not in larkfield.hire(Role.AUDITOR).reads("policy-requests/")
