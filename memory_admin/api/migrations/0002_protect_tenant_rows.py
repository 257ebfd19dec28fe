from django.db import migrations

from memory_admin.tenancy.operations import AddTenantForeignKey, ProtectTenantRows


class Migration(migrations.Migration):
    dependencies = [("api", "0001_tables")]

    operations = [
        ProtectTenantRows("idempotencyrecord"),
        AddTenantForeignKey("idempotencyrecord", "key"),
        # Counts of one minute: after a crash they may begin anew.
        migrations.RunSQL("ALTER TABLE api_ratewindow SET UNLOGGED", "ALTER TABLE api_ratewindow SET LOGGED"),
    ]
