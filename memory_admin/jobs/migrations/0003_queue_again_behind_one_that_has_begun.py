from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0002_protect_tenant_rows")]

    operations = [
        migrations.RemoveConstraint(model_name="job", name="job_waits_once"),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.UniqueConstraint(
                condition=models.Q(done_at=None, failed_at=None, attempts=0),
                fields=("tenant_id", "name", "object_id", "epoch"),
                name="job_waits_once",
            ),
        ),
    ]
