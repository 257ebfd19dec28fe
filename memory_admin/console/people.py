"""Members of the tenant: invite, change roles, link, name as steward, deactivate. Roles that take two wait for two."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from allauth.usersessions.adapter import get_adapter as get_sessions_adapter
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts import invitations, linking, members, stewards
from accounts.models import Membership, Stewardship, Subject, Tenant
from accounts.vocabulary import GUARDED, Role
from memory_admin.console import people_rows, rooms
from memory_admin.console.frame import show
from memory_admin.console.people_forms import InviteForm, MemberFilterForm, RolesForm, SubjectRefForm
from memory_admin.errors import Conflict, DomainError, Invalid, NotFound
from memory_admin.memories.models import Memory
from memory_admin.memories.vocabulary import GONE
from memory_admin.web import words
from memory_admin.web.access import StaffRequest, form_page, recently_signed_in, staff
from memory_admin.web.paging import links, page_of

ROOM = "members"


@staff(*rooms.MEMBERS)
@require_safe
def show_members(request: StaffRequest) -> HttpResponse:
    """List the members, what waits for a second administrator, and who was invited."""
    form = MemberFilterForm(request.GET)
    form.is_valid()
    page = page_of(people_rows.narrowed(form.cleaned_data), request)
    invited = page_of(people_rows.open_invitations(), request, name="invited")
    shown = {
        "form": form,
        "page": page,
        "rows": people_rows.member_rows(list(page)),
        "is_narrowed": any(form.cleaned_data.values()) or bool(form.errors),
        "invited": invited,
        "invitations": people_rows.invitation_rows(list(invited), now=timezone.now()),
        "around": links(invited, request, name="invited"),
        "changes": people_rows.open_changes(viewer_id=request.user.id),
        "names_staff": Tenant.objects.get(id=request.actor.tenant_id).names_staff,
        **links(page, request),
    }
    return show(request, "console/people.html", ROOM, shown)


@staff(*rooms.MEMBERS)
@form_page
def invite_member(request: StaffRequest) -> HttpResponse:
    """Invite somebody by e-mail."""
    form = InviteForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        asked = form.cleaned_data
        try:
            invited = invitations.invite(
                email=asked["email"],
                roles=[Role(role) for role in asked["roles"]],
                subject_ref=asked["subject"],
                by=request.actor,
                now=timezone.now(),
            )
        except (linking.SubjectTaken, linking.HeldBefore) as error:
            form.add_error("subject", error.said)
        except Invalid as error:
            _put_into(form, error)
        except Conflict as error:
            form.add_error("email", error.said)
        else:
            messages.success(request, f"Invited. The e-mail to {invited.email} is on its way.")
            return redirect("console:members")
    return show(request, "console/people_invite.html", ROOM, {"form": form}, status=_status(form))


@staff(*rooms.MEMBERS)
@require_POST
def resend_invitation(request: StaffRequest, invitation_id: UUID) -> HttpResponse:
    """Send an invitation again, with a new link."""
    invitations.resend(invitation_id=invitation_id, by=request.actor, now=timezone.now())
    messages.success(request, "Sent again. The link in the earlier e-mail works no more.")
    return redirect("console:members")


@staff(*rooms.MEMBERS)
@require_POST
def withdraw_invitation(request: StaffRequest, invitation_id: UUID) -> HttpResponse:
    """End an invitation."""
    invitations.withdraw(invitation_id=invitation_id, by=request.actor, now=timezone.now())
    messages.success(request, "Withdrawn. Its link works no more.")
    return redirect("console:members")


@staff(*rooms.MEMBERS)
@require_safe
def show_member(request: StaffRequest, membership_id: UUID) -> HttpResponse:
    """Show one member: roles, whose memories they see, and what happened."""
    return _page(request, membership_id)


@staff(*rooms.MEMBERS)
@require_POST
def change_roles(request: StaffRequest, membership_id: UUID) -> HttpResponse:
    """Give a member other roles, or propose it to a second administrator."""
    form = RolesForm(request.POST)
    if not form.is_valid():
        return _page(request, membership_id, roles=form)
    before = _member(membership_id).roles
    proposed = members.change_roles(
        membership_id=membership_id, roles=form.wanted, read=form.were, by=request.actor, now=timezone.now()
    )
    if proposed is not None:
        messages.success(request, "Proposed. It takes effect when another administrator approves it.")
    elif set(before) == set(form.wanted):
        messages.success(request, "Nothing changed.")
    else:
        messages.success(request, "Saved. The new roles hold from the next page they open.")
    return redirect("console:member", membership_id)


@recently_signed_in
@staff(*rooms.MEMBERS)
@form_page
def decide_change(request: StaffRequest, change_id: UUID) -> HttpResponse:
    """Ask a second administrator about a proposed change of roles, and let it in or not when that is answered."""
    answer = request.POST.get("answer")
    if answer in ("approve", "decline"):
        members.decide(change_id=change_id, approve=answer == "approve", by=request.actor, now=timezone.now())
        said = "Approved. The new roles hold at once." if answer == "approve" else "Declined. Nothing changed."
        messages.success(request, said)
        return redirect("console:members")
    waiting = people_rows.open_changes(viewer_id=request.user.id)
    row = next((one for one in waiting if one.change.id == change_id), None)
    if row is None:
        raise NotFound
    return show(
        request, "console/people_decide.html", ROOM, {"row": row}, status=422 if request.method == "POST" else 200
    )


@staff(*rooms.MEMBERS)
@require_POST
def withdraw_change(request: StaffRequest, change_id: UUID) -> HttpResponse:
    """Take a proposed change of roles back."""
    members.withdraw(change_id=change_id, by=request.actor, now=timezone.now())
    messages.success(request, "Taken back. Nothing changed.")
    return redirect("console:members")


@staff(*rooms.MEMBERS)
@form_page
def deactivate_member(request: StaffRequest, membership_id: UUID) -> HttpResponse:
    """Ask whether to end a membership, saying what ends and what stays; end it when that is answered."""
    member = _member(membership_id)
    if request.method == "POST":
        left = members.deactivate(membership_id=membership_id, by=request.actor, now=timezone.now())
        get_sessions_adapter().end_sessions(list(UserSession.objects.filter(user_id=member.user_id)))
        agents = " Look at the keys of the agents that they registered." if left.agents else ""
        messages.success(request, f"Deactivated, and signed out everywhere.{agents}")
        return redirect("console:member", membership_id)
    page = {
        "member": member,
        "name": people_rows.name_of(member.user),
        "agents": people_rows.agents_of(member.user_id),
        "looks_after": stewards.subjects_of(member.user_id),
    }
    return show(request, "console/people_deactivate.html", ROOM, page)


@staff(*rooms.MEMBERS)
@require_POST
def reactivate_member(request: StaffRequest, membership_id: UUID) -> HttpResponse:
    """Let a member in again, without the roles that take two."""
    before = set(_member(membership_id).roles)
    members.reactivate(membership_id=membership_id, by=request.actor, now=timezone.now())
    lost = people_rows.named(before & GUARDED)
    again = f" {lost} takes two administrators: propose it anew." if lost else ""
    messages.success(request, f"Active again.{again}")
    return redirect("console:member", membership_id)


@staff(*rooms.MEMBERS)
@require_POST
def link_member(request: StaffRequest, membership_id: UUID) -> HttpResponse:
    """Let a member see a subject's memories as their own."""
    form = SubjectRefForm(request.POST, prefix="own", help_text="")
    refused = _try(
        form,
        lambda ref: linking.link(membership_id=membership_id, ref=ref, by=request.actor, now=timezone.now()),
    )
    if refused:
        return _page(request, membership_id, own=form)
    messages.success(request, f"Linked. They see what is remembered about {form.cleaned_data['subject']}.")
    return redirect("console:member", membership_id)


@staff(*rooms.MEMBERS)
@form_page
def unlink_member(request: StaffRequest, membership_id: UUID) -> HttpResponse:
    """Ask whether to take a subject from a member, saying that everything remembered stays; do it when answered."""
    member = _member(membership_id)
    subject = Subject.objects.filter(user_id=member.user_id).first()
    if subject is None:
        raise linking.NotLinked
    if request.method == "POST":
        linking.unlink(membership_id=membership_id, by=request.actor, now=timezone.now())
        messages.success(request, f"Unlinked. Everything that is remembered about {subject.ref} stays.")
        return redirect("console:member", membership_id)
    page = {
        "member": member,
        "name": people_rows.name_of(member.user),
        "subject": subject,
        "memories": _memories_about(subject),
    }
    return show(request, "console/people_unlink.html", ROOM, page)


@staff(*rooms.MEMBERS)
@require_POST
def name_steward(request: StaffRequest, membership_id: UUID) -> HttpResponse:
    """Let a member stand in for a team or another subject that is nobody's account."""
    form = SubjectRefForm(request.POST, prefix="steward", help_text="")
    refused = _try(
        form,
        lambda ref: stewards.name(membership_id=membership_id, ref=ref, by=request.actor, now=timezone.now()),
    )
    if refused:
        return _page(request, membership_id, steward=form)
    messages.success(request, f"Named. They look after what is remembered about {form.cleaned_data['subject']}.")
    return redirect("console:member", membership_id)


@staff(*rooms.MEMBERS)
@require_POST
def end_stewardship(request: StaffRequest, stewardship_id: UUID) -> HttpResponse:
    """Let a member stand in for a subject no longer."""
    member = stewards.end(stewardship_id=stewardship_id, by=request.actor, now=timezone.now())
    messages.success(request, "Ended. They see those memories no longer.")
    return redirect("console:member", member.id)


@staff(*rooms.MEMBERS)
@require_POST
def show_names(request: StaffRequest) -> HttpResponse:
    """Let people read the names of staff who looked at their memories, or only the roles."""
    if request.POST.get("names") not in ("shown", "hidden"):
        raise Invalid(fields={"names": ["Choose what people read."]})
    shown = request.POST["names"] == "shown"
    members.show_staff_names(shown=shown, by=request.actor, now=timezone.now())
    messages.success(request, "Saved. People read names." if shown else "Saved. People read roles, and no names.")
    return redirect("console:members")


def _page(
    request: StaffRequest,
    membership_id: UUID,
    *,
    roles: RolesForm | None = None,
    own: SubjectRefForm | None = None,
    steward: SubjectRefForm | None = None,
) -> HttpResponse:
    """Show the page of a member, with the form that could not be read as it was sent."""
    member = _member(membership_id)
    subject = Subject.objects.filter(user_id=member.user_id).first()
    sent = [form for form in (roles, own, steward) if form is not None]
    page: dict[str, Any] = {
        "member": member,
        "name": people_rows.name_of(member.user),
        "roles": people_rows.named(member.roles),
        "is_self": member.user_id == request.user.id,
        "status": people_rows.ACTIVE if member.ended_at is None else people_rows.ENDED,
        "subject": subject,
        "memories": _memories_about(subject) if subject else 0,
        "looks_after": Stewardship.objects.filter(user=member.user_id, ended_at=None).select_related("subject"),
        "agents": people_rows.agents_of(member.user_id),
        "waiting": next(iter(people_rows.open_changes(viewer_id=request.user.id, membership_id=member.id)), None),
        "deciders": people_rows.deciders(besides=(request.user.id, member.user_id)),
        "guarded": " and ".join(words.ROLES[role].lower() for role in Role if role in GUARDED),
        "history": people_rows.history_of(member.id),
        "roles_form": roles or RolesForm(initial={"roles": member.roles, "read": member.roles}),
        "own_form": own or SubjectRefForm(prefix="own", help_text="Such as user:mia. It is made if it is new."),
        "steward_form": steward
        or SubjectRefForm(prefix="steward", help_text="Such as team:north or entity:4471. It is made if it is new."),
        "sent": sent[0] if sent else None,
    }
    return show(request, "console/people_member.html", ROOM, page, status=422 if sent else 200)


def _try(form: SubjectRefForm, act: Callable[[str], object]) -> bool:
    """Act on the reference of the form; put what stands in the way into the form, and tell whether something does."""
    if not form.is_valid():
        return True
    try:
        act(form.cleaned_data["subject"])
    except Invalid as error:
        _put_into(form, error)
    except (linking.SubjectTaken, linking.HeldBefore, linking.LinkedAlready, stewards.StewardAlready) as error:
        form.add_error("subject", error.said)
    return bool(form.errors)


def _put_into(form: Form, error: DomainError) -> None:
    assert isinstance(error, Invalid)
    for name, problems in error.fields.items():
        form.add_error(name, problems)


def _member(membership_id: UUID) -> Membership:
    found = Membership.objects.select_related("user").filter(id=membership_id).first()
    if found is None:
        raise NotFound
    return found


def _memories_about(subject: Subject) -> int:
    return Memory.objects.filter(subject_id=subject.id).exclude(status__in=GONE).count()


def _status(form: Form) -> int:
    return 422 if form.errors else 200
