"""Sign-in: by invitation only, in plain words."""

from typing import ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]
    """How django-allauth behaves here: strangers cannot make an account, and no answer tells who has one."""

    error_messages: ClassVar[dict[str, str]] = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": "The e-mail or password is not right",
        "too_many_login_attempts": "Too many tries. Wait five minutes, then try again",
        "incorrect_password": "This is not your password",
        "enter_current_password": "This is not your password",
        "account_inactive": "The e-mail or password is not right",
        "invalid_password_reset": "This link does not work any more. Ask for a new one",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse: the organisation makes the accounts."""
        return False

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Go back to the first page, which says that the password is changed."""
        return "/"
