import django.contrib.postgres.functions
from django.db import migrations, models

import memory_admin.tenancy.scope
from memory_admin.tenancy.operations import ProtectTenantRows


def salt():
    return models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID())


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0005_note_what_watches"), ("audit", "0004_hold")]

    operations = [
        migrations.CreateModel(
            name="Seal",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tenant_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField(default=memory_admin.tenancy.scope.current_tenant, editable=False)),
                ("id", models.UUIDField(default=memory_admin.tenancy.scope.uuid7, editable=False)),
                ("root", models.BinaryField()),
                ("leaves", models.BinaryField()),
                ("answers", models.IntegerField()),
                ("audit_seq", models.BigIntegerField()),
                ("sealed_at", models.DateTimeField()),
            ],
            options={"abstract": False},
        ),
        ProtectTenantRows("seal", write="append"),
        migrations.AddField(model_name="retrieval", name="salt", field=salt()),
        migrations.AddField(model_name="retrieval", name="sealed_in", field=models.UUIDField(null=True)),
        migrations.AddField(model_name="retrievalcandidate", name="salt", field=salt()),
        migrations.AddIndex(
            model_name="retrieval",
            index=models.Index(
                condition=models.Q(("sealed_in", None)), fields=["tenant_id", "created_at"], name="retrieval_unsealed"
            ),
        ),
        migrations.AddIndex(
            model_name="retrieval",
            index=models.Index(fields=["tenant_id", "sealed_in"], name="retrieval_of_seal"),
        ),
    ]
