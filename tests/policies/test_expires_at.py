"""How long a memory is kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from policies import baseline
from policies.documents import RegionLimit
from policies.engine import expires_at

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def test_it_is_the_days_of_its_kind_and_origin() -> None:
    assert expires_at(baseline.RETENTION, kind="event", origin="observed", at=NOON) == NOON + timedelta(days=90)


def test_what_has_no_limit_never_expires() -> None:
    assert expires_at(baseline.RETENTION, kind="preference", origin="stated", at=NOON) is None


def test_a_sooner_wish_wins() -> None:
    wish = NOON + timedelta(days=3)

    assert expires_at(baseline.RETENTION, kind="preference", origin="stated", at=NOON, asked=wish) == wish


def test_a_later_wish_does_not() -> None:
    wish = NOON + timedelta(days=3_000)

    assert expires_at(baseline.RETENTION, kind="event", origin="inferred", at=NOON, asked=wish) == NOON + timedelta(
        days=30
    )


def test_a_region_may_set_a_limit_to_everything() -> None:
    document = baseline.RETENTION.model_copy(update={"region_limits": (RegionLimit(region="eu", maximum_days=10),)})

    assert expires_at(document, kind="fact", origin="stated", at=NOON, region="eu") == NOON + timedelta(days=10)
    assert expires_at(document, kind="fact", origin="stated", at=NOON, region="us") is None


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(AttributeError):
        expires_at(baseline.RETENTION, kind="rumour", origin="stated", at=NOON)
