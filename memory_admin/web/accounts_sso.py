"""Single sign-on: the pages between ours and those of the organisation's identity provider."""

import logging
import time
from dataclasses import asdict

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.account.utils import get_next_redirect_url, perform_login
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from accounts import identities
from accounts.models import Identity, User
from accounts.vocabulary import SecurityEventKind
from memory_admin.web import oidc

log = logging.getLogger(__name__)
ASKED = "single_sign_on"  # the session's key for the question that waits for its answer
METHOD = "single_sign_on"
NOT_LET_IN = "{name} did not sign you in here. Your organisation must have invited you by the address it knows you by."
ALONE = "Your organisation signs in by {name}."
NOT_AGAIN = "{name} did not say that it is you. Nothing was changed."


def provider() -> oidc.Provider | None:
    """Tell by which provider people may sign in, if the operator named one."""
    return oidc.Provider(**settings.SINGLE_SIGN_ON) if settings.SINGLE_SIGN_ON["issuer"] else None


def is_the_only_way(user: User) -> bool:
    """Tell whether the user's organisation lets them in by the provider alone."""
    named = provider()
    return named is not None and settings.SINGLE_SIGN_ON_ALONE and identities.belongs_to(user, named.tenant_slug)


def only_provider_of(tenant_slug: str) -> oidc.Provider | None:
    """Tell the provider that alone lets people into an organisation; None where a password does, too."""
    named = provider()
    return named if named and settings.SINGLE_SIGN_ON_ALONE and named.tenant_slug == tenant_slug else None


def identity_of(user: User) -> Identity | None:
    """Find how a user is known to the provider, if there is one."""
    named = provider()
    return identities.identity_of(user, issuer=named.issuer) if named else None


def came_by_it(request: HttpRequest, user: User) -> bool:
    """Tell whether the sign-in that is going on is the provider's."""
    records = get_authentication_records(request, user)
    return bool(records) and records[-1].get("method") == METHOD


def only_by_it(request: HttpRequest) -> HttpResponse:
    """Tell somebody that their organisation signs in by its provider alone."""
    messages.error(request, ALONE.format(name=_named().name))
    return redirect("account_login")


@require_GET
def leave(request: HttpRequest) -> HttpResponse:
    """Send the browser to the provider; with `again`, to prove anew who is signed in here.

    By a page: a form that was sent may not be redirected to another host, and we may be asked behind one.
    """
    again = "again" in request.GET and request.user.is_authenticated
    named = _named()
    try:
        address, asked = oidc.ask(named, callback=_callback(request), again=again)
    except oidc.Refused as refused:
        return _turned_away(request, named, refused.code, again=again)
    request.session[ASKED] = {"asked": asdict(asked), "next": get_next_redirect_url(request) or "/"}
    return render(request, "account/sso_leave.html", {"provider": named, "address": address})


@require_GET
def come_back(request: HttpRequest) -> HttpResponse:
    """Take the provider's answer, and sign the person in or take them as proved."""
    named = _named()
    kept = request.session.pop(ASKED, None)
    if not kept:
        return _turned_away(request, named, "not_asked", again=False)
    asked, back = oidc.Asked(**kept["asked"]), str(kept["next"])
    try:
        claims = oidc.read_answer(
            named,
            asked,
            state=request.GET.get("state", ""),
            code=request.GET.get("code", ""),
            callback=_callback(request),
            now=time.time(),
        )
    except oidc.Refused as refused:
        return _turned_away(request, named, refused.code, again=asked.again)
    found = identities.user_of(
        issuer=named.issuer,
        subject=claims.subject,
        email=claims.email,
        tenant_slug=named.tenant_slug,
        now=timezone.now(),
    )
    if found is None:
        return _turned_away(request, named, "no_member", again=asked.again)
    user, is_new = found
    return _prove(request, named, user, back) if asked.again else _let_in(request, user, back, is_new=is_new)


def _let_in(request: HttpRequest, user: User, back: str, *, is_new: bool) -> HttpResponse:
    if is_new:
        get_adapter().note(SecurityEventKind.IDENTITY_LINKED, user, request)
    record_authentication(request, user, METHOD)
    response: HttpResponse = perform_login(request, user, redirect_url=back)
    return response


def _prove(request: HttpRequest, named: oidc.Provider, user: User, back: str) -> HttpResponse:
    if user != request.user:
        return _turned_away(request, named, "another_person", again=True)
    record_authentication(request, user, METHOD, reauthenticated=True)
    return redirect(back)


def _turned_away(request: HttpRequest, named: oidc.Provider, code: str, *, again: bool) -> HttpResponse:
    """Say the same whatever the reason: who belongs to the organisation is nobody else's business."""
    log.warning("Single sign-on let nobody in.", extra={"code": code})
    messages.error(request, (NOT_AGAIN if again else NOT_LET_IN).format(name=named.name))
    return redirect("account_home" if request.user.is_authenticated else "account_login")


def _named() -> oidc.Provider:
    named = provider()
    if named is None:
        raise Http404
    return named


def _callback(request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("account_sso_callback"))
