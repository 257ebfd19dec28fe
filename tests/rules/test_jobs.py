"""Every job that can be asked for is done by a task, and every task is a job by name."""

from typing import Any

from memory_admin import jobs
from memory_admin.celery import app
from memory_admin.jobs import outbox


def names_of_jobs() -> set[str]:
    return {value for name, value in vars(outbox).items() if name.isupper() and isinstance(value, str)}


def our_tasks() -> dict[str, Any]:
    app.loader.import_default_modules()
    return {name: task for name, task in app.tasks.items() if not name.startswith("celery.")}


def test_every_job_has_one_task_in_the_package_it_is_named_for(product: list[Any]) -> None:
    names = {name: value for name, value in vars(outbox).items() if name.isupper() and isinstance(value, str)}

    homes = {
        name: [source.module.split(".")[-2:] for source in product if f"@jobs.job(jobs.{name})" in source.text]
        for name in names
    }

    assert homes == {name: [[value.split(".")[0], "tasks"]] for name, value in names.items()}
    assert names_of_jobs() <= set(our_tasks())


def test_every_task_is_a_job_or_on_the_timetable() -> None:
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}

    assert set(our_tasks()) - names_of_jobs() - scheduled == set()


def test_every_job_is_offered_by_its_name() -> None:
    assert names_of_jobs() == {getattr(jobs, name) for name in jobs.__all__ if name.isupper()}


def test_whatever_is_on_the_timetable_has_a_task() -> None:
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} - set(our_tasks()) == set()
