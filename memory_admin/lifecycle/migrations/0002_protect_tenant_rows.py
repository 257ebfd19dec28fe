from django.db import migrations

from memory_admin.tenancy.operations import AddTenantForeignKey, ProtectTenantRows


class Migration(migrations.Migration):
    dependencies = [("lifecycle", "0001_tables"), ("accounts", "0002_protect_tenant_rows")]

    operations = [ProtectTenantRows("erasurerequest"), AddTenantForeignKey("erasurerequest", "subject")]
