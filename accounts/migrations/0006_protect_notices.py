from django.db import migrations

from memory_admin.tenancy.operations import ProtectTenantRows


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_notices")]

    operations = [ProtectTenantRows("notice")]
