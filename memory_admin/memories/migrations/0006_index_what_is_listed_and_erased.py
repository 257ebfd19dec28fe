from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0005_digests_of_what_was_said")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(fields=["tenant_id", "-recorded_at", "-id"], name="memory_newest"),
        ),
        migrations.AddIndex(
            model_name="writedecision",
            index=models.Index(fields=["tenant_id", "memory_id"], name="decision_of_memory"),
        ),
        migrations.AddIndex(
            model_name="dispute",
            index=models.Index(fields=["tenant_id", "memory_id"], name="dispute_of_memory"),
        ),
    ]
