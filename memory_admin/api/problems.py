"""Errors as RFC 9457 problem documents: a stable code, one sentence, never content, never a stack."""

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db import DatabaseError, DataError, IntegrityError, OperationalError
from django.http import Http404, HttpResponse
from rest_framework import exceptions
from rest_framework.response import Response

from memory_admin.api.renderers import dump
from memory_admin.errors import Conflict, DomainError, Invalid, NotAllowed, NotFound, Refused
from memory_admin.memories.changes import ChangedMeanwhile
from memory_admin.memories.deciding import tellable

MEDIA_TYPE: Final = "application/problem+json"

logger = logging.getLogger(__name__)


class Problem(Exception):
    """The request is answered with a problem document and changes nothing."""

    def __init__(
        self,
        status: int,
        code: str,
        sentence: str,
        *,
        headers: Mapping[str, str] | None = None,
        **more: object,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.headers = dict(headers or {})
        self.document: dict[str, object] = {
            "type": "about:blank",
            "title": HTTPStatus(status).phrase,
            "status": status,
            "code": code,
            "detail": sentence,
            **more,
        }


def nothing_here() -> Problem:
    """Answer alike for a row that does not exist and for one that the caller may not see."""
    return Problem(404, "not_found", "There is nothing here.")


def refused(*, rule_ids: Sequence[str], policy_version: str | None, decision_id: object = None) -> Problem:
    """Answer that a policy said no, naming the rules and no content."""
    more: dict[str, Any] = {"decision_id": str(decision_id)} if decision_id else {}
    return Problem(
        422,
        Refused.code,
        Refused.sentence,
        rule_ids=list(rule_ids),
        policy_version=policy_version,
        **more,
    )


def translate(error: Exception) -> Problem:
    """Turn any error into the problem that its caller may read."""
    match error:
        case Problem():
            return error
        # Before the domain's own words: a more telling one would tell foreign rows from missing ones.
        case NotFound() | Http404() | ObjectDoesNotExist():
            return nothing_here()
        case Refused():
            return refused(rule_ids=tellable(error.rule_ids), policy_version=error.policy_version)
        case Invalid():
            return Problem(422, error.code, error.said, errors=_domain_errors(error))
        case NotAllowed():
            return Problem(403, error.code, error.said)
        case ChangedMeanwhile():
            return Problem(412, error.code, error.said)
        case Conflict():
            return Problem(409, error.code, error.said)
        case DomainError():
            return Problem(422, error.code, error.said)
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            return Problem(
                401,
                "not_authenticated",
                "A valid key is needed, as in Authorization: Bearer mk_…",
                headers={"WWW-Authenticate": 'Bearer realm="api"'},
            )
        case exceptions.PermissionDenied() | PermissionDenied():
            return Problem(403, NotAllowed.code, NotAllowed.sentence)
        case exceptions.MethodNotAllowed():
            return Problem(405, "method_not_allowed", "This address does not take this method.")
        case exceptions.UnsupportedMediaType():
            return Problem(415, "unsupported_media_type", "The body must be application/json in UTF-8.")
        case OperationalError():
            return Problem(503, "busy", "The service is busy. Try again shortly.", headers={"Retry-After": "1"})
        # Nets under the checks above them: a value or a race that only the database saw.
        case DataError():
            return Problem(422, Invalid.code, Invalid.sentence)
        case IntegrityError():
            return Problem(409, Conflict.code, Conflict.sentence)
        case exceptions.APIException():
            return Problem(error.status_code, "bad_request", "The request cannot be read.")
        case _:
            return Problem(500, "internal_error", "Something went wrong on our side.")


def answer(error: Exception, _context: Mapping[str, Any] | None = None) -> Response:
    """Answer an error that left a view; what the caller may not know, the log tells."""
    problem = translate(error)
    if problem.status >= 500 or isinstance(error, DatabaseError):
        # The formatter names the kind of the error and its place, never its text: a constraint error quotes the row.
        logger.error("request failed", exc_info=error, extra={"code": problem.code, "status": problem.status})
    return Response(problem.document, status=problem.status, headers=problem.headers, content_type=MEDIA_TYPE)


def plain_answer(problem: Problem) -> HttpResponse:
    """Answer from outside a view, such as a middleware."""
    return HttpResponse(dump(problem.document), status=problem.status, headers=problem.headers, content_type=MEDIA_TYPE)


def _domain_errors(error: Invalid) -> list[dict[str, str]]:
    return [
        {"field": name, "code": "invalid", "detail": sentence}
        for name, sentences in error.fields.items()
        for sentence in sentences
    ]
