from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0002_protect_tenant_rows")]

    operations = [
        migrations.RemoveIndex(model_name="retrievalcandidate", name="uses_of_memory"),
        migrations.AddIndex(
            model_name="retrievalcandidate",
            index=models.Index(fields=["tenant_id", "memory_id"], name="candidates_of_memory"),
        ),
        migrations.AddIndex(
            model_name="retrievalcandidate",
            index=models.Index(fields=["tenant_id", "subject_id"], name="candidates_of_subject"),
        ),
    ]
