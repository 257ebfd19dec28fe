"""Addresses of the portal."""

from django.urls import path

from memory_admin.portal import changes, erasures, memories, refusals, tenants

app_name = "portal"

urlpatterns = [
    path("", memories.show_memories, name="memories"),
    path("add/", changes.add_memory, name="add"),
    path("not-saved/", refusals.show_refusals, name="not_saved"),
    path("tenant/", tenants.switch_tenant, name="switch_tenant"),
    path("deleted/<uuid:erasure_id>/", erasures.show_deleted, name="deleted"),
    path("memories/<uuid:memory_id>/", memories.show_memory, name="memory"),
    path("memories/<uuid:memory_id>/confirm/", changes.confirm_memory, name="confirm"),
    path("memories/<uuid:memory_id>/reject/", changes.reject_memory, name="reject"),
    path("memories/<uuid:memory_id>/restore/", changes.restore_memory, name="restore"),
    path("memories/<uuid:memory_id>/correct/", changes.correct_memory, name="correct"),
    path("memories/<uuid:memory_id>/dispute/", changes.dispute_memory, name="dispute"),
    path("memories/<uuid:memory_id>/delete/", erasures.delete_memory, name="delete"),
]
