"""App of the extraction package."""

from django.apps import AppConfig


class ExtractionConfig(AppConfig):
    """Memories from finished conversations."""

    name = "memory_admin.extraction"
    label = "extraction"
