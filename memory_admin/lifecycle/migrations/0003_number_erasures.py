from django.db import migrations

# Number what was asked for before there were numbers, in the upper half of the numbers there are. FORCE is lifted around
# it: under it the owner sees no rows.
NUMBER_ERASURES = """
    ALTER TABLE lifecycle_erasurerequest NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE memories_datarequest NO FORCE ROW LEVEL SECURITY;
    INSERT INTO memories_datarequest (tenant_id, id, number, kind, subject_id, object_id, opened_at)
    SELECT tenant_id, gen_random_uuid(),
        (500000000 + row_number() OVER (PARTITION BY tenant_id ORDER BY requested_at, id) * 48271 % 399999959)::text,
        'erasure', subject_id, id, requested_at
    FROM lifecycle_erasurerequest;
    SET CONSTRAINTS ALL IMMEDIATE;
    ALTER TABLE lifecycle_erasurerequest FORCE ROW LEVEL SECURITY;
    ALTER TABLE memories_datarequest FORCE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("lifecycle", "0002_protect_tenant_rows"), ("memories", "0007_answers_and_requests")]

    operations = [migrations.RunSQL(NUMBER_ERASURES, migrations.RunSQL.noop)]
