from django.db import migrations

from memory_admin.tenancy.operations import AddTenantForeignKey, ProtectTenantRows

MODELS = ("policyfamily", "policyversion", "policyactivation", "effectivewindow", "policychangerequest")

# What was approved is what is in force: content that left draft never changes, by whatever hand. The words of a request
# are content, and no text of theirs may land in the planner's statistics.
FREEZE = r"""
CREATE FUNCTION policy_version_frozen() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF OLD.state <> 'draft' AND (
        TG_OP = 'DELETE'
        OR (NEW.tenant_id, NEW.id, NEW.family_id, NEW.number, NEW.content, NEW.content_sha256, NEW.base_version_id)
           IS DISTINCT FROM
           (OLD.tenant_id, OLD.id, OLD.family_id, OLD.number, OLD.content, OLD.content_sha256, OLD.base_version_id)
    ) THEN
        RAISE EXCEPTION 'a policy version that left draft does not change' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER policy_version_frozen BEFORE UPDATE OR DELETE ON policies_policyversion
    FOR EACH ROW EXECUTE FUNCTION policy_version_frozen();

CREATE FUNCTION policy_activation_frozen() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE'
        OR (NEW.tenant_id, NEW.id, NEW.version_id, NEW.region, NEW.agent_id, NEW.lane, NEW.mode, NEW.activation_sha256)
           IS DISTINCT FROM
           (OLD.tenant_id, OLD.id, OLD.version_id, OLD.region, OLD.agent_id, OLD.lane, OLD.mode, OLD.activation_sha256)
    THEN
        RAISE EXCEPTION 'an activation that began does not change' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER policy_activation_frozen BEFORE UPDATE OR DELETE ON policies_policyactivation
    FOR EACH ROW WHEN (OLD.state <> 'scheduled') EXECUTE FUNCTION policy_activation_frozen();

ALTER TABLE policies_policychangerequest ALTER COLUMN words SET STATISTICS 0;
"""

THAW = """
DROP TRIGGER policy_version_frozen ON policies_policyversion;
DROP FUNCTION policy_version_frozen;
DROP TRIGGER policy_activation_frozen ON policies_policyactivation;
DROP FUNCTION policy_activation_frozen;
ALTER TABLE policies_policychangerequest ALTER COLUMN words SET STATISTICS DEFAULT;
"""


class Migration(migrations.Migration):
    dependencies = [("policies", "0001_tables"), ("accounts", "0002_protect_tenant_rows")]

    operations = [
        *[ProtectTenantRows(model) for model in MODELS],
        AddTenantForeignKey("policyversion", "family"),
        AddTenantForeignKey("policyversion", "base_version"),
        AddTenantForeignKey("policyactivation", "version"),
        AddTenantForeignKey("policyactivation", "agent_scope"),
        AddTenantForeignKey("effectivewindow", "family"),
        AddTenantForeignKey("effectivewindow", "activation"),
        AddTenantForeignKey("policychangerequest", "subject"),
        AddTenantForeignKey("policychangerequest", "agent"),
        migrations.RunSQL(FREEZE, THAW),
    ]
