"""Opening a tenant's scope."""

import threading
from uuid import uuid4

import pytest
from django.db import ProgrammingError, connection, transaction
from psycopg.errors import InvalidTextRepresentation

from accounts.models import Subject
from memory_admin.tenancy.scope import AnotherTenant, NoTenantScope, current_tenant, tenant_scope

A, B = uuid4(), uuid4()


@pytest.mark.django_db
def test_a_query_outside_a_scope_is_refused_before_it_reaches_the_database() -> None:
    with pytest.raises(NoTenantScope):
        Subject.objects.count()
    with pytest.raises(NoTenantScope), connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM accounts_subject")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM accounts_subject",
        "DELETE FROM accounts_subject",
        "INSERT INTO accounts_subject (tenant_id, id, ref, kind, display_name, memory_mode, erasure_epoch, is_test,"
        " preferences, created_at) VALUES (gen_random_uuid(), gen_random_uuid(), 'user:x', 'user', '', 'on', 0, false,"
        " '{}', now())",
    ],
)
def test_raw_sql_outside_a_scope_raises_in_the_database_itself(sql: str) -> None:
    connection.ensure_connection()

    with pytest.raises(Exception, match=r"app\.tenant|uuid"), transaction.atomic():
        connection.connection.execute(sql)


@pytest.mark.django_db
def test_a_scope_shows_its_own_rows_only() -> None:
    with tenant_scope(A):
        Subject.objects.create(ref="user:ada")

    with tenant_scope(B):
        seen = list(Subject.objects.all())

    assert seen == []


@pytest.mark.django_db
def test_a_row_of_another_tenant_cannot_be_written_in_a_scope() -> None:
    with tenant_scope(A), pytest.raises(ProgrammingError, match="row-level security"), transaction.atomic():
        Subject(tenant_id=B, ref="user:ada").save(force_insert=True)


@pytest.mark.django_db
def test_a_scope_inside_another_tenants_scope_is_refused() -> None:
    with tenant_scope(A), pytest.raises(AnotherTenant), tenant_scope(B):
        pass


@pytest.mark.django_db
def test_the_same_scope_nests_and_holds_until_the_outer_one_ends() -> None:
    with tenant_scope(A):
        with tenant_scope(A):
            Subject.objects.create(ref="user:ada")

        assert Subject.objects.count() == 1
    assert current_tenant() is None


@pytest.mark.django_db
def test_a_scope_that_ends_takes_its_setting_back_while_the_transaction_goes_on() -> None:
    with tenant_scope(A):
        pass

    with pytest.raises(InvalidTextRepresentation), transaction.atomic():
        connection.connection.execute("SELECT count(*) FROM accounts_subject")


@pytest.mark.django_db(transaction=True)
def test_a_failed_scope_leaves_neither_rows_nor_a_tenant() -> None:
    def fail_halfway() -> None:
        with tenant_scope(A):
            Subject.objects.create(ref="user:ada")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_halfway()

    assert current_tenant() is None
    with tenant_scope(A):
        assert Subject.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_two_threads_keep_their_own_tenants() -> None:
    with tenant_scope(A):
        Subject.objects.create(ref="user:ada")
    seen: list[int] = []

    def look() -> None:
        for tenant in (B, A):
            with tenant_scope(tenant):
                seen.append(Subject.objects.count())
        connection.close()

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()

    assert seen == [0, 1]


@pytest.mark.django_db
def test_every_statement_names_the_tenant(django_assert_num_queries: object) -> None:
    from django.test.utils import CaptureQueriesContext

    with tenant_scope(A):
        subject = Subject.objects.create(ref="user:ada")

        with CaptureQueriesContext(connection) as queries:
            subject.save(update_fields=["display_name"])
            Subject.objects.filter(ref="user:ada").update(display_name="Ada")
            list(Subject.objects.all())
            subject.refresh_from_db()
            subject.delete()

    assert all("tenant_id" in query["sql"] for query in queries.captured_queries)
