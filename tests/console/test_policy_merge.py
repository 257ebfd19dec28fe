"""Both sides’ changes brought together: neither is lost, and the order of rules is kept."""

from typing import Any

from memory_admin.console.policy_merge import lines_of, merged
from policies import compare
from policies.baseline import RETENTION


def rules(*ids: str, **titles: str) -> dict[str, Any]:
    return {"rules": [{"id": one, "title": titles.get(one, "")} for one in ids]}


def test_what_one_side_changed_is_kept() -> None:
    base = {"a": 1, "b": {"c": 2, "d": 3}}

    assert merged(base, {"a": 9, "b": {"c": 2, "d": 3}}, {"a": 1, "b": {"c": 2, "d": 8}}) == {
        "a": 9,
        "b": {"c": 2, "d": 8},
    }
    assert merged(base, base, {"a": 1, "b": 0}) == {"a": 1, "b": 0}
    assert merged(base, {"a": 1}, base) == {"a": 1}


def test_where_both_changed_the_same_the_draft_stays() -> None:
    assert merged({"a": 1}, {"a": 2}, {"a": 3}) == {"a": 3}
    assert merged([1], [2], [3]) == [3]


def test_a_rule_of_theirs_follows_what_it_follows_there() -> None:
    together = merged(rules("A", "B"), rules("A", "X", "B"), rules("N", "A", "B", B="Mine"))

    assert [one["id"] for one in together["rules"]] == ["N", "A", "X", "B"]
    assert together["rules"][3]["title"] == "Mine"


def test_a_rule_that_one_side_removed_is_gone_unless_the_other_changed_it() -> None:
    assert merged(rules("A", "B"), rules("A"), rules("A", "B"))["rules"] == rules("A")["rules"]
    assert merged(rules("A", "B"), rules("A"), rules("A", "B", B="Mine"))["rules"] == rules("A", "B", B="Mine")["rules"]


def test_lines_say_where_both_changed_the_same_place() -> None:
    def kept(**days: int) -> Any:
        preference = RETENTION.days.preference.model_copy(update=days)
        return RETENTION.model_copy(update={"days": RETENTION.days.model_copy(update={"preference": preference})})

    theirs = compare.changes("retention", RETENTION, kept(inferred=60, observed=50))
    mine = compare.changes("retention", RETENTION, kept(inferred=30))

    lines = {line.path: line for line in lines_of(theirs, mine)}

    torn = lines["days.preference.inferred"]
    assert (torn.theirs, torn.mine, torn.is_torn) == (60, 30, True)
    alone = lines["days.preference.observed"]
    assert (alone.theirs, alone.mine, alone.is_torn) == (50, alone.base, False)
