"""Template tags for icons, origins, statuses and times."""

from datetime import datetime
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from accounts import notices
from memory_admin.tenancy.scope import current_tenant
from memory_admin.web import words

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    """Draw an icon of the sprite; a word always stands beside it."""
    return format_html('<svg class="i" aria-hidden="true"><use href="#i-{}"/></svg>', name)


@register.simple_tag
def largest_form() -> int:
    """Give how many bytes a form may send."""
    return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


@register.simple_block_tag(takes_context=True)
def question(context: Context, content: str, elsewhere: object = False) -> SafeString:
    """Head a page that may also be shown in a dialog over another: the reader begins there in both.

    :param elsewhere: the reader begins further down; they begin at what is wrong with a form in any case
    """
    elsewhere = elsewhere or getattr(context.get("form"), "errors", None)
    focus = mark_safe("" if elsewhere else " autofocus")  # noqa: S308  # our own word
    if context.get("in_dialog"):
        return format_html('<h2 id="dialog-h" tabindex="-1"{}>{}</h2>', focus, content.strip())
    return format_html('<h1 tabindex="-1"{}>{}</h1>', focus, content.strip())


@register.simple_tag
def origin(key: str) -> SafeString:
    """Show who made the claim, as icon and word."""
    word = words.ORIGINS[key]
    return format_html('<span class="origin" data-origin="{}">{}{}</span>', key, icon(word.icon), word.text)


@register.simple_tag
def status(key: str) -> SafeString:
    """Show a status in plain words, as icon and word."""
    word = words.STATUSES[key]
    return format_html('<span class="status {}">{}{}</span>', word.tone, icon(word.icon), word.text)


@register.simple_tag(takes_context=True)
def unread_notices(context: Any) -> int:
    """Count what the member was told and has not looked at; nothing on pages that belong to no tenant."""
    user = getattr(context.get("request"), "user", None)
    if current_tenant() is None or user is None or not user.is_authenticated:
        return 0
    return notices.of_member(user.id).filter(read_at=None).count()


@register.filter
def kind(key: str) -> str:
    """Name a kind."""
    return words.KINDS[key]


@register.filter
def how_we_know(key: str) -> str:
    """Say what an origin means."""
    return words.HOW_WE_KNOW[key]


@register.filter
def certainty(confidence: float) -> str:
    """Say how sure a confidence is."""
    return words.certainty(confidence)


@register.filter
def ago(at: datetime) -> SafeString:
    """Show when something was, relative to now, with the exact time in its title."""
    return _time(at, words.ago(timezone.localtime(at), timezone.localtime()))


@register.filter
def day(at: datetime) -> SafeString:
    """Show a date, with the exact time in its title."""
    return _time(at, words.day(timezone.localtime(at), timezone.localtime()))


@register.filter
def exact(at: datetime) -> SafeString:
    """Show an instant in full."""
    return _time(at, words.exact(timezone.localtime(at)))


@register.filter
def clock(at: datetime) -> SafeString:
    """Show a time of today."""
    return _time(at, words.clock(timezone.localtime(at)))


@register.filter
def moment(at: datetime) -> SafeString:
    """Show a date and time in short, for a timeline."""
    local = timezone.localtime(at)
    return _time(at, f"{words.day(local, timezone.localtime())}, {local:%H:%M}")


@register.filter
def times(count: int) -> str:
    """Say how often: once, twice, 3 times."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _time(at: datetime, text: str) -> SafeString:
    local = timezone.localtime(at)
    return format_html('<time datetime="{}" title="{}">{}</time>', local.isoformat(), words.exact(local), text)
