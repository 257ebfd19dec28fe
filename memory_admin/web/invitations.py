"""Following an invitation: open to whoever has the link, and to nobody else."""

from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login
from django.contrib import messages
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.forms import CharField, Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts import invitations, security
from accounts.invitations import LinkEnded
from accounts.models import Invitation, Tenant, User
from memory_admin.errors import DomainError
from memory_admin.web import accounts_sso, errors, words
from memory_admin.web.access import choose_tenant


class SignUpForm(Form):
    """How the invited one will sign in."""

    name = CharField(max_length=100, error_messages={"required": "Write the name that others read."})
    password1 = CharField(max_length=1000, strip=False, error_messages={"required": "Choose a password."})
    password2 = CharField(max_length=1000, strip=False, error_messages={"required": "Write the password again."})

    def __init__(self, *args: object, email: str, with_password: bool) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.email = email
        if not with_password:
            del self.fields["password1"], self.fields["password2"]

    def clean(self) -> None:
        """Refuse a password that is weak or was not written twice."""
        first, second = self.cleaned_data.get("password1"), self.cleaned_data.get("password2")
        if first and second and first != second:
            self.add_error("password2", "This is not the same as above.")
        if first:
            try:
                validate_password(first, User(email=self.email, name=self.cleaned_data.get("name", "")))
            except ValidationError as error:
                self.add_error("password1", error)


@require_http_methods(["GET", "HEAD", "POST"])
def follow_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Let the invited one join: with their account, or with a new one. Every link that does not work looks the same."""
    try:
        tenant, invitation = invitations.read_link(token, now=timezone.now())
        if request.user.is_authenticated:
            return _join(request, token, tenant, invitation)
        if security.user_of(invitation.email) is not None:
            return _show(request, "sign_in", tenant, invitation)
        return _sign_up(request, token, tenant, invitation)
    except LinkEnded:
        return render(request, "account/invitation_ended.html", status=404)
    except invitations.HasAccount:
        return redirect(request.path)
    except DomainError as error:
        return errors.refusal(request, error)


def _join(request: HttpRequest, token: str, tenant: Tenant, invitation: Invitation) -> HttpResponse:
    assert isinstance(request.user, User)
    if request.user.email != invitation.email:
        return _show(request, "other", tenant, invitation, status=403)
    if request.method != "POST":
        return _show(request, "join", tenant, invitation)
    invitations.accept(token=token, user=request.user, now=timezone.now())
    return _welcome(request, tenant)


def _sign_up(request: HttpRequest, token: str, tenant: Tenant, invitation: Invitation) -> HttpResponse:
    provider = accounts_sso.only_provider_of(tenant.slug)
    sent = request.POST if request.method == "POST" else None
    form = SignUpForm(sent, email=invitation.email, with_password=provider is None)
    if not form.is_valid():
        return _show(request, "sign_up", tenant, invitation, form=form, status=422 if form.errors else 200)
    asked = form.cleaned_data
    user = invitations.sign_up(token=token, name=asked["name"], password=asked.get("password1"), now=timezone.now())
    if provider is not None:
        return redirect("account_sso")
    perform_login(request, user)
    record_authentication(request, user, "password")
    return _welcome(request, tenant)


def _welcome(request: HttpRequest, tenant: Tenant) -> HttpResponse:
    choose_tenant(request, tenant.id)
    messages.success(request, f"Welcome. You belong to {tenant.name} now.")
    return redirect("/")


def _show(
    request: HttpRequest,
    name: str,
    tenant: Tenant,
    invitation: Invitation,
    *,
    form: SignUpForm | None = None,
    status: int = 200,
) -> HttpResponse:
    page = {
        "tenant": tenant,
        "email": invitation.email,
        "roles": [words.ROLES[role].lower() for role in invitation.roles],
        "form": form,
        "provider": accounts_sso.only_provider_of(tenant.slug),
    }
    return render(request, f"account/invitation_{name}.html", page, status=status)
