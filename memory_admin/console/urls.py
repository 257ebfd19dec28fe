"""Addresses of the console."""

from django.urls import path

from memory_admin.console import agents, overview, people, policies, retrievals, reviews, subjects, trail
from memory_admin.console import reviews_of_held as held
from memory_admin.console import reviews_of_refusals as refusals

app_name = "console"

urlpatterns = [
    path("", overview.show_overview, name="overview"),
    path("agents/", agents.show_agents, name="agents"),
    path("agents/new/", agents.register_agent, name="register_agent"),
    path("agents/<uuid:agent_id>/", agents.show_agent, name="agent"),
    path("agents/<uuid:agent_id>/pause/", agents.pause_agent, name="pause_agent"),
    path("agents/<uuid:agent_id>/resume/", agents.resume_agent, name="resume_agent"),
    path("agents/<uuid:agent_id>/retire/", agents.retire_agent, name="retire_agent"),
    path("agents/<uuid:agent_id>/keys/new/", agents.issue_key, name="issue_key"),
    path("keys/<uuid:key_id>/rotate/", agents.rotate_key, name="rotate_key"),
    path("keys/<uuid:key_id>/revoke/", agents.revoke_key, name="revoke_key"),
    path("retrievals/", retrievals.show_log, name="retrievals"),
    path("retrievals/<uuid:retrieval_id>/", retrievals.show_retrieval, name="retrieval"),
    path("retrievals/<uuid:retrieval_id>/texts/", retrievals.reveal_texts, name="reveal_texts"),
    path("policies/", policies.show_policies, name="policies"),
    path("policies/<str:family>/", policies.show_policy, name="policy"),
    path("policy-requests/", policies.show_requests, name="requests"),
    path("reviews/", reviews.show_disputes, name="reviews"),
    path("reviews/refusals/", refusals.show_refusals, name="refusals"),
    path("reviews/refusals/<uuid:review_id>/", refusals.answer_review, name="refusal"),
    path("reviews/held/", held.show_held, name="held"),
    path("reviews/held/<uuid:held_id>/", held.check_memory, name="held_memory"),
    path("reviews/disputes/<uuid:dispute_id>/", reviews.answer_dispute, name="dispute"),
    path("members/", people.show_members, name="members"),
    path("members/invite/", people.invite_member, name="invite_member"),
    path("members/names/", people.show_names, name="show_names"),
    path("members/<uuid:membership_id>/", people.show_member, name="member"),
    path("members/<uuid:membership_id>/roles/", people.change_roles, name="change_roles"),
    path("members/<uuid:membership_id>/link/", people.link_member, name="link_member"),
    path("members/<uuid:membership_id>/unlink/", people.unlink_member, name="unlink_member"),
    path("members/<uuid:membership_id>/steward/", people.name_steward, name="name_steward"),
    path("members/<uuid:membership_id>/deactivate/", people.deactivate_member, name="deactivate_member"),
    path("members/<uuid:membership_id>/reactivate/", people.reactivate_member, name="reactivate_member"),
    path("invitations/<uuid:invitation_id>/resend/", people.resend_invitation, name="resend_invitation"),
    path("invitations/<uuid:invitation_id>/withdraw/", people.withdraw_invitation, name="withdraw_invitation"),
    path("role-changes/<uuid:change_id>/decide/", people.decide_change, name="decide_change"),
    path("role-changes/<uuid:change_id>/withdraw/", people.withdraw_change, name="withdraw_change"),
    path("stewardships/<uuid:stewardship_id>/end/", people.end_stewardship, name="end_stewardship"),
    path("subjects/", subjects.show_subjects, name="subjects"),
    path("audit/", trail.show_trail, name="audit"),
    path("audit/verify/", trail.verify_trail, name="verify_audit"),
    path("audit/<int:seq>/", trail.show_event, name="event"),
]
