"""App of the jobs package."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Registers the package with Django."""

    name = "memory_admin.jobs"
    label = "jobs"

    def ready(self) -> None:
        # Without the app a web process would send its jobs to Celery's default broker.
        from memory_admin import celery  # noqa: F401
