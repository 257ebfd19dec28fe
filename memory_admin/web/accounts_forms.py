"""The forms of the second factor, which note what went wrong and survive whatever is sent."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.adapter import get_adapter as get_factors
from allauth.mfa.base import forms
from allauth.mfa.webauthn import forms as webauthn
from django.core.exceptions import ValidationError

from accounts.vocabulary import SecurityEventKind


class _NotesWhatHappens:
    """Notes a wrong code, and the use of a recovery code."""

    def clean_code(self) -> str:
        try:
            code: str = super().clean_code()  # type: ignore[misc]
        except ValidationError:
            self._note(SecurityEventKind.WRONG_CODE)
            raise
        if self.authenticator.type == "recovery_codes":  # type: ignore[attr-defined]
            self._note(SecurityEventKind.RECOVERY_CODE_USED)
        return code

    def _note(self, kind: SecurityEventKind) -> None:
        get_adapter().note(kind, self.user, context.request)  # type: ignore[attr-defined]


class AuthenticateForm(_NotesWhatHappens, forms.AuthenticateForm):  # type: ignore[misc]
    """Asks for a code at sign-in."""


class ReauthenticateForm(_NotesWhatHappens, forms.ReauthenticateForm):  # type: ignore[misc]
    """Asks for a code of somebody who signed in a while ago."""


UNREADABLE = (KeyError, TypeError, ValueError, AttributeError)


class _ReadsWithCare:
    """Takes what a passkey could not have said as a wrong answer."""

    def clean_credential(self) -> Any:
        try:
            return super().clean_credential()  # type: ignore[misc]
        except UNREADABLE as error:
            raise get_factors().validation_error("incorrect_passkey") from error


class AuthenticateWebAuthnForm(_ReadsWithCare, webauthn.AuthenticateWebAuthnForm):  # type: ignore[misc]
    """Asks for a passkey at sign-in, after the password."""


class LoginWebAuthnForm(_ReadsWithCare, webauthn.LoginWebAuthnForm):  # type: ignore[misc]
    """Asks for a passkey instead of a password."""


class ReauthenticateWebAuthnForm(_ReadsWithCare, webauthn.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """Asks for a passkey of somebody who signed in a while ago."""


class AddWebAuthnForm(webauthn.AddWebAuthnForm):  # type: ignore[misc]
    """Takes a new passkey."""

    def clean(self) -> dict[str, Any]:
        try:
            cleaned: dict[str, Any] = super().clean()
        except UNREADABLE as error:
            raise get_factors().validation_error("incorrect_passkey") from error
        return cleaned

    def clean_name(self) -> str:
        name: str = super().clean_name()
        return name[:60]
