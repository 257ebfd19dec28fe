"""From an invitation to one's own memories: an administrator invites, the invited comes in and finds none yet."""

import re
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from accounts import invitations
from accounts.actors import system
from accounts.models import Invitation, User
from accounts.services import grant_membership
from accounts.vocabulary import Role
from memory_admin.tenancy.scope import tenant_scope
from tests.journeys.conftest import PASSWORD, Cast, Open


def written_to(address: str, larkfield: Cast) -> str:
    """Send the e-mail that waits, as its job does, and read the link."""
    with tenant_scope(larkfield.tenant.id):
        invited = Invitation.objects.get(email=address)
        assert invitations.mail(invitation_id=invited.id, sending=invited.sendings, now=timezone.now())
    found = re.search(r"(/accounts/invitations/\S+)", str(mail.outbox[-1].body))
    assert found is not None
    return found[1]


@pytest.mark.parametrize("with_javascript", [True, False])
def test_the_invited_comes_in_and_sees_that_nothing_is_remembered(
    larkfield: Cast, open_page: Open, with_javascript: bool
) -> None:
    user = User.objects.create_user("sofia@larkfield.example", PASSWORD, name="Sofia")
    with tenant_scope(larkfield.tenant.id):
        by = system("tests", tenant_id=larkfield.tenant.id)
        grant_membership(user=user, roles=[Role.ADMIN], by=by, now=timezone.now())
    admin = open_page(java_script_enabled=with_javascript)
    page: Any = admin.page
    admin.go("/console/members/")
    page.get_by_label("E-mail").fill("sofia@larkfield.example")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("link", name="Invite somebody").click()
    page.get_by_label("E-mail").fill("nora@elsewhere.example")
    page.get_by_label("Whose memories").fill("user:nora")
    page.get_by_role("button", name="Send the invitation").click()
    page.get_by_text("is on its way").wait_for()
    assert page.get_by_role("rowheader", name="nora@elsewhere.example").is_visible()

    nora = open_page(java_script_enabled=with_javascript)
    page = nora.page
    nora.go(written_to("nora@elsewhere.example", larkfield))
    page.get_by_label("Your name").fill("Nora")
    page.get_by_label("New password").fill("quiet river stone")
    page.get_by_label("The same again").fill("quiet river stone")
    page.get_by_role("button", name="Join Larkfield").click()

    page.get_by_role("heading", level=1, name="What agents remember about me").wait_for()
    assert page.get_by_text("No agent remembers anything about you yet").is_visible()
    assert page.get_by_text("You belong to Larkfield now").is_visible()
