"""App of the evaluation package."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    """How well search finds what it should."""

    name = "memory_admin.evaluation"
    label = "evaluation"
