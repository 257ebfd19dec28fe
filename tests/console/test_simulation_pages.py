"""The report of a simulation: while it runs, when it failed, what came of it, and each case with both decisions."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.vocabulary import Role
from memory_admin.simulation import services as simulation
from memory_admin.tenancy.scope import tenant_scope
from policies import services
from policies.models import PolicySimulation, PolicyVersion
from tests.console.cast import Colleague, House, house
from tests.portal.cast import Person


@pytest.fixture
def editor(larkfield: House) -> Colleague:
    return larkfield.hire(Role.POLICY_EDITOR)


def asked(larkfield: House, editor: Colleague, family: Any, change: Any) -> PolicySimulation:
    """Draft a version and ask what it would have decided about the last day."""
    now = timezone.now()
    with tenant_scope(larkfield.tenant.id):
        version = services.begin(family=family, by=editor.actor, now=now, title="Otherwise")
        content = version.content
        change(content)
        services.save(
            version_id=version.id, read_sha256=version.content_sha256, content=content, by=editor.actor, now=now
        )
        return simulation.ask(version_id=version.id, since=now - timedelta(days=1), until=now, by=editor.actor, now=now)


def ran(larkfield: House, run: PolicySimulation) -> PolicySimulation:
    with tenant_scope(larkfield.tenant.id):
        while run.state in simulation.UNFINISHED:
            run = simulation.run(simulation_id=run.id, now=timezone.now()) or run
    return run


def refuse_guesses(content: dict[str, Any]) -> None:
    rule = next(one for one in content["rules"] if one["id"] == "W-400")
    rule["outcome"], rule["title"], rule["reason"] = "refuse", "Guesses stay out", "Guesses are not kept."


@pytest.fixture
def report(larkfield: House, editor: Colleague, mia: Person) -> PolicySimulation:
    larkfield.tenant_house.wrote(
        larkfield.tenant_house.relay, mia, "Likes rye bread", origin="inferred", channel="agent"
    )
    return ran(larkfield, asked(larkfield, editor, "write", refuse_guesses))


def page_of(run: PolicySimulation, part: str = "") -> str:
    return f"policies/simulations/{run.id}/{part}"


def test_a_report_counts_in_words_and_warns_of_few_events(report: PolicySimulation, editor: Colleague) -> None:
    page = editor.reads(page_of(report))

    assert "Newly refused" in page
    assert "1 event is too few to tell much" in page
    assert "newly_refused" not in page.replace("?flip=newly_refused", "")
    assert "rye bread" not in page


def test_a_case_shows_both_decisions_with_their_rules_and_becomes_a_test(
    report: PolicySimulation, editor: Colleague, larkfield: House
) -> None:
    page = editor.reads(page_of(report, "case/"))
    assert "Waits for the person" in page
    assert "Is not kept" in page
    assert page.count("<code>W-400</code>") == 2

    begun = editor.reads(f"policies/versions/{report.candidate_id}/tests/add/?example={report.id}:0")
    assert "A case of a simulation" in begun

    for missing in (f"{report.id}:9", f"{report.id}:-1", "no", f"{report.candidate_id}:0"):
        answer = editor.get(f"policies/versions/{report.candidate_id}/tests/add/?example={missing}")
        assert answer.status_code == 404, missing
    assert editor.get(page_of(report, "case/?at=7")).status_code == 404
    assert editor.get(page_of(report, "case/?at=0&flip=newly_stored")).status_code == 404


def test_cases_are_narrowed_by_what_became_of_them(report: PolicySimulation, editor: Colleague) -> None:
    assert "No case is of this kind" in editor.reads(page_of(report, "?flip=newly_stored"))


def test_a_report_says_how_far_it_is_why_it_failed_and_that_it_is_partial(larkfield: House, editor: Colleague) -> None:
    run = asked(larkfield, editor, "write", refuse_guesses)
    assert "It waits to run." in editor.reads(page_of(run))
    with tenant_scope(larkfield.tenant.id):
        PolicySimulation.objects.filter(id=run.id).update(state="running", events=4_000, considered=2_000)
    page = editor.reads(page_of(run))
    assert '<progress max="4000"' in page
    assert "2000 of 4000 events are decided again" in page
    assert "load delay:3s" in page

    with tenant_scope(larkfield.tenant.id):
        PolicySimulation.objects.filter(id=run.id).update(state="failed", error="It took too long.")
    page = editor.reads(page_of(run))
    assert "so these numbers are partial" in page
    assert "It took too long." in page
    assert "load delay" not in page


def test_much_that_cannot_be_replayed_is_warned_of(
    report: PolicySimulation, editor: Colleague, larkfield: House
) -> None:
    with tenant_scope(larkfield.tenant.id):
        report.counts["not_replayable"] = {"erased": 30}
        PolicySimulation.objects.filter(id=report.id).update(
            events=200, considered=200, not_replayable=30, counts=report.counts
        )

    page = editor.reads(page_of(report))

    assert "15% of the events could not be decided again" in page
    assert "Erased since: 30" in page


def test_a_report_is_downloaded_and_is_for_its_roles_and_tenant_alone(
    report: PolicySimulation, editor: Colleague, larkfield: House
) -> None:
    answer = editor.get(page_of(report, "report.json"))
    assert answer.json()["counts"]["newly_refused"] == 1
    assert "attachment" in answer["Content-Disposition"]

    foreign = house("northwind").hire(Role.POLICY_EDITOR)
    for part in ("", "case/", "report.json"):
        assert foreign.get(page_of(report, part)).status_code == 404
        assert larkfield.hire(Role.DEVELOPER).get(page_of(report, part)).status_code == 403
        assert larkfield.hire(Role.AUDITOR).get(page_of(report, part)).status_code == 200


@pytest.mark.parametrize("family", ["retention", "retrieval", "access"])
def test_every_family_has_a_report(larkfield: House, editor: Colleague, mia: Person, family: Any) -> None:
    wrote = larkfield.tenant_house
    wrote.wrote(wrote.relay, mia, "Likes rye bread", origin="inferred", channel="agent")
    changes = {
        "retention": lambda content: content["days"]["preference"].update(inferred=1),
        "retrieval": lambda content: content.update(half_life_days=content["half_life_days"] + 1),
        "access": lambda content: content["staff"].update(privacy_officer="masked"),
    }
    run = ran(larkfield, asked(larkfield, editor, family, changes[family]))
    assert run.state == "succeeded", run.error

    page = editor.reads(page_of(run))

    assert "What it looked at" in page
    if family == "retention":
        assert "Kept shorter" in page
        assert "1 day" in editor.reads(page_of(run, "case/"))


def test_a_version_links_to_its_reports(report: PolicySimulation, editor: Colleague) -> None:
    version: PolicyVersion = report.candidate
    assert f"/console/policies/simulations/{report.id}/" in editor.reads(f"policies/versions/{version.id}/")
