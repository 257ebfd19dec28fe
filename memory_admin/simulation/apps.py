"""App of the simulation package."""

from django.apps import AppConfig


class SimulationConfig(AppConfig):
    """Deciding the past again by a version that is not in force."""

    name = "memory_admin.simulation"
    label = "simulation"
