"""The pages of a version: read by its roles, edited, tested, decided by others, and every refusal in plain words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from html.parser import HTMLParser
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.utils import timezone

from accounts.vocabulary import Role
from memory_admin.audit import queries as trail
from memory_admin.tenancy.scope import tenant_scope
from policies import services, standing
from policies.digests import Terms
from policies.documents import FAMILIES, KINDS, ORIGINS
from policies.models import PolicyActivation, PolicyReview, PolicyVersion, ReviewDecision
from tests.console.cast import Colleague, House, house
from tests.policies.council import replace_case, shorter, simulated
from tests.portal.cast import Person

WHY = "Guesses go stale within weeks."


@pytest.fixture
def editor(larkfield: House) -> Colleague:
    return larkfield.hire(Role.POLICY_EDITOR)


@pytest.fixture
def approver(larkfield: House) -> Colleague:
    return surely(larkfield.hire(Role.POLICY_APPROVER))


@pytest.fixture
def officer(larkfield: House) -> Colleague:
    return surely(larkfield.hire(Role.PRIVACY_OFFICER))


def surely(colleague: Colleague) -> Colleague:
    """Let somebody have proved a second factor in this session."""
    Authenticator.objects.get_or_create(user=colleague.user, type="totp", defaults={"data": {"secret": "x"}})
    session = colleague.browser.session
    session["second_factor_set_up"] = True
    session.save()
    return colleague


def within(larkfield: House, do: Callable[[], Any]) -> Any:
    with tenant_scope(larkfield.tenant.id):
        return do()


def drafted(larkfield: House, by: Colleague, days: int = 90, **begin: Any) -> PolicyVersion:
    """Draft a shorter life for guesses about preferences, with the test that it needs."""
    now = timezone.now()
    with tenant_scope(larkfield.tenant.id):
        version = services.begin(
            family="retention", by=by.actor, now=now, title="Guesses live shorter", reason=WHY, **begin
        )
        content = shorter(version.content, days)
        version = services.save(
            version_id=version.id, read_sha256=version.content_sha256, content=content, by=by.actor, now=now
        )
        replace_case(version, by, days, now=now)  # type: ignore[arg-type]
        simulated(version, at=now)
    return version


def in_review(larkfield: House, by: Colleague, **draft: Any) -> PolicyVersion:
    version = drafted(larkfield, by, **draft)
    within(larkfield, lambda: services.submit(version_id=version.id, by=by.actor, now=timezone.now()))
    return version


def page_of(version: PolicyVersion, step: str = "") -> str:
    return f"policies/versions/{version.id}/{step}"


def stored(larkfield: House, version: PolicyVersion) -> PolicyVersion:
    with tenant_scope(larkfield.tenant.id):
        return PolicyVersion.objects.select_related("family").get(id=version.id)


def use_of(larkfield: House, version: PolicyVersion) -> PolicyActivation:
    with tenant_scope(larkfield.tenant.id):
        found = PolicyActivation.objects.filter(version_id=version.id).order_by("-id").first()
    assert found is not None
    return found


def digest_of(larkfield: House, version: PolicyVersion) -> str:
    def read() -> str:
        uses = PolicyActivation.objects.select_related("version__family", "base_version")
        use = uses.filter(version_id=version.id).order_by("-id").first()
        assert use is not None
        return standing.review_digest_of(use)

    return str(within(larkfield, read))


def decisions(larkfield: House, version: PolicyVersion) -> list[str]:
    with tenant_scope(larkfield.tenant.id):
        return list(ReviewDecision.objects.filter(review__version_id=version.id).values_list("kind", flat=True))


# --- reading ---------------------------------------------------------------------------------------------------------


def test_a_draft_says_what_changes_what_is_missing_and_what_one_can_do(larkfield: House, editor: Colleague) -> None:
    page = editor.reads(page_of(drafted(larkfield, editor)))

    assert "Guesses about preferences are kept 90 days instead of" in page
    assert "Tightens" in page
    assert "Guards: 8 of 8 met" in page
    assert "Nothing stored would end otherwise." in page
    assert "Send for review…" in page
    assert "Approve…" not in page


@pytest.mark.parametrize("family", FAMILIES)
def test_the_baseline_of_every_family_has_a_page_and_a_sheet(larkfield: House, family: str) -> None:
    auditor = larkfield.hire(Role.AUDITOR)
    with tenant_scope(larkfield.tenant.id):
        version = PolicyVersion.objects.get(family__key=family)

    page = auditor.reads(page_of(version))

    assert "In force" in page
    assert "Your role reads policies. It changes and decides nothing." in page
    assert '<a class="btn primary"' not in page
    assert version.content_sha256 in auditor.reads(page_of(version, "sheet/"))


def test_whoever_edited_any_round_sees_no_approve_button_and_why(larkfield: House) -> None:
    both = surely(larkfield.hire(Role.POLICY_EDITOR, Role.POLICY_APPROVER))
    version = in_review(larkfield, both)

    page = both.reads(page_of(version))

    assert "Approve…" not in page
    assert "You had a hand in this version, so you cannot approve it." in page
    answer = both.post(page_of(version, "approve/"), {"read": digest_of(larkfield, version), "comment": ""})
    assert answer.status_code == 403
    assert decisions(larkfield, version) == []


# --- deciding --------------------------------------------------------------------------------------------------------


def test_an_approval_takes_a_second_factor_and_the_page_says_how(larkfield: House, editor: Colleague) -> None:
    version = in_review(larkfield, editor)
    approver = larkfield.hire(Role.POLICY_APPROVER)

    assert "Set one up" in approver.reads(page_of(version))
    assert "Approve 1 change" not in approver.reads(page_of(version, "approve/"))
    answer = approver.post(page_of(version, "approve/"), {"read": digest_of(larkfield, version), "comment": ""})

    assert answer.status_code == 403
    assert decisions(larkfield, version) == []


def test_an_approval_names_exactly_what_is_approved(larkfield: House, editor: Colleague, approver: Colleague) -> None:
    version = in_review(larkfield, editor)
    digest = digest_of(larkfield, version)

    asked = approver.reads(page_of(version, f"approve/?read={digest}"))
    assert f"You approve digest {digest[:4]} {digest[4:8]} … {digest[-4:]}: 1 change, from its release" in asked
    answer = approver.post(page_of(version, "approve/"), {"read": digest, "comment": ""})

    assert answer.status_code == 302
    assert stored(larkfield, version).state == "approved"
    assert "Approved" in approver.reads(page_of(version))
    again = approver.post(page_of(version, "approve/"), {"read": digest, "comment": ""})
    assert again.status_code == 409
    assert decisions(larkfield, version) == ["approve"]


def test_an_approval_of_what_has_changed_meanwhile_shows_the_difference(
    larkfield: House, editor: Colleague, approver: Colleague
) -> None:
    version = in_review(larkfield, editor)
    read, content = digest_of(larkfield, version), json.dumps(version.content)
    with tenant_scope(larkfield.tenant.id):
        seen = last_event(version)
        services.save(
            version_id=version.id,
            read_sha256=version.content_sha256,
            content=shorter(version.content, 30),
            by=editor.actor,
            now=timezone.now(),
        )
        again = PolicyVersion.objects.get(id=version.id)
        replace_case(again, editor, 30, now=timezone.now())  # type: ignore[arg-type]
        services.submit(version_id=version.id, by=editor.actor, now=timezone.now())

    form = {"read": read, "seen": seen, "content": content, "comment": ""}
    answer = approver.post(page_of(version, "approve/"), form)

    assert answer.status_code == 409
    told = answer.content.decode()
    assert "Round 2 is different from what you read" in told
    assert "Guesses about preferences are kept 30 days instead of 90." in told
    assert "edited it" in told
    assert approver.get(page_of(version, f"approve/?read={read}&seen={seen}")).status_code == 409
    assert decisions(larkfield, version) == []


def last_event(version: PolicyVersion) -> int:
    newest = trail.events_of(version.id).last()
    assert newest is not None
    return newest.seq


@pytest.mark.parametrize(
    ("step", "state"), [("request-changes/", "draft"), ("reject/", "rejected"), ("comment/", "in_review")]
)
def test_objections_need_words_and_are_kept_with_them(
    larkfield: House, editor: Colleague, approver: Colleague, step: str, state: str
) -> None:
    version = in_review(larkfield, editor)
    form = {"read": digest_of(larkfield, version), "comment": "no"}

    refused = approver.post(page_of(version, step), form)
    assert refused.status_code == 422
    assert 'value="' in refused.content.decode()
    assert stored(larkfield, version).state == "in_review"
    answer = approver.post(page_of(version, step), {**form, "comment": "Ninety days are too few."})

    assert answer.status_code == 302
    assert stored(larkfield, version).state == state
    assert "Ninety days are too few." in editor.reads(page_of(version))


def test_high_risk_takes_two_and_a_privacy_officer(
    larkfield: House, editor: Colleague, approver: Colleague, officer: Colleague
) -> None:
    with tenant_scope(larkfield.tenant.id):
        version = services.begin(
            family="procedure", by=editor.actor, now=timezone.now(), title="How refunds go", reason=WHY
        )
    procedure = {"name": "greeting", "title": "Greeting", "text": "Ask first.", "owner": "support", "agents": []}
    saves(editor, version, {"schema_version": 1, "procedures": [procedure]})
    editor.post(
        page_of(version, "tests/add/"),
        {"name": "It is there", "given": '{"name": "greeting"}', "expect": '{"found": true}', "added_for": ""},
    )
    assert editor.post(page_of(version, "submit/")).status_code == 302

    assert "2 approvals, one by a privacy officer" in approver.reads(page_of(version))
    for colleague in (approver, officer):
        form = {"read": digest_of(larkfield, version), "comment": ""}
        assert colleague.post(page_of(version, "approve/"), form).status_code == 302
    assert stored(larkfield, version).state == "approved"


def saves(editor: Colleague, version: PolicyVersion, content: Any, **form: Any) -> Any:
    sent = {
        "title": version.title,
        "reason": version.reason,
        "mode": "enforce",
        "read": version.content_sha256,
        "json": json.dumps(content) if isinstance(content, dict) else content,
        "do": "save",
    }
    return editor.post(page_of(version, "edit/"), sent | form)


# --- handing in and releasing ----------------------------------------------------------------------------------------


def test_what_is_missing_is_listed_and_nothing_is_sent(larkfield: House, editor: Colleague) -> None:
    with tenant_scope(larkfield.tenant.id):
        version = services.begin(family="retention", by=editor.actor, now=timezone.now(), title="Nothing new")

    answer = editor.post(page_of(version, "submit/"))

    assert answer.status_code == 409
    assert "It differs from what decides now" in answer.content.decode()
    assert stored(larkfield, version).state == "draft"


def test_reviewers_are_chosen_among_those_who_may(larkfield: House, editor: Colleague, approver: Colleague) -> None:
    version = drafted(larkfield, editor)

    assert editor.post(page_of(version, "submit/"), {"reviewers": [str(editor.user.id)]}).status_code == 422
    assert editor.post(page_of(version, "submit/"), {"reviewers": [str(approver.user.id)]}).status_code == 302
    with tenant_scope(larkfield.tenant.id):
        assert PolicyReview.objects.get(version_id=version.id).requested_reviewers == [approver.user.id]
    officer = larkfield.hire(Role.PRIVACY_OFFICER)
    assert editor.post(page_of(version, "reviewers/"), {"reviewers": []}).status_code == 422
    assert editor.post(page_of(version, "reviewers/"), {"reviewers": [str(officer.user.id)]}).status_code == 302


def test_from_approval_to_effect_and_back(larkfield: House, editor: Colleague, approver: Colleague) -> None:
    version = in_review(larkfield, editor)
    approver.post(page_of(version, "approve/"), {"read": digest_of(larkfield, version), "comment": ""})

    assert "Put in force now…" in editor.reads(page_of(version))
    assert editor.post(page_of(version, "schedule/")).status_code == 409
    assert editor.post(page_of(version, "release/")).status_code == 302
    assert "retention/2" in editor.reads("policies/")
    assert editor.post(page_of(version, "release/")).status_code == 404
    use = use_of(larkfield, version)
    form = {"use": use.id, "fallback": "previous", "reason": "It deletes too much."}
    assert approver.post(page_of(version, "revoke/"), form | {"reason": "no"}).status_code == 422
    assert approver.post(page_of(version, "revoke/"), form).status_code == 302

    assert "asks to revoke this version" in editor.reads(page_of(version))
    with tenant_scope(larkfield.tenant.id):
        wish = str(use.revocations.get().id)
    own = approver.post(page_of(version, "revocation/"), {"revocation": wish, "answer": "agree"})
    assert own.status_code == 403
    other = surely(larkfield.hire(Role.PRIVACY_OFFICER))
    assert other.post(page_of(version, "revocation/"), {"revocation": wish, "answer": "agree"}).status_code == 302
    assert use_of(larkfield, version).state == "revoked"
    assert editor.post(page_of(version, "restore/"), {"reason": "It was right all along."}).status_code == 302


def test_a_time_in_the_future_is_scheduled_once(larkfield: House, editor: Colleague, approver: Colleague) -> None:
    starts = timezone.now() + timedelta(days=2)
    version = in_review(larkfield, editor, terms=Terms(effective_from=starts))
    approver.post(page_of(version, "approve/"), {"read": digest_of(larkfield, version), "comment": ""})

    assert editor.post(page_of(version, "schedule/")).status_code == 302
    assert "Scheduled" in editor.reads(page_of(version))
    assert "takes effect" in editor.reads("policies/?show=open")
    assert editor.post(page_of(version, "schedule/")).status_code == 409


def test_a_version_is_withdrawn_with_a_reason(larkfield: House, editor: Colleague) -> None:
    version = drafted(larkfield, editor)

    assert editor.post(page_of(version, "withdraw/"), {"reason": "no"}).status_code == 422
    assert editor.post(page_of(version, "withdraw/"), {"reason": "We think again."}).status_code == 302
    assert "Withdrawn" in editor.reads(page_of(version))
    assert editor.post(page_of(version, "withdraw/"), {"reason": "We think again."}).status_code == 409


# --- emergencies -----------------------------------------------------------------------------------------------------


def test_one_person_closes_memories_to_agents_at_once(larkfield: House, officer: Colleague) -> None:
    form = {"target": "category", "category": "health", "agent": "", "reason": "Something leaks health."}

    assert officer.post("policies/emergency/", form | {"reason": "no"}).status_code == 422
    assert officer.post("policies/emergency/", form | {"target": "agent"}).status_code == 422
    answer = officer.post("policies/emergency/", form)

    assert answer.status_code == 302
    page = officer.browser.get(answer["Location"]).content.decode()
    assert "In an emergency, by one person." in page
    assert officer.post("policies/emergency/", form).status_code == 409


def test_changes_are_stopped_and_go_on(larkfield: House, officer: Colleague) -> None:
    form = {"begins_at": "2000-01-01T00:00", "ends_at": "2999-01-01T00:00", "reason": "The audit is on."}

    assert officer.post("policies/freeze/", form | {"ends_at": "2000-01-01T00:00"}).status_code == 422
    assert officer.post("policies/freeze/", form).status_code == 302
    page = officer.reads("policies/")
    assert "Changes are stopped" in page
    freeze = page.split("/policies/freezes/")[1].split("/")[0]
    assert officer.post(f"policies/freezes/{freeze}/thaw/").status_code == 302
    assert officer.post(f"policies/freezes/{freeze}/thaw/").status_code == 404


def test_a_draft_that_only_restricts_may_take_effect_at_once(
    larkfield: House, editor: Colleague, officer: Colleague
) -> None:
    version = drafted(larkfield, editor)
    longer = drafted(larkfield, editor, days=9000)

    assert "In force at once…" in officer.reads(page_of(version))
    assert "In force at once…" not in officer.reads(page_of(longer))
    assert officer.post(page_of(longer, "break-glass/"), {"reason": "We need it now."}).status_code == 409
    assert officer.post(page_of(version, "break-glass/"), {"reason": "We need it now."}).status_code == 302
    assert use_of(larkfield, version).state == "effective"


# --- tests of a version ----------------------------------------------------------------------------------------------


def test_tests_are_added_run_and_retired(larkfield: House, editor: Colleague) -> None:
    version = drafted(larkfield, editor)
    form = {"name": "Facts stay", "given": "{", "expect": "{}", "added_for": "INC-7"}

    refused = editor.post(page_of(version, "tests/add/"), form)
    assert refused.status_code == 422
    assert "line 1, column 2" in refused.content.decode()
    good = form | {"given": '{"kind": "fact", "origin": "stated"}', "expect": '{"days": 1}'}
    assert editor.post(page_of(version, "tests/add/"), good | {"expect": '{"what": 1}'}).status_code == 422
    assert editor.post(page_of(version, "tests/add/"), good).status_code == 302
    assert editor.post(page_of(version, "tests/add/"), good).status_code == 409
    assert editor.post(page_of(version, "tests/run/")).status_code == 302
    page = editor.reads(page_of(version))
    assert "1 failed" in page
    case = page.split("Facts stay</span>")[0].rsplit('value="', 1)[1].split('"')[0]
    assert editor.post(page_of(version, "tests/retire/"), {"case": case}).status_code == 302
    assert editor.post(page_of(version, "tests/retire/"), {"case": case}).status_code == 404
    assert editor.post(page_of(version, "tests/retire/"), {"case": "no"}).status_code == 404
    assert "INC-7" not in editor.reads(page_of(version))


def test_a_simulation_is_asked_for_once_and_shown(larkfield: House, editor: Colleague) -> None:
    version = drafted(larkfield, editor)
    form = {"days": 7, "agent": "", "maximum_events": 100, "seed": 0}

    assert editor.post(page_of(version, "simulate/"), form | {"days": 9000}).status_code == 422
    assert editor.post(page_of(version, "simulate/"), form | {"maximum_events": 0}).status_code == 422
    assert editor.post(page_of(version, "simulate/"), form).status_code == 302
    assert editor.post(page_of(version, "simulate/"), form).status_code == 409
    assert "Waiting to run" in editor.reads(page_of(version))


def test_a_decision_that_was_really_taken_becomes_a_test(larkfield: House, editor: Colleague, mia: Person) -> None:
    told = larkfield.tenant_house.wrote(larkfield.tenant_house.relay, mia, "Likes rye bread", origin="stated")
    with tenant_scope(larkfield.tenant.id):
        version = services.begin(family="write", by=editor.actor, now=timezone.now(), title="One more test")

    page = editor.reads(page_of(version, f"tests/add/?from={told.decision_id}"))

    assert "&quot;channel&quot;: &quot;user_message&quot;" in page
    assert f"Decision {told.decision_id}" in page
    assert editor.get(page_of(version, "tests/add/?from=no")).status_code == 404
    foreign = house("northwind").hire(Role.POLICY_EDITOR)
    assert foreign.get(page_of(version, f"tests/add/?from={told.decision_id}")).status_code == 404


# --- the editor ------------------------------------------------------------------------------------------------------


def test_a_draft_is_saved_from_its_fields(larkfield: House, editor: Colleague) -> None:
    version = drafted(larkfield, editor)
    form = fields_of(editor.reads(page_of(version, "edit/")))

    assert form["days.preference.inferred"] == ["90"]
    unchanged = editor.post(page_of(version, "edit/"), form | {"do": "save"})
    assert unchanged.status_code == 302
    assert stored(larkfield, version).content_sha256 == version.content_sha256
    answer = editor.post(page_of(version, "edit/"), form | {"do": "save", "days.preference.inferred": "60"})

    assert answer.status_code == 302
    assert stored(larkfield, version).content == shorter(version.content, 60)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_form_that_is_sent_as_it_came_changes_nothing(larkfield: House, editor: Colleague, family: Any) -> None:
    with tenant_scope(larkfield.tenant.id):
        version = services.begin(family=family, by=editor.actor, now=timezone.now(), title="As it is")
    form = fields_of(editor.reads(page_of(version, "edit/")))
    entry = "open:rules:0" if family in ("write", "access") else "open:purposes:0" if family == "retrieval" else "check"
    opened = editor.post(page_of(version, "edit/"), form | {"do": entry})
    assert opened.status_code == 200

    editor.post(page_of(version, "edit/"), fields_of(opened.content.decode()) | {"do": "save"})

    assert stored(larkfield, version).content_sha256 == version.content_sha256


class FieldsIn(HTMLParser):
    """What a browser would send of the editor's form, without its buttons."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, list[str]] = {}
        self.inside, self.open = False, ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        name, value = said.get("name") or "", said.get("value") or ""
        self.inside = self.inside or (tag == "form" and said.get("id") == "editor")
        if not self.inside:
            return
        ticked = said.get("type") != "checkbox" or "checked" in said
        if tag == "input" and not name.startswith("csrf") and ticked:
            self.fields.setdefault(name, []).append(value)
        elif tag in ("select", "textarea"):
            self.open = name
            self.fields[name] = [""]
        elif tag == "option" and "selected" in said:
            self.fields[self.open] = [value]

    def handle_data(self, data: str) -> None:
        if self.lasttag == "textarea" and self.open:
            self.fields[self.open] = [data.removeprefix("\n")]

    def handle_endtag(self, tag: str) -> None:
        self.open = "" if tag in ("select", "textarea") else self.open
        self.inside = self.inside and tag != "form"


def fields_of(page: str) -> dict[str, Any]:
    return dict(FieldsIn(page).fields)


def begins_at(page: str) -> str:
    """Name the one element at which the reader begins."""
    [found, _] = re.findall(r'id="([^"]+)"[^>]* autofocus', page)  # the second is that of the closed dialog
    return str(found)


def test_rules_are_added_moved_opened_and_removed_by_buttons(larkfield: House, editor: Colleague) -> None:
    with tenant_scope(larkfield.tenant.id):
        version = services.begin(family="write", by=editor.actor, now=timezone.now(), title="One more rule")
    edit = page_of(version, "edit/")
    count, second = len(version.content["rules"]), version.content["rules"][1]["id"]
    form = fields_of(editor.reads(edit))

    page = editor.post(edit, form | {"do": "up:rules:1"}).content.decode()
    assert begins_at(page) == "f-rules-0"
    page = editor.post(edit, fields_of(page) | {"do": "add:rules"}).content.decode()
    form = fields_of(page)
    assert form["open"] == [f"rules:{count}"]
    assert begins_at(page) == f"f-rules-{count}"
    at = f"rules.{count}"
    form |= {f"{at}.title": ["No travel"], f"{at}.reason": ["No travel."], f"{at}.match.categories": ["travel, trains"]}
    page = editor.post(edit, form | {f"{at}.match.kinds": ["fact"], "do": "close"}).content.decode()
    assert begins_at(page) == f"f-rules-{count}"
    page = editor.post(edit, fields_of(page) | {"do": "remove:rules:2"}).content.decode()
    assert begins_at(page) == "f-rules-2"
    assert begins_at(editor.post(edit, fields_of(page) | {"do": "json"}).content.decode()) == "s-json"
    assert stored(larkfield, version).content == version.content
    assert editor.post(edit, fields_of(page) | {"do": "save"}).status_code == 302

    rules = stored(larkfield, version).content["rules"]
    assert len(rules) == count
    assert rules[0]["id"] == second
    assert rules[-1]["match"]["categories"] == ["travel", "trains"]
    assert rules[-1]["match"]["kinds"] == ["fact"]


def test_what_is_typed_is_kept_whatever_is_wrong_with_it(larkfield: House, editor: Colleague) -> None:
    version = drafted(larkfield, editor)

    broken = saves(editor, version, '{"days": \n  oops}')
    assert broken.status_code == 422
    assert "line 2, column 3" in broken.content.decode()
    assert "oops}" in broken.content.decode()
    form = fields_of(editor.reads(page_of(version, "edit/")))
    form |= {"days.fact.stated": ["soon"], "title": [""]}
    wrong = editor.post(page_of(version, "edit/"), form | {"do": "save"})
    assert wrong.status_code == 422
    assert 'value="soon"' in wrong.content.decode()
    unfinished = editor.post(page_of(version, "edit/"), form | {"title": ["Later"], "do": "save"})
    assert unfinished.status_code == 302
    assert "this must be a whole number" in editor.reads(page_of(version, "edit/"))
    assert "this must be a whole number" in editor.reads(page_of(version))


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"rules": 5},
        {"rules": [1, None, {"id": 5, "match": []}], "rates": "x", "sensitive_categories": {}, "more": 1},
    ],
)
def test_whatever_is_saved_as_json_can_be_opened_again(larkfield: House, editor: Colleague, content: Any) -> None:
    with tenant_scope(larkfield.tenant.id):
        version = services.begin(family="write", by=editor.actor, now=timezone.now(), title="Anything")
    assert saves(editor, version, content).status_code == 302

    page = editor.reads(page_of(version, "edit/"))
    for act in ("check", "add:rules", "up:rules:1", "open:rules:1", "open:rules:9", "remove:nothing:0", "json"):
        assert editor.post(page_of(version, "edit/"), fields_of(page) | {"do": act}).status_code == 200
    assert "The engine can read it" in editor.reads(page_of(version))
    assert editor.post(page_of(version, "tests/run/")).status_code == 409


def test_the_checks_answer_while_it_is_typed_and_save_nothing(larkfield: House, editor: Colleague) -> None:
    version = drafted(larkfield, editor)
    form = fields_of(editor.reads(page_of(version, "edit/"))) | {"days.preference.inferred": ["9999"]}

    part = editor.post(page_of(version, "check/"), form).content.decode()

    assert 'hx-swap-oob="innerHTML"' in part
    assert "security finding" in part
    assert "Loosens" in part
    assert stored(larkfield, version).content_sha256 == version.content_sha256
    assert "line 1, column 1" in editor.post(page_of(version, "check/"), {"json": "x"}).content.decode()


def test_a_text_above_the_limit_is_refused_with_its_size_and_the_draft_stays(
    larkfield: House, editor: Colleague
) -> None:
    version = drafted(larkfield, editor)

    answered = saves(editor, version, "x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE)

    assert answered.status_code == 413
    assert "larger than 256 KB, and nothing was changed" in answered.content.decode()
    assert "line 1, column 1" in saves(editor, version, "x" * 200_000).content.decode()
    assert stored(larkfield, version).content == version.content


def test_two_editors_at_once_lose_nothing(larkfield: House, editor: Colleague) -> None:
    version = drafted(larkfield, editor)
    other = larkfield.hire(Role.POLICY_EDITOR, Role.DEVELOPER)
    assert saves(other, version, shorter(version.content, 30)).status_code == 302

    answer = saves(editor, version, shorter(version.content, 60))

    assert answer.status_code == 409
    page = answer.content.decode()
    assert f"{other.user.name} saved this draft while you edited it" in page
    assert "Guesses about preferences are kept 60 days instead of 30." in page
    again = editor.post(page_of(version, "edit/"), fields_of(page) | {"do": "save"})
    assert again.status_code == 302
    assert stored(larkfield, version).content == shorter(version.content, 60)


def test_a_draft_is_moved_onto_what_decides_now(larkfield: House, editor: Colleague, approver: Colleague) -> None:
    mine = drafted(larkfield, editor)
    saves(editor, mine, shorter(mine.content, 80))
    theirs = in_review(larkfield, editor, days=60)
    assert editor.get(page_of(mine, "rebase/")).status_code == 409
    approver.post(page_of(theirs, "approve/"), {"read": digest_of(larkfield, theirs), "comment": ""})
    editor.post(page_of(theirs, "release/"))

    assert "Compare the three and rebase" in editor.reads(page_of(mine))
    page = editor.reads(page_of(mine, "rebase/"))
    assert "Both changed it" in page
    assert editor.post(page_of(mine, "rebase/"), {"keep": "both"}).status_code == 302
    assert stored(larkfield, mine).content == shorter(mine.content, 80)
    assert "1 change against version" in editor.reads(page_of(mine)).replace("\n", " ")


def test_a_decided_version_cannot_be_edited(larkfield: House, editor: Colleague) -> None:
    with tenant_scope(larkfield.tenant.id):
        version = PolicyVersion.objects.get(family__key="write")

    for step in ("edit/", "check/"):
        assert editor.post(page_of(version, step), {"do": "save"}).status_code == 409


# --- beginning and comparing -----------------------------------------------------------------------------------------


def test_a_version_is_begun_from_what_decides_or_from_another(larkfield: House, editor: Colleague) -> None:
    assert editor.post("policies/new/", {"family": "write", "title": ""}).status_code == 422
    assert editor.post("policies/new/", {"family": "nothing", "title": "x"}).status_code == 422
    answer = editor.post("policies/new/", {"family": "write", "title": "A new rule"})
    assert answer.status_code == 302
    assert editor.browser.get(answer["Location"]).status_code == 200
    assert "A new rule" in editor.reads("policies/")


def test_any_two_versions_of_one_policy_are_compared(larkfield: House, editor: Colleague) -> None:
    version = drafted(larkfield, editor)
    with tenant_scope(larkfield.tenant.id):
        first = PolicyVersion.objects.get(family__key="retention", number=1)
        other = PolicyVersion.objects.get(family__key="write")

    assert "are kept 90 days" in editor.reads(f"policies/compare/?before={first.id}&after={version.id}")
    assert "different policies" in editor.reads(f"policies/compare/?before={other.id}&after={version.id}")
    assert editor.get("policies/compare/?before=no").status_code == 404
    foreign = house("northwind").hire(Role.POLICY_EDITOR)
    assert foreign.get(f"policies/compare/?before={first.id}&after={version.id}").status_code == 404


def test_what_waits_is_shown_to_whom_it_waits_for(larkfield: House, editor: Colleague, approver: Colleague) -> None:
    version = in_review(larkfield, editor)

    assert f"Review version {version.number}" in approver.reads("policies/?show=waiting")
    assert "No policy is in this state" in editor.reads("policies/?show=waiting")
    form = {"read": digest_of(larkfield, version), "comment": "Ninety days are too few."}
    approver.post(page_of(version, "request-changes/"), form)
    assert "No policy is in this state" in approver.reads("policies/?show=waiting")


def test_every_kind_and_origin_has_a_field(larkfield: House, editor: Colleague) -> None:
    form = fields_of(editor.reads(page_of(drafted(larkfield, editor), "edit/")))

    assert {f"days.{kind}.{origin}" for kind in KINDS for origin in ORIGINS} <= form.keys()


def test_a_simulation_that_was_fresh_at_the_approval_stays_one(
    larkfield: House, editor: Colleague, approver: Colleague
) -> None:
    version = in_review(larkfield, editor)
    assert "A fresh one is needed" in editor.reads(page_of(version))

    answer = approver.post(page_of(version, "approve/"), {"read": digest_of(larkfield, version), "comment": ""})
    assert answer.status_code == 302
    with tenant_scope(larkfield.tenant.id):
        version.simulations.update(finished_at=timezone.now() - timedelta(hours=23))
        PolicyVersion.objects.filter(id=version.id).update(approved_at=timezone.now())

    page = editor.reads(page_of(version))
    assert "It was fresh when this was approved." in page
    assert "A fresh one is needed" not in page
    assert "no longer counts" not in page


def test_what_holds_already_is_told_apart_from_what_is_new(larkfield: House, editor: Colleague) -> None:
    with tenant_scope(larkfield.tenant.id):
        version = services.begin(family="write", by=editor.actor, now=timezone.now(), title="Less sure", reason=WHY)
        content = json.loads(json.dumps(version.content))
        content["rules"].insert(1, {**content["rules"][0], "id": "W-011"})
        services.save(
            version_id=version.id,
            read_sha256=version.content_sha256,
            content=content,
            by=editor.actor,
            now=timezone.now(),
        )

    page = editor.reads(page_of(version))

    assert "1 error, 1 suggestion; 1 finding holds already" in page
    known = page.index("1 that already holds of version 1")
    assert page.index("W-011 is never reached") < known < page.index("W-100 keeps sensitive memories")
