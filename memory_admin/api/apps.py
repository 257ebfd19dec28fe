from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "memory_admin.api"
    label = "api"
