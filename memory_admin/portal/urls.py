"""Addresses of the portal."""

from django.urls import path

from memory_admin.portal import (
    changes,
    erasures,
    kept_out,
    memories,
    privacy,
    proof,
    refusals,
    requests,
    selection,
    tenants,
    who_looked,
)

app_name = "portal"

urlpatterns = [
    path("", memories.show_memories, name="memories"),
    path("add/", changes.add_memory, name="add"),
    path("not-saved/", refusals.show_refusals, name="not_saved"),
    path("not-saved/<uuid:decision_id>/review/", refusals.ask_for_review, name="ask_for_review"),
    path("privacy/", privacy.show_privacy, name="privacy"),
    path("privacy/memory/", privacy.set_mode, name="set_mode"),
    path("privacy/agents/", privacy.set_agents, name="set_agents"),
    path("privacy/categories/", privacy.set_categories, name="set_categories"),
    path("kept-out/", kept_out.show_kept_out, name="kept_out"),
    path("kept-out/<uuid:tombstone_id>/allow/", kept_out.allow_again, name="allow_again"),
    path("requests/", requests.show_requests, name="requests"),
    path("requests/<uuid:request_id>/", requests.show_request, name="request"),
    path("requests/<uuid:request_id>/statement/", requests.state, name="state"),
    path("receipts/", erasures.show_receipts, name="receipts"),
    path("pauses/<uuid:pause_id>/resume/", privacy.resume, name="resume"),
    path("tenant/", tenants.switch_tenant, name="switch_tenant"),
    path("whose/", tenants.switch_subject, name="switch_subject"),
    path("who-looked/", who_looked.show_views, name="who_looked"),
    path("deleted/<uuid:erasure_id>/", erasures.show_deleted, name="deleted"),
    path("deleted/<uuid:erasure_id>/progress/", erasures.show_progress, name="progress"),
    path("deleted/<uuid:erasure_id>/take-back/", erasures.take_back, name="take_back"),
    path("deleted/<uuid:erasure_id>/try-again/", erasures.try_again, name="try_again"),
    path("deleted/<uuid:erasure_id>/receipt.json", erasures.download_receipt, name="receipt_json"),
    path("selected/delete/", selection.delete_many, name="delete_many"),
    path("selected/pause/", selection.pause_many, name="pause_many"),
    path("selected/resume/", selection.resume_many, name="resume_many"),
    path("memories/<uuid:memory_id>/", memories.show_memory, name="memory"),
    path("memories/<uuid:memory_id>/proof/", proof.show_proof, name="proof"),
    path("memories/<uuid:memory_id>/proof.json", proof.download_proof, name="download_proof"),
    path("memories/<uuid:memory_id>/confirm/", changes.confirm_memory, name="confirm"),
    path("memories/<uuid:memory_id>/reject/", changes.reject_memory, name="reject"),
    path("memories/<uuid:memory_id>/restore/", changes.restore_memory, name="restore"),
    path("memories/<uuid:memory_id>/correct/", changes.correct_memory, name="correct"),
    path("memories/<uuid:memory_id>/dispute/", changes.dispute_memory, name="dispute"),
    path("memories/<uuid:memory_id>/pause/", privacy.pause_memory, name="pause"),
    path("memories/<uuid:memory_id>/delete/", erasures.delete_memory, name="delete"),
]
