"""Addresses of the style guide."""

from django.urls import path

from memory_admin.styleguide import views

app_name = "styleguide"

urlpatterns = [
    path("", views.show_guide, name="guide"),
    path("question/", views.ask, name="question"),
    path("errors/<int:status>/", views.fail, name="error"),
]
