"""Every address of the product."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path

from memory_admin.web.help import show_help
from memory_admin.web.signing_keys import show_keys

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", include("memory_admin.api.urls")),
    path("accounts/", include("memory_admin.web.urls")),
    path("help/", show_help, name="help"),
    path(".well-known/memory-admin-keys", show_keys, name="signing_keys"),
    path("console/", include("memory_admin.console.urls")),
    path("", include("memory_admin.portal.urls")),
]

if settings.DEBUG:
    urlpatterns.append(path("styleguide/", include("memory_admin.styleguide.urls")))

handler400 = "memory_admin.web.errors.bad_request"
handler403 = "memory_admin.web.errors.not_allowed"
handler404 = "memory_admin.web.errors.not_found"
handler429 = "memory_admin.web.errors.too_many"  # asked for by django-allauth
handler500 = "memory_admin.web.errors.failed"
