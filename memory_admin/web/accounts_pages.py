"""The account of whoever signed in: how they sign in, where they are signed in, what happened, how pages look."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.usersessions.adapter import get_adapter as get_sessions_adapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_http_methods

from accounts import security
from accounts.models import User
from accounts.queries import memberships_of
from accounts.vocabulary import SecurityEventKind
from memory_admin.web import accounts_factors, accounts_sso, kept_forms, time_zones
from memory_admin.web.accounts_devices import device

SHOWN_EVENTS = 50
THEMES = {"system": "As the device", "light": "Light", "dark": "Dark"}
A_YEAR = 365 * 86400


@login_required
@require_GET
def show_account(request: HttpRequest) -> HttpResponse:
    """Show how the person signs in, and what happened last."""
    user = _user(request)
    factors = list(Authenticator.objects.filter(user=user))
    page = {
        "has_totp": any(one.type == "totp" for one in factors),
        "passkeys": sum(one.type == "webauthn" for one in factors),
        "sessions": len(UserSession.objects.purge_and_list(user)),
        "events": security.events_of(user.id, limit=4),
        "provider": accounts_sso.provider(),
        "identity": accounts_sso.identity_of(user),
        "demanded": accounts_factors.is_demanded(memberships_of(user.id)),
    }
    return render(request, "account/account.html", page)


@login_required
@require_http_methods(["GET", "POST"])
def show_sessions(request: HttpRequest) -> HttpResponse:
    """List where the person is signed in; end one of them, or all the others."""
    user = _user(request)
    found = sorted(UserSession.objects.purge_and_list(user), key=lambda one: (one.is_current(), one.created_at))[::-1]
    others = [one for one in found if not one.is_current()]
    if request.method == "POST":
        wanted = request.POST.get("session", "")
        ended = [one for one in others if wanted in ("others", str(one.pk))]
        get_sessions_adapter().end_sessions(ended)
        for _ in ended:
            get_adapter().note(SecurityEventKind.SESSION_ENDED, user, request)
        messages.success(request, _ended(len(ended)))
        return redirect("account_sessions")
    rows = [{"session": one, "device": device(one.user_agent), "is_current": one.is_current()} for one in found]
    return render(request, "usersessions/sessions.html", {"rows": rows, "others": len(others)})


@login_required
@require_GET
def show_events(request: HttpRequest) -> HttpResponse:
    """List what happened to the person's sign-in."""
    return render(request, "account/events.html", {"events": security.events_of(_user(request).id, limit=SHOWN_EVENTS)})


@login_required
@require_http_methods(["GET", "POST"])
def choose_appearance(request: HttpRequest) -> HttpResponse:
    """Choose light or dark, the time zone, and whether single keys do something.

    Kept by the browser: no page has to look it up.
    """
    if request.method == "GET":
        page = {
            "themes": THEMES,
            "zones": time_zones.known(),
            "zone": time_zones.chosen(request),
            "device_zone": time_zones.of_the_device(request),
        }
        return render(request, "account/appearance.html", page)
    response = redirect(_back(request))
    theme = request.POST.get("theme")
    if theme in THEMES:
        _keep(response, "theme", theme)
    zone = request.POST.get(time_zones.CHOSEN)
    if zone in time_zones.known():
        _keep(response, time_zones.CHOSEN, zone)
    elif zone == "":
        response.delete_cookie(time_zones.CHOSEN)
    if "shortcuts" in request.POST:
        _keep(response, "shortcuts", "off" if request.POST["shortcuts"] == "off" else "on")
    if "quiet" not in request.POST:
        messages.success(request, "Saved for this browser.")
    return response


@login_required
@require_GET
def show_shortcuts(request: HttpRequest) -> HttpResponse:
    """List what the keys do."""
    return render(request, "account/shortcuts.html")


@login_required
@require_http_methods(["GET", "POST"])
def show_kept_form(request: HttpRequest) -> HttpResponse:
    """Show the form that waited for the person to sign in, to be sent now; drop it when they leave it."""
    form = kept_forms.kept(request)
    if form is not None and request.method == "GET":
        return render(request, "account/kept_form.html", {"form": form})
    response = redirect(form.page if form and form.page else "/")
    kept_forms.forget(request, response)
    return response


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _ended(count: int) -> str:
    if count == 0:
        return "That device is signed out already."
    return "One device is signed out." if count == 1 else f"{count} devices are signed out."


def _back(request: HttpRequest) -> str:
    page = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        page, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return page if is_ours else "account_appearance"


def _keep(response: HttpResponse, name: str, value: Any) -> None:
    response.set_cookie(
        name, value, max_age=A_YEAR, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
    )
