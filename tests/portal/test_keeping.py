"""A person's own limits: how long a kind, a category or one memory is kept, and no conclusions."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory_admin.memories.models import Memory
from memory_admin.tenancy.scope import tenant_scope
from tests.portal.cast import Larkfield, Person, text_of


def ends(larkfield: Larkfield, memory: Memory) -> int | None:
    """Tell in how many days a memory ends."""
    with tenant_scope(larkfield.tenant.id):
        at = Memory.objects.get(id=memory.id).expires_at
    return None if at is None else round((at - timezone.now()) / timedelta(days=1))


def made_old(larkfield: Larkfield, memory: Memory, days: int) -> None:
    with tenant_scope(larkfield.tenant.id):
        Memory.objects.filter(id=memory.id).update(kept_from=timezone.now() - timedelta(days=days))


def test_a_limit_of_ones_own_moves_what_is_stored_and_stands_on_the_privacy_page(
    larkfield: Larkfield, mia: Person
) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    done = mia.post("/privacy/keeping/", {"kind-preference": "30"})

    assert done.status_code == 302
    assert ends(larkfield, memory) == 30
    page = text_of(mia.get("/privacy/"))
    assert "1 memory has another end now" in page
    assert "Preference: at most 30 days" in page
    mia.post("/privacy/keeping/", {})
    assert ends(larkfield, memory) is None


def test_what_would_end_at_once_is_asked_about_first_and_counts_for_what_was_read(
    larkfield: Larkfield, mia: Person
) -> None:
    first, second = (larkfield.said(mia, text) for text in ("Prefers the window seat", "Likes small hotels"))
    made_old(larkfield, first, 10)

    asked = mia.post("/privacy/keeping/", {"kind-preference": "7"})
    assert asked.status_code == 200
    assert "1 memory would end at once" in text_of(asked)
    assert (ends(larkfield, first), ends(larkfield, second)) == (None, None)

    made_old(larkfield, second, 10)
    assert "2 memories would end at once" in text_of(mia.post("/privacy/keeping/", {"kind-preference": "7", "seen": 1}))
    assert mia.post("/privacy/keeping/", {"kind-preference": "7", "seen": 2}).status_code == 302
    assert ends(larkfield, first) == ends(larkfield, second) == -3
    assert "Expired" in text_of(mia.get(f"/memories/{first.id}/"))


@pytest.mark.parametrize("days", ["0", "-1", "11", "x", "1e9"])
def test_only_a_life_that_is_offered_is_taken(larkfield: Larkfield, mia: Person, days: str) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    assert mia.post("/privacy/keeping/", {"kind-preference": days}).status_code == 422
    assert ends(larkfield, memory) is None


def test_one_memory_ends_on_a_chosen_day(larkfield: Larkfield, mia: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")
    day = timezone.localdate() + timedelta(days=5)

    done = mia.post(f"/memories/{memory.id}/end/", {"until": day.isoformat()})

    assert ends(larkfield, memory) in (4, 5)
    assert "It is deleted on" in text_of(mia.get(done["Location"]))
    assert mia.post(f"/memories/{memory.id}/end/", {"until": "2020-01-01"}).status_code == 422
    mia.post(f"/memories/{memory.id}/end/", {"until": ""})
    assert ends(larkfield, memory) is None


def test_nobody_elses_memory_is_ended(larkfield: Larkfield, mia: Person, jonas: Person) -> None:
    memory = larkfield.said(mia, "Prefers the window seat")

    assert jonas.get(f"/memories/{memory.id}/end/").status_code == 404
    assert jonas.post(f"/memories/{memory.id}/end/", {"until": ""}).status_code == 404
    jonas.post("/privacy/keeping/", {"kind-preference": "1"})
    assert ends(larkfield, memory) is None


def test_conclusions_are_objected_to_and_allowed_again(larkfield: Larkfield, mia: Person) -> None:
    mia.post("/privacy/conclusions/", {"conclusions": "none"})
    refused = larkfield.wrote(larkfield.own, mia, "May like jazz", origin="inferred")

    assert refused.result == "refused"
    assert "No agent concludes anything about you" in text_of(mia.get("/privacy/"))
    assert "You want nothing concluded about you" in text_of(mia.get("/not-saved/"))
    requests = mia.get("/requests/")
    assert "You asked that nothing is concluded about you" in text_of(requests)
    mia.post("/privacy/conclusions/", {"conclusions": "ask"})
    assert larkfield.wrote(larkfield.own, mia, "May like jazz", origin="inferred").result == "proposed"
    assert mia.post("/privacy/conclusions/", {"conclusions": "all"}).status_code == 400
