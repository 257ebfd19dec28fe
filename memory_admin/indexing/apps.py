"""The Django app of the search table."""

from django.apps import AppConfig


class IndexingConfig(AppConfig):
    """What search reads: vectors and lexemes, one row for each retrievable memory."""

    name = "memory_admin.indexing"
    label = "indexing"
