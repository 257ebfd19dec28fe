from django.apps import AppConfig


class AuditConfig(AppConfig):
    """The audit trail of every tenant."""

    name = "memory_admin.audit"
    label = "audit"
    verbose_name = "Audit"
