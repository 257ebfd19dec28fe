"""Events counted by day, as a picture and as a table: one statement, over the index of times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.contrib.postgres.fields import ArrayField
from django.db.models import Count, F, Func, IntegerField, QuerySet, TextField, Value
from django.utils import timezone

from memory_admin.audit.chain import instant
from memory_admin.audit.models import Event

MOST_BARS = 60
HEIGHT = 40  # of the picture, in its own units
STEP = 10


@dataclass(frozen=True, slots=True)
class Bar:
    """How many events began in one stretch of time, and where its bar stands."""

    since: datetime
    count: int
    x: int
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Days:
    """Bars of so many days each, the oldest first; `first` and `last` are the days that are counted."""

    bars: Sequence[Bar]
    days_each: int
    width: int
    first: date
    last: date

    @property
    def total(self) -> int:
        return sum(bar.count for bar in self.bars)


def counted(events: QuerySet[Event], *, since: datetime, until: datetime) -> Days:
    """Count events by day in the person's time zone; in a long stretch of time by several days together."""
    first = timezone.localtime(since).date()
    last = max(first, timezone.localtime(until - timedelta(microseconds=1)).date())
    days = (last - first).days + 1
    each = -(-days // MOST_BARS)
    starts = [
        timezone.make_aware(datetime.combine(first + timedelta(days=number), time())) for number in range(0, days, each)
    ]
    counts = _counts(events, starts)
    most = max(counts.values(), default=0) or 1
    bars = [
        Bar(start, counts.get(number, 0), (number - 1) * STEP, HEIGHT - height, height)
        for number, start in enumerate(starts, start=1)
        for height in [round(HEIGHT * counts.get(number, 0) / most, 2)]
    ]
    return Days(bars, each, len(bars) * STEP, first, last)


def _counts(events: QuerySet[Event], starts: Sequence[datetime]) -> dict[int, int]:
    """Count the events behind each start; times are texts whose order is that of the times."""
    bounds = Value([instant(start) for start in starts], output_field=ArrayField(TextField()))
    bar = Func(F("at"), bounds, function="width_bucket", output_field=IntegerField())
    return dict(events.exclude(at=None).order_by().annotate(bar=bar).values_list("bar").annotate(count=Count("seq")))
