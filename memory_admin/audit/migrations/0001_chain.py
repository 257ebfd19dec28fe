from django.db import migrations, models
from django.db.models import F, Q

from memory_admin.audit.models import Reading
from memory_admin.tenancy.scope import current_tenant


def told(path):
    return models.GeneratedField(
        expression=Reading(F("canonical"), path=path, output_field=models.TextField()),
        output_field=models.TextField(null=True),
        db_persist=True,
    )


def numbered_in_the_tenant():
    return [
        ("pk", models.CompositePrimaryKey("tenant_id", "seq", blank=True, editable=False, primary_key=True, serialize=False)),
        ("tenant_id", models.UUIDField(default=current_tenant, editable=False)),
        ("seq", models.BigIntegerField()),
    ]


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Chain",
            fields=[
                ("tenant_id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("size", models.BigIntegerField()),
                ("head", models.BinaryField()),
            ],
            options={"constraints": [models.CheckConstraint(condition=Q(size__gte=0), name="chain_is_never_negative")]},
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                *numbered_in_the_tenant(),
                ("canonical", models.BinaryField()),
                ("prev_hash", models.BinaryField()),
                ("hash", models.BinaryField()),
                ("action", told("{action}")),
                ("actor", told("{by}")),
                ("target_id", told("{target,id}")),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=Q(seq__gte=1), name="event_numbers_start_at_one")],
                "indexes": [models.Index(F("tenant_id"), F("target_id"), F("seq"), name="event_of_target")],
            },
        ),
        migrations.CreateModel(
            name="Payload",
            fields=[*numbered_in_the_tenant(), ("salt", models.BinaryField()), ("body", models.TextField())],
        ),
    ]
