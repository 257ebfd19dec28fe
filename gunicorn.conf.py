"""How the web server runs: read by `gunicorn memory_admin.wsgi` in this folder; the command line goes before it."""

# Load once, then fork: the processes share the embedding model, and no request waits for it.
preload_app = True
threads = 4
graceful_timeout = 10  # seconds for requests that are running when it stops

# One JSON object a line, as everything else; requests are not logged: an address can name whom it is about.
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"safe": {"()": "memory_admin.logs.SafeFormatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "safe"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {"gunicorn.error": {"handlers": ["console"], "propagate": False}},
}
