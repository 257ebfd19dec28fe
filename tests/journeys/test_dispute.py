"""Somebody says that a memory is wrong, a reviewer agrees, and the person reads the answer."""

from django.utils import timezone

from accounts.actors import system
from accounts.models import User
from accounts.services import grant_membership
from accounts.vocabulary import Role
from memory_admin.tenancy.scope import tenant_scope
from tests.journeys.conftest import PASSWORD, Cast, Open

SAID = "Prefers the window seat on trains"


def reviewer(larkfield: Cast) -> str:
    user = User.objects.create_user("nadia@larkfield.example", PASSWORD, name="Nadia")
    with tenant_scope(larkfield.tenant.id):
        by = system("tests", tenant_id=larkfield.tenant.id)
        grant_membership(user=user, roles=[Role.REVIEWER], by=by, now=timezone.now())
    return user.email


def test_from_a_dispute_to_its_answer(larkfield: Cast, open_page: Open) -> None:
    larkfield.said(SAID)
    email = reviewer(larkfield)
    mia = open_page(viewport={"width": 390, "height": 800})
    mia.sign_in()
    mia.page.get_by_role("link", name=SAID).first.click()
    mia.page.get_by_role("link", name="This is wrong").click()
    mia.page.get_by_label("It is wrong about me").check()
    mia.page.get_by_label("Anything that helps to check it").fill("I never sat there.")
    mia.page.get_by_role("button", name="Have it checked").click()
    mia.page.get_by_text("Being checked").first.wait_for()
    number = mia.page.get_by_role("definition").first.inner_text()

    nadia = open_page()
    nadia.go("/console/reviews/")
    nadia.page.get_by_label("E-mail").fill(email)
    nadia.page.get_by_label("Password", exact=True).fill(PASSWORD)
    nadia.page.get_by_role("button", name="Sign in", exact=True).click()
    nadia.page.get_by_role("link", name=number).click()
    nadia.page.get_by_text("I never sat there.").wait_for()
    nadia.page.get_by_role("radio", name="Correct it").check()
    nadia.page.get_by_label("If you correct it: how should it read?").fill("Sits anywhere on trains")
    nadia.page.get_by_label("What to tell the person").fill("Thank you for telling us.")
    nadia.page.get_by_role("button", name="Answer the dispute").click()
    nadia.page.get_by_role("heading", name="All caught up").wait_for()

    mia.page.reload()
    mia.page.get_by_text("You were right: it is corrected").first.wait_for()
    mia.page.get_by_text("Thank you for telling us.").wait_for()
    mia.page.get_by_role("link", name="Sits anywhere on trains").click()
    mia.page.get_by_role("heading", level=1, name="Sits anywhere on trains").wait_for()
