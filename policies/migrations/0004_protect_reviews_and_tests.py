from django.db import migrations

from memory_admin.tenancy.operations import AddTenantForeignKey, ProtectTenantRows

CHANGE = ("policysimulation", "policyreview", "policyrevocation", "policyfreeze")
# What was decided, run or edited is a record: the app adds to it and takes nothing back.
APPEND = ("policyeditor", "policytestcase", "policytestretirement", "policytestrun", "reviewdecision", "dismissal")

# Nobody approves what they had a hand in, by whatever way they come; and no decision changes afterwards, not even by the
# owner of the table. A use of a version changes only while it is planned. What was ever in force never becomes a draft.
TRIGGERS = r"""
CREATE FUNCTION policy_decision_by_another() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        RAISE EXCEPTION 'a decision does not change' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.kind = 'approve' AND EXISTS (
        SELECT FROM public.policies_policyreview r
        JOIN public.policies_policyversion v ON v.tenant_id = r.tenant_id AND v.id = r.version_id
        LEFT JOIN public.policies_policyeditor e
            ON e.tenant_id = v.tenant_id AND e.version_id = v.id AND e.user_id = NEW.reviewer_id
        WHERE r.tenant_id = NEW.tenant_id AND r.id = NEW.review_id
          AND (e.user_id IS NOT NULL OR r.opened_by_id = NEW.reviewer_id
               OR v.created_by = 'user:' || NEW.reviewer_id::text)
    ) THEN
        RAISE EXCEPTION 'whoever edited a policy does not approve it' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER policy_decision_by_another BEFORE INSERT OR UPDATE OR DELETE ON policies_reviewdecision
    FOR EACH ROW EXECUTE FUNCTION policy_decision_by_another();

CREATE FUNCTION policy_version_in_force_stays() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM public.policies_policyactivation a
        WHERE a.tenant_id = NEW.tenant_id AND a.version_id = NEW.id
          AND a.state NOT IN ('planned', 'scheduled', 'withdrawn')
    ) THEN
        RAISE EXCEPTION 'a version that was in force stays approved' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER policy_version_in_force_stays BEFORE UPDATE OF state ON policies_policyversion
    FOR EACH ROW WHEN (OLD.state = 'approved' AND NEW.state <> 'approved')
    EXECUTE FUNCTION policy_version_in_force_stays();

DROP TRIGGER policy_activation_frozen ON policies_policyactivation;
CREATE TRIGGER policy_activation_frozen BEFORE UPDATE OR DELETE ON policies_policyactivation
    FOR EACH ROW WHEN (OLD.state <> 'planned') EXECUTE FUNCTION policy_activation_frozen();
"""

NOTHING = """
DROP TRIGGER policy_decision_by_another ON policies_reviewdecision;
DROP FUNCTION policy_decision_by_another;
DROP TRIGGER policy_version_in_force_stays ON policies_policyversion;
DROP FUNCTION policy_version_in_force_stays;
DROP TRIGGER policy_activation_frozen ON policies_policyactivation;
CREATE TRIGGER policy_activation_frozen BEFORE UPDATE OR DELETE ON policies_policyactivation
    FOR EACH ROW WHEN (OLD.state <> 'scheduled') EXECUTE FUNCTION policy_activation_frozen();
"""


class Migration(migrations.Migration):
    dependencies = [("policies", "0003_reviews_and_tests")]

    operations = [
        *[ProtectTenantRows(model) for model in CHANGE],
        *[ProtectTenantRows(model, write="append") for model in APPEND],
        AddTenantForeignKey("policyversion", "restored_from"),
        AddTenantForeignKey("policyactivation", "base_version"),
        AddTenantForeignKey("policychangerequest", "draft"),
        AddTenantForeignKey("policyeditor", "version"),
        AddTenantForeignKey("policytestcase", "family"),
        AddTenantForeignKey("policytestcase", "added_in"),
        AddTenantForeignKey("policytestretirement", "case"),
        AddTenantForeignKey("policytestretirement", "version"),
        AddTenantForeignKey("policytestrun", "version"),
        AddTenantForeignKey("policysimulation", "candidate"),
        AddTenantForeignKey("policysimulation", "baseline"),
        AddTenantForeignKey("policyreview", "version"),
        AddTenantForeignKey("policyreview", "activation"),
        AddTenantForeignKey("reviewdecision", "review"),
        AddTenantForeignKey("dismissal", "decision"),
        AddTenantForeignKey("policyrevocation", "activation"),
        AddTenantForeignKey("policyrevocation", "fallback"),
        migrations.RunSQL(TRIGGERS, NOTHING),
    ]
