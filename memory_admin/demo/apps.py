from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "memory_admin.demo"
    label = "demo"
