"""The public keys of this installation, for whoever checks what it signed."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from memory_admin.audit import signing


@require_safe
def show_keys(request: HttpRequest) -> HttpResponse:
    """Give one public key a line, the present one first, as https://c2sp.org/signed-note writes them."""
    keys = "".join(f"{key}\n" for key in signing.public_keys())
    return HttpResponse(keys, content_type="text/plain; charset=utf-8")
