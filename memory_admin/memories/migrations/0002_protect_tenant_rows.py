from django.db import migrations

from memory_admin.tenancy.operations import AddTenantForeignKey, ProtectTenantRows

MODELS = (
    "source", "memory", "memoryrevision", "evidence", "link", "writedecision", "dispute", "memorypause", "tombstone",
)
RELATIONS = (
    ("source", "subject"),
    ("memory", "subject"),
    ("memory", "agent"),
    ("memory", "source"),
    ("memoryrevision", "memory"),
    ("evidence", "memory"),
    ("evidence", "source"),
    ("link", "from_memory"),
    ("link", "to_memory"),
    ("writedecision", "subject"),
    ("dispute", "memory"),
    ("memorypause", "subject"),
    ("memorypause", "memory"),
    ("memorypause", "agent"),
    ("tombstone", "subject"),
)
# No word of a person may end in the planner's statistics.
CONTENT = {
    "memories_memory": ("statement", "value", "key", "scopes", "aliases", "categories"),
    "memories_memoryrevision": ("statement", "value", "key", "reason"),
    "memories_source": ("quote", "speaker", "uri", "trace_id", "message_id"),
    "memories_writedecision": ("sealed_text",),
    "memories_dispute": ("words", "answer"),
}
QUIET = "".join(
    f'ALTER TABLE "{table}" {", ".join(f"ALTER COLUMN {column} SET STATISTICS 0" for column in columns)};'
    for table, columns in CONTENT.items()
)


class Migration(migrations.Migration):
    dependencies = [("memories", "0001_tables"), ("accounts", "0002_protect_tenant_rows")]

    operations = [
        *[ProtectTenantRows(model) for model in MODELS],
        *[AddTenantForeignKey(model, name) for model, name in RELATIONS],
        migrations.RunSQL(QUIET, migrations.RunSQL.noop),
    ]
