"""The first page of the console: what there is, in counts."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import Count
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import Agent, Subject
from memory_admin.audit import checking
from memory_admin.audit import queries as trail
from memory_admin.console import keys, rooms
from memory_admin.console.frame import show
from memory_admin.memories.models import Memory
from memory_admin.memories.vocabulary import GONE
from memory_admin.retrieval.models import Retrieval
from memory_admin.reviews import queries as reviews
from memory_admin.web import words
from memory_admin.web.access import StaffRequest, staff
from policies.models import PolicyChangeRequest, RequestStatus


@dataclass(frozen=True, slots=True)
class Figure:
    """One count, and the room that has more about it."""

    label: str
    count: int
    says: str
    room: str


@staff(*rooms.STAFF)
@require_safe
def show_overview(request: StaffRequest) -> HttpResponse:
    """Show counts of what the tenant holds; nothing of what is remembered."""
    by_status = dict(
        Memory.objects.exclude(status__in=GONE).order_by().values_list("status").annotate(count=Count("id"))
    )
    page = {
        "figures": _figures(request, by_status),
        "statuses": [(name, by_status[name]) for name in words.STATUSES if by_status.get(name)],
        "total": sum(by_status.values()),
        "last": checking.last(),
        "idle": keys.idle_count(now=timezone.now()) if rooms.may(request.actor.roles, rooms.AGENTS) else 0,
    }
    return show(request, "console/overview.html", "overview", page)


def _figures(request: StaffRequest, by_status: dict[str, int]) -> list[Figure]:
    about = f"{sum(by_status.values())} memories about them"
    wishes = PolicyChangeRequest.objects.filter(status=RequestStatus.OPEN)
    counted: list[tuple[str, Callable[[], int], str, str]] = [
        ("Subjects", Subject.objects.count, about, "subjects"),
        ("Agents", Agent.objects.filter(status="active").count, "active", "agents"),
        ("Questions answered", Retrieval.objects.count, "in the log", "retrievals"),
        ("Change requests", wishes.count, "open", "requests"),
        ("Reviews", lambda: reviews.count_for(request.actor), "wait for you", "reviews"),
        ("Recorded events", trail.length, "in the audit trail", "audit"),
    ]
    open_rooms = {room.name for _, inside in rooms.open_to(request.actor.roles) for room in inside}
    return [Figure(label, count(), says, room) for label, count, says, room in counted if room in open_rooms]
