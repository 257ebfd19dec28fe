"""By the organisation's identity provider, in a browser that lets no form lead to another host."""

import pytest
from django.utils import timezone
from playwright.sync_api import Browser
from pytest_django.fixtures import Settings

from accounts import invitations
from accounts.actors import system
from accounts.models import User
from accounts.queries import memberships_of, staff
from accounts.services import grant_membership
from accounts.vocabulary import Role
from memory_admin.tenancy.scope import tenant_scope
from tests.journeys.conftest import Cast
from tests.web.identity_provider import CLIENT_ID, SECRET, identity_provider


@pytest.mark.parametrize("with_javascript", [True, False])
def test_the_invited_comes_in_by_the_provider_without_a_password(
    larkfield: Cast, browser: Browser, live_server: object, settings: Settings, with_javascript: bool
) -> None:
    with identity_provider() as larkfield_id:
        larkfield_id.person = {"sub": "nora-1", "email": "nora@larkfield.example", "email_verified": True}
        provider = {"issuer": larkfield_id.address, "client_id": CLIENT_ID, "secret": SECRET, "name": "Larkfield ID"}
        settings.SINGLE_SIGN_ON = {**provider, "tenant_slug": "larkfield"}
        settings.SINGLE_SIGN_ON_ALONE = True
        page = browser.new_context(java_script_enabled=with_javascript).new_page()
        page.set_default_timeout(10_000)

        page.goto(f"{live_server}{_door(larkfield)}")
        page.get_by_label("Your name").fill("Nora")
        page.get_by_role("button", name="Join Larkfield").click()

        page.get_by_role("heading", level=1, name="What agents remember about me").wait_for()
        page.context.close()


def _door(larkfield: Cast) -> str:
    """Give the address in the e-mail to Nora."""
    sofia = User.objects.create_user("sofia@larkfield.example")
    with tenant_scope(larkfield.tenant.id):
        by, now = system("tests", tenant_id=larkfield.tenant.id), timezone.now()
        grant_membership(user=sofia, roles=[Role.ADMIN], by=by, now=now)
        admin = staff(sofia.id, memberships_of(sofia.id)[0])
        invited = invitations.invite(
            email="nora@larkfield.example", roles=[Role.PERSON], subject_ref="user:nora", by=admin, now=now
        )
        return f"/accounts/invitations/{invitations.link_of(invited)}/"
