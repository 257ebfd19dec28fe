"""The commands that set a tenant up."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.actors import system
from accounts.models import Tenant, User
from accounts.queries import memberships_of, tenant_named
from accounts.services import authenticate_key, grant_membership
from accounts.vocabulary import Channel, Role, Scope
from memory_admin.tenancy.scope import tenant_scope
from policies.queries import in_force


def _run(*args: str) -> str:
    out = StringIO()
    call_command(*args, stdout=out)
    return out.getvalue().strip()


@pytest.mark.django_db
def test_three_commands_make_a_tenant_with_a_working_key() -> None:
    _run("create_tenant", "acme", "--name", "Acme")
    _run("create_agent", "Helper", "--tenant", "acme")

    text = _run("issue_key", "Helper", "--tenant", "acme", "--channel", "user_message", "--subject", "user:ada")

    actor = authenticate_key(text, now=timezone.now())
    assert actor is not None
    assert actor.channel == Channel.USER_MESSAGE
    assert actor.has(Scope.MEMORIES_WRITE)
    assert actor.subject_id is not None
    with tenant_scope(tenant_named("acme").id):
        assert in_force(timezone.now()).write.version_label == "write/1"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "args",
    [
        ("create_tenant", "Not A Slug"),
        ("create_agent", "Helper", "--tenant", "nobody"),
        ("issue_key", "Nobody", "--tenant", "acme"),
        ("create_tenant", "acme"),
        ("create_agent", " ", "--tenant", "acme"),
        ("issue_key", "Helper", "--tenant", "acme", "--subject", "ada"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(args: tuple[str, ...]) -> None:
    _run("create_tenant", "acme")
    _run("create_agent", "Helper", "--tenant", "acme")

    with pytest.raises(CommandError) as refused:
        _run(*args)

    assert "\n" not in str(refused.value)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("email", "typed"),
    [
        ("sofia", ["a long enough secret"] * 2),
        ("sofia@acme.example", ["short", "short"]),
        ("sofia@acme.example", ["", ""]),
        ("sofia@acme.example", ["a long enough secret", "a long enough secrte"]),
    ],
)
def test_the_first_administrator_gets_a_good_password_or_there_is_no_tenant(
    monkeypatch: pytest.MonkeyPatch, email: str, typed: list[str]
) -> None:
    monkeypatch.setattr("getpass.getpass", lambda prompt: typed.pop(0))

    with pytest.raises(CommandError) as refused:
        _run("create_tenant", "acme", "--admin", email)

    assert "not valid" not in str(refused.value)
    assert not Tenant.objects.exists()
    assert not User.objects.exists()


@pytest.mark.django_db
def test_the_first_administrator_can_sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getpass", lambda prompt: "a long enough secret")

    _run("create_tenant", "acme", "--admin", "Sofia@acme.example")

    sofia = User.objects.get(email="sofia@acme.example")
    assert sofia.check_password("a long enough secret")
    assert memberships_of(sofia.id)[0].roles == {Role.ADMIN}


@pytest.mark.django_db
def test_an_account_is_linked_to_a_subject() -> None:
    _run("create_tenant", "acme")
    user = User.objects.create_user("mia@acme.example")
    terms = ("mia@acme.example", "user:mia", "--tenant", "acme")
    for args in (terms, ("nobody@acme.example", *terms[1:])):
        with pytest.raises(CommandError):  # no member, no account
            _run("link_member", *args)
    tenant = tenant_named("acme")
    with tenant_scope(tenant.id):
        grant_membership(user=user, roles=[Role.PERSON], by=system("tests", tenant_id=tenant.id), now=timezone.now())

    _run("link_member", *terms)

    assert memberships_of(user.id)[0].subject_id is not None
