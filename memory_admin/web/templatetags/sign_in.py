"""Template tags of the sign-in page."""

from django import template

from memory_admin.web import accounts_sso
from memory_admin.web.oidc import Provider

register = template.Library()


@register.simple_tag
def provider() -> Provider | None:
    """Give the provider by which people may sign in, if there is one."""
    return accounts_sso.provider()
