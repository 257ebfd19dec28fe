"""Settings of the project. What differs between places comes from the environment: see .env.example."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memory_admin import embedded, env
from memory_admin.api.conf import REST_FRAMEWORK, SPECTACULAR_SETTINGS  # noqa: F401
from memory_admin.web.conf import CONTENT_SECURITY_POLICY, CSRF_FAILURE_VIEW  # noqa: F401

PRODUCTION = env.production()
DEBUG = env.flag("DEBUG", False)
SECRET_KEY = env.key("SECRET_KEY").decode()
if PRODUCTION:
    for _name in ("TOMBSTONE_KEY", "FACTOR_KEY", "SIGNING_KEY"):
        env.key(_name)  # is read where it is used; a process without it would start, and fail later
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "" if PRODUCTION else "localhost,127.0.0.1,[::1],testserver")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")
# Where the links in an e-mail lead: a job has no request to take it from.
SITE_URL = env.text(
    "SITE_URL",
    f"https://{ALLOWED_HOSTS[0]}" if PRODUCTION and ALLOWED_HOSTS else f"http://localhost:{env.number('PORT', 8000)}",
).rstrip("/")
if PRODUCTION and SITE_URL.startswith(("https://.", "https://*")):
    raise env.Misconfigured("SITE_URL must be set: the first of ALLOWED_HOSTS is a pattern, where no link can lead.")

INSTALLED_APPS = [
    "memory_admin",
    "memory_admin.tenancy",
    "memory_admin.jobs",
    "memory_admin.audit",
    "accounts",
    "policies",
    "memory_admin.indexing",
    "memory_admin.memories",
    "memory_admin.retrieval",
    "memory_admin.lifecycle",
    "memory_admin.reviews",
    "memory_admin.simulation",
    "memory_admin.extraction",
    "memory_admin.evaluation",
    "memory_admin.api",
    "memory_admin.web",
    "memory_admin.portal",
    "memory_admin.console",
    "memory_admin.demo",
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
]

MIDDLEWARE = [
    "memory_admin.web.middleware.NameRequest",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "memory_admin.web.middleware.CompressPages",
    "csp.middleware.CSPMiddleware",
    "memory_admin.web.middleware.KeepContentOutOfCaches",
    "memory_admin.web.middleware.RefuseUnstorableText",
    "memory_admin.web.time_zones.ShowTheirTimes",
    "memory_admin.api.middleware.RefuseBadAddresses",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "memory_admin.urls"
WSGI_APPLICATION = "memory_admin.wsgi.application"
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [env.ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "memory_admin.web.frame.frame",
            ],
        },
    },
]

# ── Database: one alias, the app's role; migrations swap the credentials (memory_admin.tenancy.roles). ──

TIME_LIMITS = (
    "-c statement_timeout=60000 -c lock_timeout=15000 -c idle_in_transaction_session_timeout=120000 -c jit=off"
)


def _database(url: str) -> dict[str, Any]:
    found = env.database(url)
    found["OPTIONS"] = {"options": TIME_LIMITS, **found["OPTIONS"]}
    return {"ENGINE": "memory_admin.tenancy.postgres", **found}


_app = _database(env.text("DATABASE_URL") or embedded.database_url())
_owner = _database(
    env.text("DATABASE_OWNER_URL") or (env.text("DATABASE_URL") if env.text("DATABASE_URL") else embedded.owner_url())
)
DATABASES = {
    "default": {
        **_app,
        "CONN_HEALTH_CHECKS": False,
        "OPTIONS": {
            **_app["OPTIONS"],
            "pool": {"min_size": 1, "max_size": env.number("DATABASE_POOL_SIZE", 8), "timeout": 15},
        },
        "TEST": {"NAME": env.text("TEST_DATABASE", "test_memory")},
    }
}
DATABASE_OWNER = {
    **{name: _owner[name] for name in ("USER", "PASSWORD", "HOST", "PORT")},
    "OPTIONS": {
        **{name: value for name, value in _owner["OPTIONS"].items() if name != "options"},
        "assume_role": "memory_owner",
    },
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# ── Background jobs and cache ──

CELERY_BROKER_URL = env.text("CELERY_BROKER_URL") or embedded.broker_url()


def _cache(broker: str) -> dict[str, Any]:
    """Use the broker's server for the cache too, in a database of its own, unless CACHE_URL names another."""
    url = env.text("CACHE_URL")
    if not url and broker.startswith("redis+socket://"):
        url = f"unix://{broker.removeprefix('redis+socket://').partition('?')[0]}?db=1"
    elif not url and broker.startswith(("redis://", "rediss://")):
        url = f"{broker.rsplit('/', 1)[0] if broker.count('/') > 2 else broker}/1"
    if not url:
        # A full table would forget at random, locks among the rest.
        table = {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"}
        return {**table, "OPTIONS": {"MAX_ENTRIES": 1_000_000}}
    return {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": url}


CACHES = {"default": _cache(CELERY_BROKER_URL)}

# ── People ──

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {}),
        ("MinimumLengthValidator", {"min_length": 12}),
        ("CommonPasswordValidator", {}),
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "memory_admin.web.accounts.Adapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"  # people are invited; the invitation proves the address
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False  # the other sessions end with the old password all the same
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
# Wrong passwords are counted for each pair of account and address (memory_admin.web.accounts_lock); this counts wrong
# codes of a second factor, for each user.
ACCOUNT_RATE_LIMITS = {"login_failed": "5/5m/key", "tries_of_a_network": "60/m/ip"}
MFA_ADAPTER = "memory_admin.web.accounts_factors.Adapter"
MFA_FORMS = {
    "authenticate": "memory_admin.web.accounts_forms.AuthenticateForm",
    "reauthenticate": "memory_admin.web.accounts_forms.ReauthenticateForm",
    "authenticate_webauthn": "memory_admin.web.accounts_forms.AuthenticateWebAuthnForm",
    "login_webauthn": "memory_admin.web.accounts_forms.LoginWebAuthnForm",
    "reauthenticate_webauthn": "memory_admin.web.accounts_forms.ReauthenticateWebAuthnForm",
    "add_webauthn": "memory_admin.web.accounts_forms.AddWebAuthnForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = "memory_admin"
MFA_TOTP_TOLERANCE = 1
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # an invitation proves the address
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not PRODUCTION  # a passkey on http://localhost
DEMAND_SECOND_FACTOR = env.flag("DEMAND_SECOND_FACTOR", PRODUCTION)
# One identity provider, whose people come into one tenant (memory_admin.web.oidc); none unless the operator names it.
SINGLE_SIGN_ON = {
    "issuer": env.text("OIDC_ISSUER"),
    "client_id": env.text("OIDC_CLIENT_ID"),
    "secret": env.text("OIDC_CLIENT_SECRET"),
    "name": env.text("OIDC_NAME"),
    "tenant_slug": env.text("OIDC_TENANT"),
}
if any(SINGLE_SIGN_ON.values()) and not all(SINGLE_SIGN_ON.values()):
    raise env.Misconfigured("Single sign-on needs every OIDC variable: issuer, client, secret, name and tenant.")
if PRODUCTION and SINGLE_SIGN_ON["issuer"] and not SINGLE_SIGN_ON["issuer"].startswith("https://"):
    raise env.Misconfigured("OIDC_ISSUER must be an https:// address in production.")
SINGLE_SIGN_ON_ALONE = env.flag("OIDC_ALONE")
EMAIL_BACKEND = env.text(
    "EMAIL_BACKEND", f"django.core.mail.backends.{'smtp' if PRODUCTION else 'console'}.EmailBackend"
)
EMAIL_HOST = env.text("EMAIL_HOST", "localhost")
EMAIL_PORT = env.number("EMAIL_PORT", 25)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS")
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "memory_admin <no-reply@localhost>")

# ── Hardening ──

# Whose address counts for locks and limits: the connection's, unless a proxy of ours says so in a header of its own.
ALLAUTH_TRUSTED_CLIENT_IP_HEADER = env.text("CLIENT_ADDRESS_HEADER") or None

COOKIE_PREFIX = "__Host-" if PRODUCTION else ""  # a browser then takes it from this host alone, over TLS
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}session"
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrf"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = PRODUCTION
SECURE_REDIRECT_EXEMPT = [r"^api/v1/(livez|readyz)$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.flag("BEHIND_PROXY") else None
SECURE_HSTS_SECONDS = 365 * 86400 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = PRODUCTION
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 262_144
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500

# ── The rest ──

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = False
STATIC_URL = "/static/"
STATIC_ROOT = env.data_dir() / "static"
STATICFILES_DIRS = [env.ROOT / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not PRODUCTION

# Outside the database: what is kept here shows that somebody rewrote an audit trail there.
CHECKPOINTS_DIR = Path(env.text("CHECKPOINTS_DIR") or env.data_dir() / "checkpoints")

EMBEDDING_MODEL = env.text("EMBEDDING_MODEL", "all-MiniLM-L6-v2")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"safe": {"()": "memory_admin.logs.SafeFormatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "safe"}},
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "WARNING")},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        # Whoever scans the network asks for any host: that is no error of ours, and told to whoever asked.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        # The refused request's path and headers would be logged with it.
        "django.request": {"level": "ERROR"},
    },
}
