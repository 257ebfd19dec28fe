from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0003_index_what_is_erased")]

    operations = [
        migrations.AddIndex(
            model_name="retrievalcandidate",
            index=models.Index(fields=["tenant_id", "memory_id", "-id"], name="weighings_of_memory"),
        ),
        migrations.RemoveIndex(model_name="retrievalcandidate", name="candidates_of_memory"),
    ]
