"""App of the accounts package."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Who: tenants, users, memberships, subjects, agents, keys."""

    name = "accounts"
