from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "memory_admin.web"
    label = "web"
