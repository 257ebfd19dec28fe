"""What a key is and may do."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

import policies.queries as policies
from accounts.models import Subject, Tenant
from memory_admin.api import conf
from memory_admin.api.inputs import LONGEST_STATEMENT
from memory_admin.api.strict_json import MOST_BYTES
from memory_admin.api.views import AgentRequest, AgentView


class TenantOut(serializers.Serializer[Any]):
    """The organisation."""

    id = serializers.UUIDField()
    slug = serializers.CharField()
    region = serializers.CharField()


class AgentOut(serializers.Serializer[Any]):
    """The program."""

    id = serializers.UUIDField()
    name = serializers.CharField()


class LimitsOut(serializers.Serializer[Any]):
    """How much and how often."""

    requests_per_minute = serializers.IntegerField()
    reads_of_one_subject_per_minute = serializers.IntegerField()
    body_bytes = serializers.IntegerField()
    statement_characters = serializers.IntegerField()
    batch = serializers.IntegerField()
    page = serializers.IntegerField()


class WhoAmIOut(serializers.Serializer[Any]):
    """A key."""

    tenant = TenantOut()
    agent = AgentOut()
    key_id = serializers.UUIDField()
    scopes = serializers.ListField(child=serializers.CharField())
    channel = serializers.CharField(help_text="The most trusted channel that this key may claim.")
    subject = serializers.CharField(allow_null=True, help_text="The only subject that this key may name.")
    is_test = serializers.BooleanField()
    limits = LimitsOut()
    policy_versions = serializers.DictField(child=serializers.CharField())


class WhoAmI(AgentView):
    """GET /whoami: tell the tenant, agent, scopes, channel and limits of a key, and the policies in force for it."""

    scope = None
    answers = {200: WhoAmIOut}

    def get(self, request: AgentRequest) -> Response:
        actor = request.actor
        tenant = Tenant.objects.get(id=actor.tenant_id)
        bound = Subject.objects.get(id=actor.subject_id).ref if actor.subject_id else None
        in_force = policies.in_force(timezone.now(), region=tenant.region, agent_id=actor.agent_id)
        return Response(
            {
                "tenant": {"id": tenant.id, "slug": tenant.slug, "region": tenant.region},
                "agent": {"id": actor.agent_id, "name": actor.agent_name},
                "key_id": actor.key_id,
                "scopes": sorted(actor.scopes),
                "channel": actor.channel,
                "subject": bound,
                "is_test": actor.is_test,
                "limits": {
                    "requests_per_minute": conf.REQUESTS_PER_MINUTE,
                    "reads_of_one_subject_per_minute": conf.READS_OF_ONE_SUBJECT_PER_MINUTE,
                    "body_bytes": MOST_BYTES,
                    "statement_characters": LONGEST_STATEMENT,
                    "batch": conf.LARGEST_BATCH,
                    "page": conf.LARGEST_PAGE,
                },
                "policy_versions": in_force.labels,
            }
        )
