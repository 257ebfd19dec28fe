"""Every operation of the agent API and where it is reached."""

from django.urls import path

from memory_admin.api import health, schema, whoami
from memory_admin.api.routing import operations, unknown

urlpatterns = [
    path("v1/livez", operations(get=health.Livez)),
    path("v1/readyz", operations(get=health.Readyz)),
    path("v1/whoami", operations(get=whoami.WhoAmI)),
    path("schema/", operations(get=schema.Schema), name="schema"),
    path("docs/", schema.docs, name="docs"),
    path("", unknown),
    path("<path:rest>", unknown),
]
