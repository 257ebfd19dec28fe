from django.db import migrations, models
from django.db.models import F

import memory_admin.tenancy.scope
from memory_admin.audit.models import Reading
from memory_admin.tenancy.operations import ProtectTenantRows


def told(path):
    return models.GeneratedField(
        expression=Reading(F("canonical"), path=path, output_field=models.TextField()),
        output_field=models.TextField(null=True),
        db_persist=True,
    )


def index(model, name, *fields):
    return migrations.AddIndex(model_name=model, index=models.Index(*map(F, ("tenant_id", *fields)), name=name))


class Migration(migrations.Migration):
    dependencies = [("audit", "0004_hold")]

    operations = [
        migrations.AddField(model_name="event", name="at", field=told("{at}")),
        migrations.AddField(model_name="event", name="policy_version", field=told("{policy_version}")),
        migrations.AddField(model_name="event", name="request_id", field=told("{request_id}")),
        index("event", "event_at", "at", "seq"),
        index("event", "event_under_policy", "policy_version", "seq"),
        index("event", "event_of_request", "request_id", "seq"),
        migrations.CreateModel(
            name="Check",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tenant_id", "id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField(default=memory_admin.tenancy.scope.current_tenant, editable=False)),
                ("id", models.UUIDField(default=memory_admin.tenancy.scope.uuid7, editable=False)),
                ("asked_by", models.TextField()),
                ("asked_at", models.DateTimeField()),
                ("size", models.BigIntegerField()),
                ("done_at", models.DateTimeField(null=True)),
                ("events", models.BigIntegerField(default=0)),
                ("head", models.BinaryField(default=b"")),
                ("agreed", models.BigIntegerField(default=0)),
                ("checkpoint_at", models.DateTimeField(null=True)),
                ("first_bad", models.BigIntegerField(null=True)),
                ("problem", models.TextField(default="")),
                ("findings", models.IntegerField(default=0)),
            ],
        ),
        ProtectTenantRows("check"),
        index("check", "check_done", "done_at"),
        index("check", "check_asked", "asked_at"),
    ]
