"""Who is looking at a page: the session's user as an actor of one tenant, within its scope."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar, cast
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from accounts import members, queries, stewards
from accounts.actors import Actor
from accounts.models import Subject, User
from accounts.queries import MembershipOf
from accounts.vocabulary import Role
from memory_admin.errors import Conflict, DomainError
from memory_admin.tenancy.scope import tenant_scope
from memory_admin.web import accounts_factors, errors, kept_forms

TENANT = "tenant"  # the session's key for the chosen tenant
SUBJECT = "subject"  # for the subject whose memories a steward looks at
SEEN = "seen"  # and for when the member was last noted as here
SEEN_EVERY = timedelta(hours=1)

#: A page with a form that is sent to the page itself.
form_page = require_http_methods(["GET", "HEAD", "POST"])

P = ParamSpec("P")


class AnotherSubject(Conflict):
    code = "another_subject"
    sentence = "You have changed whose memories you look at since you opened this form. Nothing was done."


class PersonRequest(HttpRequest):
    """A request by somebody who signed in and belongs to a tenant."""

    user: User
    actor: Actor
    membership: MembershipOf
    other_memberships: list[MembershipOf]
    looks_after: list[Subject]
    stands_for: Subject | None


class StaffRequest(PersonRequest):
    """A request by somebody who works for the tenant; the actor is `staff`, with the roles of the membership."""


def signed_in(
    view: Callable[Concatenate[PersonRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Run a view for somebody who signed in, inside the scope of their tenant; send others to the sign-in page.

    It is about the subject they stand in for, if they chose one, else about themselves. A domain error that leaves the
    view rolls everything back and is answered by its page.
    """

    @wraps(view)
    def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        person = _recognised(request)
        return person if isinstance(person, HttpResponse) else _within_tenant(about, person, *args, **kwargs)

    @wraps(view)
    def about(request: PersonRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        _stand_in(request)
        return view(request, *args, **kwargs)

    return answer


def staff(
    *roles: Role,
) -> Callable[
    [Callable[Concatenate[StaffRequest, P], HttpResponse]], Callable[Concatenate[HttpRequest, P], HttpResponse]
]:
    """Run a view for staff who hold one of the roles; tell others which right is missing and who can grant it."""

    def guard(
        view: Callable[Concatenate[StaffRequest, P], HttpResponse],
    ) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
        @wraps(view)
        def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            person = _recognised(request)
            if isinstance(person, HttpResponse):
                return person
            if person.membership.roles.isdisjoint(roles):
                return _without_role(person, roles)
            person.actor = queries.staff(person.user.id, person.membership)
            return _within_tenant(view, cast(StaffRequest, person), *args, **kwargs)

        return answer

    return guard


def recently_signed_in(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Let somebody do what is sensitive only shortly after they proved who they are; ask others first, then go on.

    It goes around `signed_in` or `staff`, on the page that asks as well as on the form it sends: a form that comes too
    late is kept, and sent after the question.
    """

    @wraps(view)
    def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return ask_who_it_is(request) or view(request, *args, **kwargs)

    return answer


def ask_who_it_is(request: HttpRequest) -> HttpResponse | None:
    """Ask somebody who proved a while ago who they are to prove it again; None when they did so recently.

    For a view that is sensitive only sometimes; others take :func:`recently_signed_in`.
    """
    if not request.user.is_authenticated or accounts_factors.is_fresh(request):
        return None
    return _send_away(request, reverse("account_reauthenticate"))


def _without_role(person: PersonRequest, roles: tuple[Role, ...]) -> HttpResponse:
    with tenant_scope(person.membership.tenant_id):
        givers = queries.names_of_holders(Role.ADMIN, but=person.user.id)
    return errors.without_role(person, roles, person.membership.tenant_name, givers)


def choose_tenant(request: HttpRequest, tenant_id: UUID) -> None:
    """Make the pages of this session show another tenant of the same user; one that is not theirs changes nothing."""
    request.session[TENANT] = str(tenant_id)


def chosen(request: HttpRequest, memberships: list[MembershipOf]) -> MembershipOf | None:
    """Tell which membership the pages of this session show: the one chosen last, else the first; None without any."""
    tenant = request.session.get(TENANT)
    return next((one for one in memberships if str(one.tenant_id) == tenant), memberships[0] if memberships else None)


def choose_subject(request: HttpRequest, subject_id: UUID | None) -> None:
    """Make the portal show a subject that the user looks after, or their own; one that they may not see is ignored."""
    request.session[SUBJECT] = str(subject_id) if subject_id else ""


def _stand_in(request: PersonRequest) -> None:
    """Make the actor speak for the chosen subject while the user is its steward; for the first, if they have none.

    :raises AnotherSubject: the form was opened about another subject than the one that is shown by now
    """
    request.looks_after = stewards.subjects_of(request.user.id)
    wanted = request.session.get(SUBJECT)
    found = [one for one in request.looks_after if str(one.id) == wanted]
    if not found and request.actor.subject_id is None:
        found = request.looks_after
    request.stands_for = found[0] if found else None
    if request.stands_for is not None:
        request.actor = replace(request.actor, subject_id=request.stands_for.id)
    if request.method == "POST" and request.POST.get("about", str(request.actor.subject_id)) != str(
        request.actor.subject_id
    ):
        raise AnotherSubject


def _recognised(request: HttpRequest) -> PersonRequest | HttpResponse:
    """Find out who asks, or answer what stands in the way."""
    if not request.user.is_authenticated:
        return _send_away(request, reverse("account_login"))
    assert isinstance(request.user, User)
    memberships = queries.memberships_of(request.user.id)
    if not memberships:
        return errors.without_tenant(request)
    if step := accounts_factors.missing_step(request, request.user, memberships):
        return _send_away(request, reverse(step))
    return _as_person(request, request.user, memberships)


def _send_away(request: HttpRequest, page: str) -> HttpResponse:
    """Send somebody to a page where they show who they are; then they go on here, or with the form they sent."""
    key = kept_forms.keep(request)
    back = reverse("account_kept_form") if key else _page_of(request)
    address = f"{page}?{urlencode({'next': back})}"
    response = HttpResponseClientRedirect(address) if _is_htmx(request) else redirect(address)
    if key:
        kept_forms.hand_over(response, key)
    return response


def _page_of(request: HttpRequest) -> str:
    """Name the page that a person sees, also when a part of it was asked for."""
    shown = request.htmx.current_url_abs_path if _is_htmx(request) else None  # type: ignore[attr-defined]
    return shown or request.get_full_path()


def _is_htmx(request: HttpRequest) -> bool:
    """Tell whether a page asks for a part of itself."""
    return bool(getattr(request, "htmx", False))


R = TypeVar("R", bound=PersonRequest)


def _within_tenant(
    view: Callable[Concatenate[R, P], HttpResponse], request: R, *args: P.args, **kwargs: P.kwargs
) -> HttpResponse:
    try:
        with tenant_scope(request.actor.tenant_id):
            response = view(request, *args, **kwargs)
    except DomainError as error:
        return errors.refusal(request, error)
    _note_seen(request)
    return response


def _note_seen(request: PersonRequest) -> None:
    """Note once an hour that the member was here; apart from what the view did, whose locks are gone by now."""
    now = timezone.now()
    key = f"{SEEN}:{request.actor.tenant_id}"
    if now.timestamp() - request.session.get(key, 0) < SEEN_EVERY.total_seconds():
        return
    request.session[key] = now.timestamp()
    with tenant_scope(request.actor.tenant_id):
        members.note_seen(user_id=request.user.id, now=now)


def _as_person(request: HttpRequest, user: User, memberships: list[MembershipOf]) -> PersonRequest:
    membership = chosen(request, memberships)
    assert membership is not None  # somebody without any was answered before
    request.actor = queries.person(user.id, membership)  # type: ignore[attr-defined]
    request.membership = membership  # type: ignore[attr-defined]
    request.other_memberships = [one for one in memberships if one is not membership]  # type: ignore[attr-defined]
    return request  # type: ignore[return-value]
