"""App of the lifecycle package."""

from django.apps import AppConfig


class LifecycleConfig(AppConfig):
    """Registers the package with Django."""

    name = "memory_admin.lifecycle"
    label = "lifecycle"
