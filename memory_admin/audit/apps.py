from django.apps import AppConfig


class AuditConfig(AppConfig):
    """The audit trail of every tenant."""

    name = "memory_admin.audit"
    label = "audit"
    verbose_name = "Audit"

    def ready(self) -> None:
        # A key that cannot be read is told at the start, and not when something is to be signed.
        from memory_admin.audit import signing

        signing.public_keys()
