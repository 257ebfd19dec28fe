"""App of the jobs package."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Registers the package with Django."""

    name = "memory_admin.jobs"
    label = "jobs"
