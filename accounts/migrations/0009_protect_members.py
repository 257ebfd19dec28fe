from django.db import migrations

from memory_admin.tenancy.operations import AddTenantForeignKey, ProtectTenantRows

# A guarded role comes into a membership only with a change of roles that was approved at this very instant, and the
# instant only moves on: what was approved once lets the role in once. A check constraint of the change sees to it that
# two agreed. A steward stands in for what has no account of its own.
TRIGGERS = r"""
CREATE FUNCTION membership_takes_two() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    had text[] := '{}';
    changed_at timestamptz := '-infinity';
    gained text[];
BEGIN
    IF TG_OP = 'UPDATE' THEN
        changed_at := coalesce(OLD.roles_changed_at, changed_at);
        IF OLD.ended_at IS NULL THEN
            had := OLD.roles;
        END IF;
    END IF;
    SELECT array_agg(role) INTO gained FROM unnest(NEW.roles) AS role
        WHERE role IN ('privacy_officer', 'policy_approver') AND role <> ALL (had);
    IF NEW.ended_at IS NULL AND gained IS NOT NULL AND NOT EXISTS (
        SELECT FROM public.accounts_rolechange c
        WHERE c.tenant_id = NEW.tenant_id AND c.membership_id = NEW.id AND c.user_id = NEW.user_id
          AND c.outcome = 'approved' AND c.after @> gained
          AND c.decided_at = NEW.roles_changed_at AND c.decided_at > changed_at
    ) THEN
        RAISE EXCEPTION 'this role takes two administrators' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER membership_takes_two BEFORE INSERT OR UPDATE ON accounts_membership
    FOR EACH ROW EXECUTE FUNCTION membership_takes_two();

CREATE FUNCTION stewardship_is_of_no_person() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM public.accounts_subject s
        WHERE s.tenant_id = NEW.tenant_id AND s.id = NEW.subject_id AND s.kind <> 'user'
    ) THEN
        RAISE EXCEPTION 'a person has no steward' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER stewardship_is_of_no_person BEFORE INSERT OR UPDATE ON accounts_stewardship
    FOR EACH ROW EXECUTE FUNCTION stewardship_is_of_no_person();
"""

NOTHING = """
DROP TRIGGER membership_takes_two ON accounts_membership;
DROP TRIGGER stewardship_is_of_no_person ON accounts_stewardship;
DROP FUNCTION membership_takes_two;
DROP FUNCTION stewardship_is_of_no_person;
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0008_members")]

    operations = [
        *[ProtectTenantRows(model) for model in ("rolechange", "invitation", "stewardship")],
        AddTenantForeignKey("rolechange", "membership"),
        AddTenantForeignKey("stewardship", "subject"),
        migrations.RunSQL(TRIGGERS, NOTHING),
    ]
