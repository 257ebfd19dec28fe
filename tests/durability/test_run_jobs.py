"""Real workers and a real broker, and what may become of them."""

from __future__ import annotations

import shutil

from memory_admin import jobs
from memory_admin.jobs.outbox import ATTEMPTS
from tests.durability.installation import Installation

KILL = "tests.kill"  # not imported: this process is no worker, and has no such task


def queue(installation: Installation, *names: str) -> None:
    installation.manage("shell", "--command", f"from tests.durability import deadly; deadly.queue(*{names!r})")


def done(installation: Installation, name: str) -> int:
    counted = installation.rows("SELECT count(*) FROM jobs_job WHERE name = %s AND done_at IS NOT NULL", name)
    return int(counted[0][0])


def test_jobs_go_on_after_the_broker_has_lost_everything(installation: Installation) -> None:
    queue(installation, jobs.EMBED_MEMORY)
    installation.wait_for("the first job", lambda: installation.jobs_waiting() == 0)
    before = done(installation, jobs.EMBED_MEMORY)

    installation.kill_valkey()
    shutil.rmtree(installation.valkey_data)
    queue(installation, jobs.EMBED_MEMORY)
    installation.start_servers()
    queue(installation, jobs.EMBED_MEMORY)
    installation.bring_jobs_forward()

    installation.wait_for("both jobs", lambda: done(installation, jobs.EMBED_MEMORY) == before + 2)


def test_a_job_that_kills_its_process_holds_up_no_other_and_is_given_up(installation: Installation) -> None:
    installation.kill("worker")
    installation.start("worker", "--include", "tests.durability.deadly")
    worker = installation.processes["worker"]
    before = done(installation, jobs.EMBED_MEMORY)

    def deadly() -> tuple[int, bool]:
        ((attempts, failed),) = installation.rows(
            "SELECT attempts, failed_at IS NOT NULL FROM jobs_job WHERE name = %s", KILL
        )
        return attempts, failed

    queue(installation, KILL)
    installation.wait_for("the first death", lambda: deadly()[0] == 1)
    queue(installation, *[jobs.EMBED_MEMORY] * 4)
    installation.wait_for("the others", lambda: done(installation, jobs.EMBED_MEMORY) == before + 4)

    assert worker.poll() is None
    assert deadly() == (1, False)  # put off, not handed out again at once
    with installation.database() as database:
        database.execute("UPDATE jobs_job SET attempts = %s, due_at = now() WHERE name = %s", [ATTEMPTS, KILL])
    installation.wait_for("the end of the tries", lambda: deadly() == (ATTEMPTS, True))
