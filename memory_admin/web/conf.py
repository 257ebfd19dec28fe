"""Settings of every page, imported by the project's settings."""

from csp.constants import NONE, SELF

#: Nothing is loaded from another host and nothing runs or styles inline. Images may be `data:` for the empty icon link.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

CSRF_FAILURE_VIEW = "memory_admin.web.errors.expired_form"
