"""The Celery app: jobs are sent by name, carry ids only, and are done once however often they arrive."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_admin.settings")

app = Celery("memory_admin", include=["memory_admin.boot"])
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    accept_content=["json"],
    task_serializer="json",
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=False,  # the relay sends it again, after a while; the broker would at once, for ever
    task_time_limit=600,
    task_soft_time_limit=540,
    worker_prefetch_multiplier=1,
    worker_soft_shutdown_timeout=10,
    worker_hijack_root_logger=False,
    broker_connection_retry_on_startup=True,
    broker_connection_timeout=2,
    broker_transport_options={
        "visibility_timeout": 900,  # longer than the time limit, or a running task would be handed out a second time
        "socket_connect_timeout": 2,
        "socket_timeout": 10,
        # A write does not wait for a broker that is down: one more try at once, then it is left to the relay.
        "max_retries": 1,
        "interval_start": 0,
        "interval_step": 0,
        "interval_max": 0,
    },
    task_publish_retry=False,
    beat_schedule={
        "relay": {"task": "jobs.relay", "schedule": 5.0, "options": {"expires": 30}},
        "hour": {"task": "accounts.begin_hour", "schedule": 3600.0, "options": {"expires": 1800}},
    },
)
app.autodiscover_tasks()


@worker_process_init.connect
def start_clean(**_: Any) -> None:
    """Drop whatever connection the parent may have left."""
    from django.db import connection

    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
