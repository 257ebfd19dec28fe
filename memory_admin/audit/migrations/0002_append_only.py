from django.db import migrations

from memory_admin.tenancy.operations import ProtectTenantRows

# The app role reads these tables and writes none of them: both functions run as their owner, for the transaction's own
# tenant only. The triggers stop the owner too, until somebody takes them off, which the check of the chain then tells.
FUNCTIONS = r"""
CREATE FUNCTION audit_append(tenant uuid, canonicals bytea[], salts bytea[], bodies text[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    numbered bigint;
    last_hash bytea;
    next_hash bytea;
BEGIN
    IF tenant IS DISTINCT FROM nullif(current_setting('app.tenant', true), '')::uuid THEN
        RAISE EXCEPTION 'this is not the tenant of the transaction' USING ERRCODE = 'insufficient_privilege';
    END IF;

    SELECT size, head INTO numbered, last_hash FROM public.audit_chain WHERE tenant_id = tenant FOR UPDATE;
    IF NOT FOUND THEN
        INSERT INTO public.audit_chain (tenant_id, size, head) VALUES (tenant, 0, sha256(uuid_send(tenant)))
            ON CONFLICT (tenant_id) DO NOTHING;
        SELECT size, head INTO numbered, last_hash FROM public.audit_chain WHERE tenant_id = tenant FOR UPDATE;
    END IF;

    -- Row by row: an INSERT … SELECT would become a COPY on a distributed table, which row-level security refuses.
    FOR i IN 1 .. cardinality(canonicals) LOOP
        numbered := numbered + 1;
        next_hash := sha256('\x01'::bytea || last_hash || canonicals[i]);
        INSERT INTO public.audit_event (tenant_id, seq, canonical, prev_hash, hash)
            VALUES (tenant, numbered, canonicals[i], last_hash, next_hash);
        IF bodies[i] IS NOT NULL THEN
            INSERT INTO public.audit_payload (tenant_id, seq, salt, body) VALUES (tenant, numbered, salts[i], bodies[i]);
        END IF;
        last_hash := next_hash;
    END LOOP;

    UPDATE public.audit_chain SET size = numbered, head = last_hash WHERE tenant_id = tenant;
    RETURN numbered - cardinality(canonicals) + 1;
END $$;

CREATE FUNCTION audit_erase(tenant uuid, seqs bigint[], canonical bytea) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    numbered bigint;
BEGIN
    -- The event first: it takes the lock on the chain, which every writer takes before it touches a payload.
    numbered := public.audit_append(tenant, ARRAY[canonical], ARRAY[NULL]::bytea[], ARRAY[NULL]::text[]);
    DELETE FROM public.audit_payload WHERE tenant_id = tenant AND seq = ANY (seqs) AND seq < numbered;
    RETURN numbered;
END $$;

REVOKE ALL ON FUNCTION audit_append, audit_erase FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_append, audit_erase TO memory_app;

CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER event_is_append_only BEFORE UPDATE OR DELETE ON audit_event
    FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER event_is_not_truncated BEFORE TRUNCATE ON audit_event
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
ALTER TABLE audit_payload ALTER COLUMN body SET STATISTICS 0;

CREATE TRIGGER payload_is_not_rewritten BEFORE UPDATE ON audit_payload
    FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER payload_is_not_truncated BEFORE TRUNCATE ON audit_payload
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER chain_is_not_deleted BEFORE DELETE ON audit_chain
    FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER chain_only_grows BEFORE UPDATE ON audit_chain
    FOR EACH ROW WHEN (NEW.size < OLD.size OR NEW.tenant_id <> OLD.tenant_id) EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER chain_is_not_truncated BEFORE TRUNCATE ON audit_chain
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
"""

NOTHING = """
DROP FUNCTION audit_erase;
DROP FUNCTION audit_append;
DROP FUNCTION audit_refuse CASCADE;
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_chain")]

    operations = [
        ProtectTenantRows("chain", write="none"),
        ProtectTenantRows("event", write="none"),
        ProtectTenantRows("payload", write="none"),
        migrations.RunSQL(FUNCTIONS, NOTHING),
    ]
