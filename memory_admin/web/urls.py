"""Addresses of signing in: the pages of django-allauth that have a look of ours, and no others."""

from allauth.account import urls as allauth
from django.urls import URLPattern

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
}

urlpatterns: list[URLPattern] = [pattern for pattern in allauth.urlpatterns if pattern.name in SHOWN]
