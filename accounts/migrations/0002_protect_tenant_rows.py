from django.db import migrations

from memory_admin.tenancy.operations import AddTenantForeignKey, ProtectTenantRows

# Asked before the tenant is known. Owned by a role that reads just these tables and nothing else.
LOOKUPS = r"""
GRANT SELECT ON accounts_apikey, accounts_agent, accounts_tenant, accounts_membership, accounts_subject TO memory_reader;
CREATE POLICY reader ON accounts_apikey FOR SELECT TO memory_reader USING (true);
CREATE POLICY reader ON accounts_agent FOR SELECT TO memory_reader USING (true);
CREATE POLICY reader ON accounts_membership FOR SELECT TO memory_reader USING (true);
CREATE POLICY reader ON accounts_subject FOR SELECT TO memory_reader USING (true);

CREATE FUNCTION find_key(presented text)
RETURNS TABLE (tenant_id uuid, id uuid, digest bytea, scopes text[], channel text, subject_id uuid, is_test boolean,
               expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz,
               agent_id uuid, agent_name text, agent_status text, tenant_status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT k.tenant_id, k.id, k.digest, k.scopes, k.channel, k.subject_id, k.is_test,
         k.expires_at, k.revoked_at, k.last_used_at, a.id, a.name, a.status, t.status
  FROM public.accounts_apikey k
  JOIN public.accounts_agent a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
  JOIN public.accounts_tenant t ON t.id = k.tenant_id
  WHERE k.prefix = presented
$$;

CREATE FUNCTION memberships_of(who uuid)
RETURNS TABLE (tenant_id uuid, slug text, name text, roles text[], subject_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT t.id, t.slug::text, t.name, m.roles, s.id
  FROM public.accounts_membership m
  JOIN public.accounts_tenant t ON t.id = m.tenant_id AND t.status = 'active'
  LEFT JOIN public.accounts_subject s ON s.tenant_id = m.tenant_id AND s.user_id = m.user_id
  WHERE m.user_id = who AND m.ended_at IS NULL
  ORDER BY t.name, t.id
$$;

REVOKE ALL ON FUNCTION find_key, memberships_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_key, memberships_of TO memory_app;
GRANT CREATE ON SCHEMA public TO memory_reader;
ALTER FUNCTION find_key OWNER TO memory_reader;
ALTER FUNCTION memberships_of OWNER TO memory_reader;
REVOKE CREATE ON SCHEMA public FROM memory_reader;

-- A tenant and a user are never deleted by the app: offboarding and the owner do that.
REVOKE DELETE ON accounts_tenant, accounts_user FROM memory_app;

-- No name of a person may end in the planner's statistics.
ALTER TABLE accounts_subject ALTER COLUMN display_name SET STATISTICS 0;
"""

UNDO = """
DROP FUNCTION find_key;
DROP FUNCTION memberships_of;
DROP POLICY reader ON accounts_apikey;
DROP POLICY reader ON accounts_agent;
DROP POLICY reader ON accounts_membership;
DROP POLICY reader ON accounts_subject;
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_tables")]

    operations = [
        *[ProtectTenantRows(model) for model in ("membership", "subject", "agent", "apikey")],
        AddTenantForeignKey("apikey", "agent"),
        AddTenantForeignKey("apikey", "subject_binding"),
        migrations.RunSQL(LOOKUPS, UNDO),
    ]
