"""How an operation is described in OpenAPI: by what its view says of itself."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework import serializers


class FieldProblem(serializers.Serializer[Any]):
    """What is wrong with one field."""

    field = serializers.CharField()
    code = serializers.CharField()
    detail = serializers.CharField()


class ProblemDocument(serializers.Serializer[Any]):
    """An error (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="Stable; for programs.")
    detail = serializers.CharField(help_text="One sentence; for people.")
    rule_ids = serializers.ListField(child=serializers.CharField(), required=False)
    policy_version = serializers.CharField(required=False, allow_null=True)
    decision_id = serializers.UUIDField(required=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        # Not a class attribute: a serializer already has one of this name.
        return {**super().get_fields(), "errors": FieldProblem(many=True, required=False)}


class OperationSchema(AutoSchema):
    """Describes an operation by what its view says of itself."""

    view: Any

    def get_operation_id(self) -> str:
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(self.view).__name__).lower()

    def get_tags(self) -> list[str]:
        return [type(self.view).__module__.rpartition(".")[2]]

    def get_summary(self) -> str:
        first = (type(self.view).__doc__ or "").strip().partition("\n\n")[0]
        return " ".join(first.partition(": ")[2].split())

    def get_description(self) -> str:  # type: ignore[override]
        rest = (type(self.view).__doc__ or "").strip().partition("\n\n")[2]
        scope = getattr(self.view, "scope", None)
        return "\n\n".join(filter(None, [" ".join(rest.split()), f"Scope: `{scope}`." if scope else ""]))

    def get_request_serializer(self) -> Any:
        return self.view.reads

    def get_override_parameters(self) -> list[Any]:
        parameters: list[Any] = [self.view.filters] if self.view.filters else []
        if getattr(self.view, "has_effect", False):
            parameters.append(
                OpenApiParameter(
                    "Idempotency-Key",
                    str,
                    OpenApiParameter.HEADER,
                    description="Sent again within 24 h, the request takes no second effect.",
                )
            )
        if getattr(self.view, "needs_version", False):
            parameters.append(
                OpenApiParameter(
                    "If-Match", str, OpenApiParameter.HEADER, description="The ETag of the version that is meant."
                )
            )
        return parameters

    def get_response_serializers(self) -> Any:
        answers: dict[Any, Any] = {
            status: OpenApiResponse(shape, description=_DESCRIPTIONS.get(status, "Done."))
            for status, shape in self.view.answers.items()
        }
        for status in self._problems():
            problem = OpenApiResponse(ProblemDocument, description=_DESCRIPTIONS[status])
            answers[status, "application/problem+json"] = problem
        return answers

    def get_examples(self) -> list[OpenApiExample]:
        if self.view.reads is None or self.view.example is None:
            return []
        return [OpenApiExample("example", value=self.view.example, request_only=True)]

    def _problems(self) -> list[int]:
        found = [400]
        if hasattr(self.view, "scope"):
            found += [401, 403, 404, 429, 503]
        if self.view.reads is not None:
            found += [413, 415]
        if self.method in ("POST", "PUT", "PATCH", "DELETE"):
            found += [409, 422]
        if getattr(self.view, "needs_version", False):
            found += [412, 428]
        return sorted(found)


_DESCRIPTIONS = {
    200: "Done.",
    201: "Stored.",
    202: "Taken; nothing is told about what becomes of it.",
    204: "Done; nothing to tell.",
    400: "The request is not well-formed, or names something unknown.",
    401: "No valid key.",
    403: "The key lacks the scope.",
    404: "Nothing here, or nothing that this key may know of.",
    409: "It does not fit the present state.",
    412: "It has changed since.",
    413: "The body is too large.",
    415: "The body is not JSON in UTF-8.",
    422: "Refused by a rule, or not acceptable.",
    428: "If-Match is missing.",
    429: "Too many requests.",
    503: "Not ready, or busy: try again shortly.",
}
