"""What the person was told by their organisations, and which of it comes by e-mail."""

from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from accounts import notices
from accounts.models import Notice, User
from accounts.queries import MembershipOf, memberships_of
from accounts.vocabulary import ALWAYS_MAILED, NoticeKind
from memory_admin.errors import NotFound
from memory_admin.tenancy.scope import tenant_scope
from memory_admin.web import errors
from memory_admin.web.access import choose_tenant

SHOWN = 50
FOR_EVERYBODY = (NoticeKind.ERASURE_DONE,)
FOR_STAFF = (NoticeKind.SOMEBODY_LET_IN,)


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """One notice, with the organisation it comes from."""

    notice: Notice
    says: str
    tenant_id: UUID
    tenant: str


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_notices(request: HttpRequest) -> HttpResponse:
    """List what the person was told, the newest first; mark it read, or choose what comes by e-mail."""
    assert isinstance(request.user, User)
    user, memberships = request.user, memberships_of(request.user.id)
    offered = _offered(memberships)
    if request.method == "POST":
        if "read" in request.POST:
            _mark_read(user, memberships)
        else:
            _choose(user, offered, set(request.POST.getlist("kinds")))
            messages.success(request, "Saved.")
        return redirect("account_notices")
    rows = _rows(user, memberships)
    unheard = () if any(one.is_staff for one in memberships) else FOR_STAFF
    page = {
        "rows": rows,
        "unread": sum(row.notice.read_at is None for row in rows),
        "is_of_several": len(memberships) > 1,
        "offered": [(kind, kind.label, kind not in user.unmailed) for kind in offered],
        "always": [kind.label for kind in NoticeKind if kind in ALWAYS_MAILED and kind not in unheard],
    }
    return render(request, "account/notices.html", page)


@login_required
@require_safe
def follow_notice(request: HttpRequest, tenant_id: UUID, notice_id: UUID) -> HttpResponse:
    """Go where a notice leads, within its organisation; it is read from then on."""
    assert isinstance(request.user, User)
    if tenant_id not in {one.tenant_id for one in memberships_of(request.user.id)}:
        return errors.not_found(request, NotFound())
    try:
        with tenant_scope(tenant_id):
            path = notices.follow(notice_id=notice_id, user_id=request.user.id, now=timezone.now())
    except NotFound as error:
        return errors.not_found(request, error)
    choose_tenant(request, tenant_id)
    return redirect(path)


def _offered(memberships: list[MembershipOf]) -> list[NoticeKind]:
    is_staff = any(one.is_staff for one in memberships)
    return [kind for kind in NoticeKind if kind not in ALWAYS_MAILED and (is_staff or kind in FOR_EVERYBODY)]


def _choose(user: User, offered: list[NoticeKind], wanted: set[str]) -> None:
    """Keep the choice of what was not offered as it was."""
    untouched = set(NoticeKind) - set(offered) - {NoticeKind(kind) for kind in user.unmailed if kind in NoticeKind}
    notices.choose_mailed(user_id=user.id, kinds={kind for kind in offered if kind in wanted} | untouched)


def _mark_read(user: User, memberships: list[MembershipOf]) -> None:
    for one in memberships:
        with tenant_scope(one.tenant_id):
            notices.mark_read(user_id=user.id, now=timezone.now())


def _rows(user: User, memberships: list[MembershipOf]) -> list[NoticeRow]:
    rows = []
    for one in memberships:
        with tenant_scope(one.tenant_id):
            found = list(notices.of_member(user.id)[:SHOWN])
        rows += [NoticeRow(notice, NoticeKind(notice.kind).label, one.tenant_id, one.tenant_name) for notice in found]
    return sorted(rows, key=lambda row: row.notice.told_at, reverse=True)[:SHOWN]
