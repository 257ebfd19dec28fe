"""The commands that set a tenant up."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.queries import tenant_named
from accounts.services import authenticate_key
from accounts.vocabulary import Channel, Scope
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
