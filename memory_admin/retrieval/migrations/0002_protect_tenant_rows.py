from django.db import migrations

from memory_admin.tenancy.operations import AddTenantForeignKey, ProtectTenantRows

# No words of a question in the planner's statistics.
NO_STATISTICS = "ALTER TABLE retrieval_retrieval ALTER COLUMN query_text SET STATISTICS 0"


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0001_log")]

    operations = [
        ProtectTenantRows("retrieval"),
        ProtectTenantRows("retrievalcandidate"),
        AddTenantForeignKey("retrievalcandidate", "retrieval"),
        migrations.RunSQL(NO_STATISTICS, "ALTER TABLE retrieval_retrieval ALTER COLUMN query_text SET STATISTICS -1"),
    ]
