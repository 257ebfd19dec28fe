from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_protect_tenant_rows")]

    operations = [
        migrations.RemoveConstraint(model_name="subject", name="subject_ref_once"),
        migrations.AddConstraint(
            model_name="subject",
            constraint=models.UniqueConstraint(fields=("tenant_id", "ref", "is_test"), name="subject_ref_once"),
        ),
    ]
