from django.db import migrations

# For a writer that locks rows of its own and must not wait for the chain while it holds them.
HOLD = r"""
CREATE FUNCTION audit_hold(tenant uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF tenant IS DISTINCT FROM nullif(current_setting('app.tenant', true), '')::uuid THEN
        RAISE EXCEPTION 'this is not the tenant of the transaction' USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM FROM public.audit_chain WHERE tenant_id = tenant FOR UPDATE;
END $$;
REVOKE ALL ON FUNCTION audit_hold FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_hold TO memory_app;
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0003_find_by_action_and_actor")]

    operations = [migrations.RunSQL(HOLD, "DROP FUNCTION audit_hold")]
