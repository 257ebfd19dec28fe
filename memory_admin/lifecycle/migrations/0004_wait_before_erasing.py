from django.db import migrations, models

# Every erasure so far was done at once. FORCE is lifted around it: under it the owner sees no row.
FILL = """
ALTER TABLE lifecycle_erasurerequest NO FORCE ROW LEVEL SECURITY;
UPDATE lifecycle_erasurerequest SET done = cardinality(memory_ids);
ALTER TABLE lifecycle_erasurerequest FORCE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('lifecycle', '0003_number_erasures'),
    ]

    operations = [
        migrations.AddField(
            model_name='erasurerequest',
            name='done',
            field=models.IntegerField(default=0),
        ),
        migrations.AddField(
            model_name='erasurerequest',
            name='due_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='erasurerequest',
            name='keeps_out',
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name='erasurerequest',
            name='taken_back_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name='erasurerequest',
            name='state',
            field=models.TextField(choices=[('waiting', 'Waiting'), ('erasing', 'Erasing'), ('erased', 'Erased'), ('taken_back', 'Taken Back')], default='erased'),
        ),
        migrations.AddIndex(
            model_name='erasurerequest',
            index=models.Index(condition=models.Q(('state__in', ['waiting', 'erasing'])), fields=['tenant_id', 'subject_id'], name='erasure_unfinished'),
        ),
        migrations.AddConstraint(
            model_name='erasurerequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'taken_back'), ('taken_back_at__isnull', False)), models.Q(models.Q(('state', 'taken_back'), _negated=True), ('taken_back_at', None)), _connector='OR'), name='erasure_taken_back_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='erasurerequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['waiting', 'erasing']), _negated=True), ('due_at__isnull', False), _connector='OR'), name='erasure_waits_until_a_time'),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
