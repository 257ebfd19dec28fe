"""App of the tenancy package."""

from django.apps import AppConfig


class TenancyConfig(AppConfig):
    """Registers the package with Django."""

    name = "memory_admin.tenancy"
    label = "tenancy"
