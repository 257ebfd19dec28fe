"""App of the policies package."""

from django.apps import AppConfig


class PoliciesConfig(AppConfig):
    """What is allowed: families, versions, activations, change requests."""

    name = "policies"
