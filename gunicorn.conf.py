"""How the web server runs: read by `gunicorn memory_admin.wsgi` in this folder; the command line goes before it."""

# Load once, then fork: the processes share the embedding model, and no request waits for it.
preload_app = True
threads = 4
graceful_timeout = 10  # seconds for requests that are running when it stops
