import pgvector.django.bit
from django.db import migrations, models


NO_STATISTICS = "ALTER TABLE memories_tombstone ALTER COLUMN likeness SET STATISTICS 0"


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0010_identities'),
        ('memories', '0013_request_for_a_copy'),
    ]

    operations = [
        migrations.AddField(
            model_name='tombstone',
            name='likeness',
            field=pgvector.django.bit.BitField(length=2048, null=True),
        ),
        migrations.AddField(
            model_name='tombstone',
            name='model',
            field=models.TextField(null=True),
        ),
        migrations.RunSQL(NO_STATISTICS, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name='tombstone',
            index=models.Index(condition=models.Q(('lifted_at', None), ('likeness__isnull', False)), fields=['tenant_id', 'subject_id', 'model'], name='tombstone_by_likeness'),
        ),
        migrations.AddConstraint(
            model_name='tombstone',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('likeness', None), ('model', None)), models.Q(('likeness__isnull', False), ('model__isnull', False)), _connector='OR'), name='tombstone_likeness_of_a_model'),
        ),
    ]
