"""App of the memories package."""

from django.apps import AppConfig


class MemoriesConfig(AppConfig):
    """Registers the package with Django."""

    name = "memory_admin.memories"
    label = "memories"
