"""Procedures: how an agent is to do things. They come from the policy in force, and no agent or person changes one."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response

from accounts.vocabulary import Scope
from memory_admin.api.preconditions import etag
from memory_admin.api.problems import nothing_here
from memory_admin.api.views import AgentRequest, AgentView
from policies.documents import Procedure
from policies.queries import PoliciesInForce, in_force, procedures_for


class ListedProcedureOut(serializers.Serializer[Any]):
    """A procedure that this agent may read."""

    name = serializers.CharField()
    title = serializers.CharField()
    policy_version = serializers.CharField()


class ProceduresOut(serializers.Serializer[Any]):
    """The procedures in force for this agent, tenant and region, by name."""

    items = ListedProcedureOut(many=True)


class ProcedureOut(ListedProcedureOut):
    """A procedure. It was approved by people, so it is an instruction, as no memory is."""

    text = serializers.CharField()
    owner = serializers.CharField(help_text="The team that answers for it.")
    instruction = serializers.BooleanField(help_text="Always true.")


class ListProcedures(AgentView):
    """GET /procedures: list the procedures in force for this agent."""

    scope = Scope.PROCEDURES_READ
    answers = {200: ProceduresOut}

    def get(self, request: AgentRequest) -> Response:
        held = _in_force(request)
        return Response({"items": [_listed(one, held) for one in _readable(request, held)]})


class ReadProcedure(AgentView):
    """GET /procedures/{name}: read one procedure; its ETag names the version of the policy."""

    scope = Scope.PROCEDURES_READ
    answers = {200: ProcedureOut}

    def get(self, request: AgentRequest, name: str) -> Response:
        held = _in_force(request)
        found = next((one for one in _readable(request, held) if one.name == name), None)
        if found is None:
            raise nothing_here()
        told = {**_listed(found, held), "text": found.text, "owner": found.owner, "instruction": True}
        number = held.procedure.version_label.partition("/")[2]
        return Response(told, headers={"ETag": etag(int(number))})


def _in_force(request: AgentRequest) -> PoliciesInForce:
    return in_force(timezone.now(), agent_id=request.actor.agent_id)


def _readable(request: AgentRequest, held: PoliciesInForce) -> list[Procedure]:
    return procedures_for(request.actor.agent_name, in_force=held)


def _listed(procedure: Procedure, held: PoliciesInForce) -> dict[str, Any]:
    return {"name": procedure.name, "title": procedure.title, "policy_version": held.procedure.version_label}
