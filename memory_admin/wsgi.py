"""What the web server runs."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_admin.settings")

application = get_wsgi_application()

from memory_admin.tenancy.checks import refuse_unsafe_database  # noqa: E402 (needs the apps)

refuse_unsafe_database()
