"""Addresses of signing in and of the account: ours, and those of django-allauth that have a look of ours, no others."""

from allauth.account import urls as account
from allauth.mfa.base import urls as factors
from allauth.mfa.recovery_codes import urls as recovery_codes
from allauth.mfa.totp import urls as totp
from allauth.mfa.webauthn import urls as webauthn
from django.urls import URLPattern, URLResolver, include, path

from memory_admin.web import accounts_pages, accounts_sso, invitations, notices

SHOWN = {
    "account_login",
    "account_logout",
    "account_inactive",
    "account_signup",
    "account_change_password",
    "account_set_password",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "account_reauthenticate",
}


urlpatterns: list[URLPattern | URLResolver] = [
    path("", accounts_pages.show_account, name="account_home"),
    path("sessions/", accounts_pages.show_sessions, name="account_sessions"),
    path("activity/", accounts_pages.show_events, name="account_events"),
    path("notices/", notices.show_notices, name="account_notices"),
    path("notices/<uuid:tenant_id>/<uuid:notice_id>/", notices.follow_notice, name="account_notice"),
    path("invitations/<str:token>/", invitations.follow_invitation, name="account_invitation"),
    path("appearance/", accounts_pages.choose_appearance, name="account_appearance"),
    path("shortcuts/", accounts_pages.show_shortcuts, name="account_shortcuts"),
    path("kept/", accounts_pages.show_kept_form, name="account_kept_form"),
    path("sso/", accounts_sso.leave, name="account_sso"),
    path("sso/callback/", accounts_sso.come_back, name="account_sso_callback"),
    path("2fa/", include(factors.urlpatterns)),
    path("2fa/app/", include(totp.urlpatterns)),
    path("2fa/codes/", include(recovery_codes.urlpatterns)),
    path("2fa/passkeys/", include(webauthn.urlpatterns)),
    *(pattern for pattern in account.urlpatterns if pattern.name in SHOWN),
]
