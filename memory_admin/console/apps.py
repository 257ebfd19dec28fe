from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    name = "memory_admin.console"
    label = "console"
