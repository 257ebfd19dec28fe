from django.apps import AppConfig


class PortalConfig(AppConfig):
    name = "memory_admin.portal"
    label = "portal"
