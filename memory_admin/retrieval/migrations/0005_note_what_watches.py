from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0004_index_uses_by_time")]

    operations = [
        migrations.AddField(model_name="retrieval", name="watched", field=models.JSONField(default=list)),
    ]
