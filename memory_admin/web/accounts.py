"""Sign-in: by invitation only, in plain words, with everything that happens to it noted for the person."""

import logging
from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import ratelimit
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from accounts import security
from accounts.models import User
from accounts.vocabulary import SecurityEventKind
from memory_admin.web import accounts_factors, accounts_lock, accounts_sso, kept_forms, words
from memory_admin.web.accounts_devices import device

log = logging.getLogger(__name__)

# django-allauth sends a notice of each of these; the notice is what we note, and what the person is told by e-mail.
NOTICES = {
    "account/email/password_changed": SecurityEventKind.PASSWORD_CHANGED,
    "account/email/password_set": SecurityEventKind.PASSWORD_CHANGED,
    "account/email/password_reset": SecurityEventKind.PASSWORD_RESET,
    "mfa/email/totp_activated": SecurityEventKind.TOTP_ACTIVATED,
    "mfa/email/totp_deactivated": SecurityEventKind.TOTP_DEACTIVATED,
    "mfa/email/recovery_codes_generated": SecurityEventKind.RECOVERY_CODES_GENERATED,
    "mfa/email/webauthn_added": SecurityEventKind.WEBAUTHN_ADDED,
    "mfa/email/webauthn_removed": SecurityEventKind.WEBAUTHN_REMOVED,
}
WAYS = {
    "reauthenticate": "Use your password",
    "mfa_reauthenticate": "Use a code",
    "mfa_reauthenticate:webauthn": "Use a passkey",
}
LOCKED = "Too many wrong tries. Sign-in from here is locked until {until}"
SET_UP = (SecurityEventKind.TOTP_ACTIVATED, SecurityEventKind.WEBAUTHN_ADDED)


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]
    """How django-allauth behaves here: strangers cannot make an account, and no answer tells who has one."""

    error_messages: ClassVar[dict[str, str]] = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": "The e-mail or password is not right",
        "too_many_login_attempts": "Too many tries. Wait five minutes, then try again.",
        "incorrect_password": "This is not your password.",
        "enter_current_password": "This is not your password.",
        "account_inactive": "The e-mail or password is not right",
        "invalid_password_reset": "This link does not work any more. Ask for a new one.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse: the organisation makes the accounts."""
        return False

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Go back to the account page, which says that the password is changed."""
        return "/accounts/"

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Ask again who it is when the last sign-in or answer is too old."""
        return not accounts_factors.is_fresh(self.request)

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        """Name the ways to prove who one is as they are named elsewhere, and the provider of who signs in by one."""
        found: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        ways = [{**one, "description": WAYS.get(one["id"], one["description"])} for one in found]
        named = accounts_sso.provider()
        if named and user.is_authenticated and accounts_sso.identity_of(user):
            again = f"{reverse('account_sso')}?again=yes"
            ways.append({"id": "account_sso", "description": f"Use {named.name}", "url": again})
        return ways

    def pre_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse | None:
        """Turn away who knows the password, when the organisation lets them in by its provider alone."""
        response: HttpResponse | None = super().pre_login(request, user, **kwargs)
        if response is None and accounts_sso.is_the_only_way(user) and not accounts_sso.came_by_it(request, user):
            return accounts_sso.only_by_it(request)
        return response

    # ── Passwords ──

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse a pair of e-mail and address that had too many wrong passwords, and a network that tries many."""
        until = accounts_lock.begin(_email(credentials), self.get_client_ip(request), now=timezone.now())
        if until is not None:
            raise ValidationError(LOCKED.format(until=words.clock(timezone.localtime(until))), code="locked")
        if not ratelimit.consume(request, action="tries_of_a_network"):
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Check a password; a right one clears the count of wrong ones."""
        user: User | None = super().authenticate(request, **credentials)
        if user is not None:
            accounts_lock.clear(_email(credentials), self.get_client_ip(request))
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a wrong password, whether or not there is such an account."""
        accounts_lock.fail(_email(credentials), self.get_client_ip(request), _device(request), now=timezone.now())

    # ── What the person is told ──

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """Note the sign-in, and the wrong passwords before it."""
        failed = accounts_lock.take_failed(user.email)
        if failed is not None:
            kind = SecurityEventKind.LOCKED if failed.locked else SecurityEventKind.WRONG_PASSWORD
            security.note_event(user_id=user.id, kind=kind, address=failed.address, device=failed.device, now=failed.at)
        self.note(SecurityEventKind.SIGNED_IN, user, request)
        response: HttpResponse = super().post_login(request, user, **kwargs)
        kept_forms.remember(response, user)
        if accounts_factors.came_by_passkey(request, user):
            accounts_factors.offer_passkey_first(response)
        return response

    def send_notification_mail(
        self, template_prefix: str, user: User, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Note what changed about the sign-in, and tell the person by e-mail."""
        kind = NOTICES[template_prefix]
        request: HttpRequest = self.request
        self.note(kind, user, request)
        if kind == SecurityEventKind.PASSWORD_RESET:
            accounts_lock.clear(user.email, self.get_client_ip(request))
        if kind in SET_UP:
            accounts_factors.remember_set_up(request)
        if kind == SecurityEventKind.TOTP_ACTIVATED:
            accounts_factors.use_up_code(request, user)
        self.mail_event(kind, user, device=_device(request))

    def mail_event(self, kind: SecurityEventKind, user: User, *, device: str) -> None:
        """Tell the person by e-mail what changed about their sign-in, and from where."""
        told = {"what": kind.label, "at": words.exact(timezone.localtime()), "device": device}
        _send(self.render_mail("account/email/security_event", user.email, told))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send the link for a new password, or say that there is no such account."""
        _send(self.render_mail(template_prefix, email, {**context, "email": email}))

    def note(self, kind: SecurityEventKind, user: User, request: HttpRequest) -> None:
        """Note an event of this request."""
        security.note_event(
            user_id=user.id,
            kind=kind,
            address=self.get_client_ip(request),
            device=_device(request),
            now=timezone.now(),
        )


def _send(mail: EmailMessage) -> None:
    """Send an e-mail. A server that does not take it fails nothing, and is told in the log.

    What the e-mail tells of is done; and an error page would come for an account that exists, and for no other.
    """
    try:
        mail.send()
    except OSError as error:  # every error of SMTP is one
        log.error("An e-mail about a sign-in was not sent.", exc_info=error)


def _email(credentials: dict[str, Any]) -> str:
    return str(credentials.get("email") or credentials.get("username") or "")


def _device(request: HttpRequest) -> str:
    return device(request.headers.get("User-Agent", ""))
