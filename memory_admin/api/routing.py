"""One view for each operation: an address chooses it by the method."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, cast

from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from memory_admin.api.problems import Problem, nothing_here, plain_answer
from memory_admin.api.views import OpenView


class Address(Protocol):
    """A view that knows its operations, for the schema and the rules."""

    operations: Mapping[str, type[OpenView]]

    def __call__(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase: ...


def operations(**views: type[OpenView]) -> Address:
    """Make the view of an address from its operations, each named by its method."""
    handlers: dict[str, Callable[..., HttpResponseBase]] = {
        method.upper(): view.as_view() for method, view in views.items()
    }
    sentence = f"This address takes {' and '.join(handlers)}, and no other method."
    wrong = Problem(405, "method_not_allowed", sentence, headers={"Allow": ", ".join(handlers)})

    @csrf_exempt  # a key travels in a header that no other site can set
    def address(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        handler = handlers.get("GET" if request.method == "HEAD" else str(request.method))
        return handler(request, **kwargs) if handler else plain_answer(wrong)

    named = cast(Address, address)
    named.operations = {method.upper(): view for method, view in views.items()}
    return named


@csrf_exempt
def unknown(request: HttpRequest, rest: str = "") -> HttpResponseBase:
    """Answer for any address that is none of the API's."""
    return plain_answer(nothing_here())
