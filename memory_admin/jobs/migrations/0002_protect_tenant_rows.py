from django.db import migrations

from memory_admin.tenancy.operations import ProtectTenantRows

# The relay asks for the overdue jobs of all tenants, before any tenant is known.
OVERDUE = r"""
GRANT SELECT ON jobs_job TO memory_reader;
CREATE POLICY reader ON jobs_job FOR SELECT TO memory_reader USING (true);
CREATE FUNCTION overdue_jobs(at_most integer) RETURNS TABLE (tenant_id uuid, id uuid, name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT j.tenant_id, j.id, j.name FROM public.jobs_job j
  WHERE j.done_at IS NULL AND j.failed_at IS NULL AND j.due_at <= now()
  ORDER BY j.due_at LIMIT at_most
$$;
CREATE FUNCTION outbox_lag() RETURNS double precision
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT coalesce(extract(epoch FROM now() - min(j.due_at)), 0)::float8 FROM public.jobs_job j
  WHERE j.done_at IS NULL AND j.failed_at IS NULL AND j.due_at <= now()
$$;
REVOKE ALL ON FUNCTION overdue_jobs, outbox_lag FROM PUBLIC;
GRANT EXECUTE ON FUNCTION overdue_jobs, outbox_lag TO memory_app;
GRANT CREATE ON SCHEMA public TO memory_reader;
ALTER FUNCTION overdue_jobs OWNER TO memory_reader;
ALTER FUNCTION outbox_lag OWNER TO memory_reader;
REVOKE CREATE ON SCHEMA public FROM memory_reader;
"""

UNDO = """
DROP FUNCTION overdue_jobs;
DROP FUNCTION outbox_lag;
DROP POLICY reader ON jobs_job;
"""


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_tables")]

    operations = [ProtectTenantRows("job"), migrations.RunSQL(OVERDUE, UNDO)]
