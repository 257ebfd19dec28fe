"""A job that kills the process that runs it; a worker of the trials includes it."""

from __future__ import annotations

import os
import signal
from typing import Any

from memory_admin import jobs
from memory_admin.tenancy.scope import tenant_scope, uuid7


@jobs.job("tests.kill")
def kill(**_: Any) -> None:
    """Die, as a process does that the system takes the memory from."""
    os.kill(os.getpid(), signal.SIGKILL)


def queue(*names: str) -> None:
    """Queue jobs of the first tenant, each for an object that does not exist."""
    from accounts.models import Tenant

    tenant = Tenant.objects.order_by("slug")[0]
    for name in names:
        with tenant_scope(tenant.id):
            jobs.after_commit(name, object_id=uuid7())
