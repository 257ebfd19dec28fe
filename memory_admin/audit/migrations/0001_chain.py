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


# Immutable, which a generated column asks for: only the conversion from UTF-8 is not marked so, and it never changes.
TOLD = """
CREATE FUNCTION audit_told(canonical bytea, path text[]) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN convert_from(canonical, 'UTF8')::jsonb #>> path;
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.RunSQL(TOLD, "DROP FUNCTION audit_told"),
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
