"""What every operation does alike: who asks, how often, by which right, in whose scope, and once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from accounts.actors import Actor
from accounts.vocabulary import Scope
from memory_admin.api import conf, idempotency, limits
from memory_admin.api.authentication import BearerKey
from memory_admin.api.idempotency import Done
from memory_admin.api.inputs import Filters, In
from memory_admin.api.limits import Allowance
from memory_admin.api.openapi import OperationSchema
from memory_admin.api.parsers import StrictJSONParser
from memory_admin.api.permissions import HoldsScope
from memory_admin.api.renderers import AlwaysJSON, OneLineJSON
from memory_admin.tenancy.scope import tenant_scope


class AgentRequest(Request):
    """A request of an agent, as every handler receives it."""

    @property
    def actor(self) -> Actor:
        """The agent behind the key."""
        actor = self.auth
        assert isinstance(actor, Actor)
        return actor


class OpenView(APIView):
    """One operation that needs no key.

    :cvar reads: the shape of its body
    :cvar filters: the shape of its query string
    :cvar answers: the shape of its answer for each status that is no problem
    :cvar example: a body or a query that works, as the docs show it
    """

    authentication_classes: Any = ()
    permission_classes: Any = ()
    parser_classes = (StrictJSONParser,)
    renderer_classes = (OneLineJSON,)
    content_negotiation_class = AlwaysJSON
    schema = OperationSchema()
    reads: ClassVar[type[In] | None] = None
    filters: ClassVar[type[Filters] | None] = None
    answers: ClassVar[dict[int, type[Serializer[Any]] | PolymorphicProxySerializer | None]] = {}
    example: ClassVar[dict[str, Any] | None] = None

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        answered = super().finalize_response(request, response, *args, **kwargs)
        answered["Cache-Control"] = "no-store"
        return answered


class AgentView(OpenView):
    """One operation of an agent. Its handler runs in the scope of the key's tenant: one transaction, all or nothing.

    :cvar scope: what the key must carry; None where any key will do
    """

    authentication_classes = (BearerKey,)
    permission_classes = (HoldsScope,)
    scope: ClassVar[Scope | None]
    allowance: Allowance | None = None
    request: AgentRequest

    def prepare(self, request: AgentRequest, **kwargs: Any) -> None:
        """Do what is slow and needs no rows, such as embedding a text, before the transaction begins."""

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        plain = super().initialize_request(request, *args, **kwargs)
        plain.__class__ = AgentRequest
        return plain

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        self.perform_authentication(request)
        assert isinstance(request, AgentRequest)
        self.allowance = self.count(request, limit=conf.REQUESTS_PER_MINUTE)
        self.allowance.refuse_excess()
        super().initial(request, *args, **kwargs)

    def count(self, request: AgentRequest, *, limit: int, about: Sequence[str] = ("",)) -> Allowance:
        """Count this request against a limit of its key."""
        assert request.actor.key_id is not None
        return limits.count(key_id=request.actor.key_id, limit=limit, about=about, now=timezone.now())

    def count_read_of(self, request: AgentRequest, refs: Sequence[str]) -> None:
        """Count a list or a search of subjects, or of all when none is named, so that no key reads anybody out.

        :raises Problem: 429
        """
        about = [limits.digest_of(ref, tenant_id=request.actor.tenant_id) for ref in refs] or ["*"]
        self.count(request, limit=conf.READS_OF_ONE_SUBJECT_PER_MINUTE, about=about).refuse_excess()

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.args, self.kwargs, self.headers = args, kwargs, {}
        asked = self.initialize_request(request, *args, **kwargs)
        assert isinstance(asked, AgentRequest)
        self.request = asked
        try:
            self.initial(asked, *args, **kwargs)
            response = self.handle(asked, **kwargs)
        except Exception as error:
            response = self.handle_exception(error)
        self.response = self.finalize_response(asked, response, *args, **kwargs)
        return self.response

    def handle(self, request: AgentRequest, **kwargs: Any) -> Response:
        """Prepare, then run the method's handler inside the scope of the tenant.

        :raises Problem: 400, the address has a query where nothing can be asked
        """
        handler = getattr(self, (request.method or "").lower())
        if self.filters is None:
            Filters.read(request)  # there is nothing to ask for, so anything asked is refused
        self.prepare(request, **kwargs)
        with tenant_scope(request.actor.tenant_id):
            response: Response = handler(request, **kwargs)
        return response

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        answered = super().finalize_response(request, response, *args, **kwargs)
        for name, value in self.allowance.headers.items() if self.allowance else ():
            answered.headers.setdefault(name, value)
        return answered


class EffectView(AgentView):
    """A POST: with an `Idempotency-Key` it takes effect once, and its answer can be told again from the ids it left."""

    has_effect = True

    def act(self, request: AgentRequest, **kwargs: Any) -> Done:
        """Do it, by one service call."""
        raise NotImplementedError

    def tell(self, request: AgentRequest, done: Done, **kwargs: Any) -> Response:
        """Answer from the ids of what was done."""
        raise NotImplementedError

    def post(self, request: AgentRequest, **kwargs: Any) -> Response:
        mark = idempotency.mark_of(request)
        if mark is None:
            return self.tell(request, self.act(request, **kwargs), **kwargs)

        assert request.actor.key_id is not None
        claimed = idempotency.claim(key_id=request.actor.key_id, mark=mark, request=request, now=timezone.now())
        if isinstance(claimed, Done):
            response = self.tell(request, claimed, **kwargs)
            response["Idempotency-Replayed"] = "true"
            return response
        done = self.act(request, **kwargs)
        idempotency.keep(claimed, done)
        return self.tell(request, done, **kwargs)
