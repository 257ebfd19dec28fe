"""App of the retrieval package."""

from django.apps import AppConfig


class RetrievalConfig(AppConfig):
    """Search and its log."""

    name = "memory_admin.retrieval"
    label = "retrieval"
