import django.contrib.postgres.fields
from django.db import migrations, models

# What the memory is about now, and what it was about when it was written. Of words that came and went between, nothing
# more is known. FORCE is lifted around it: under it the owner sees no row.
FILL = """
ALTER TABLE memories_memoryrevision ALTER COLUMN categories SET STATISTICS 0;
ALTER TABLE memories_memoryrevision NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memories_memory NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memories_writedecision NO FORCE ROW LEVEL SECURITY;
UPDATE memories_memoryrevision r
SET categories = ARRAY(SELECT unnest(m.categories) UNION SELECT unnest(d.categories) ORDER BY 1)
FROM memories_memory m
LEFT JOIN memories_writedecision d ON d.tenant_id = m.tenant_id AND d.id = m.decision_id
WHERE m.tenant_id = r.tenant_id AND m.id = r.memory_id AND (m.categories <> '{}' OR d.categories <> '{}');
ALTER TABLE memories_memoryrevision FORCE ROW LEVEL SECURITY;
ALTER TABLE memories_memory FORCE ROW LEVEL SECURITY;
ALTER TABLE memories_writedecision FORCE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0003_index_categories")]

    operations = [
        migrations.AddField(
            model_name="memoryrevision",
            name="categories",
            field=django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
