"""The addresses of the product with the style guide, as they are where DEBUG is on."""

from django.urls import include, path

from memory_admin import urls

urlpatterns = [*urls.urlpatterns, path("styleguide/", include("memory_admin.styleguide.urls"))]

handler404 = urls.handler404
handler500 = urls.handler500
