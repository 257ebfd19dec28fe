import django.db.models.deletion
from django.db import migrations, models

import memory_admin.tenancy.models
import memory_admin.tenancy.scope
from memory_admin.tenancy.operations import AddTenantForeignKey, ProtectTenantRows

# No word of a person may end in the planner's statistics.
QUIET = """
    ALTER TABLE memories_dispute ALTER COLUMN statement SET STATISTICS 0;
    ALTER TABLE memories_refusalreview ALTER COLUMN words SET STATISTICS 0, ALTER COLUMN answer SET STATISTICS 0;
"""
# Number what was asked for before there were numbers: scattered by a multiplication modulo a prime, in the lower half of
# the numbers there are. FORCE is lifted around it: under it the owner sees no rows.
NUMBER_DISPUTES = """
    ALTER TABLE memories_dispute NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE memories_memory NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE memories_datarequest NO FORCE ROW LEVEL SECURITY;
    INSERT INTO memories_datarequest (tenant_id, id, number, kind, subject_id, object_id, opened_at)
    SELECT d.tenant_id, gen_random_uuid(),
        (100000000 + row_number() OVER (PARTITION BY d.tenant_id ORDER BY d.opened_at, d.id) * 48271
            % 399999959)::text,
        'dispute', m.subject_id, d.id, d.opened_at
    FROM memories_dispute d JOIN memories_memory m ON m.tenant_id = d.tenant_id AND m.id = d.memory_id;
    ALTER TABLE memories_dispute FORCE ROW LEVEL SECURITY;
    ALTER TABLE memories_memory FORCE ROW LEVEL SECURITY;
    ALTER TABLE memories_datarequest FORCE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_security_events'),
        ('memories', '0006_index_what_is_listed_and_erased'),
    ]

    operations = [
        migrations.CreateModel(
            name='DataRequest',
            fields=[
                ('pk', models.CompositePrimaryKey('tenant_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('tenant_id', models.UUIDField(default=memory_admin.tenancy.scope.current_tenant, editable=False)),
                ('id', models.UUIDField(default=memory_admin.tenancy.scope.uuid7, editable=False)),
                ('number', models.TextField()),
                ('kind', models.TextField(choices=[('dispute', 'Dispute'), ('review', 'Review'), ('erasure', 'Erasure')])),
                ('subject_id', models.UUIDField()),
                ('object_id', models.UUIDField()),
                ('opened_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='RefusalReview',
            fields=[
                ('pk', models.CompositePrimaryKey('tenant_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('tenant_id', models.UUIDField(default=memory_admin.tenancy.scope.current_tenant, editable=False)),
                ('id', models.UUIDField(default=memory_admin.tenancy.scope.uuid7, editable=False)),
                ('decision_id', models.UUIDField()),
                ('subject_id', models.UUIDField()),
                ('words', models.TextField(blank=True, default='')),
                ('opened_by', models.TextField()),
                ('opened_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('result', models.TextField(choices=[('let_in', 'Let In'), ('kept_out', 'Kept Out'), ('sent_on', 'Sent On'), ('overtaken', 'Overtaken')], null=True)),
                ('answer', models.TextField(blank=True, default='')),
                ('memory_id', models.UUIDField(null=True)),
                ('closed_by', models.TextField(null=True)),
                ('closed_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddField(
            model_name='dispute',
            name='lifts_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='dispute',
            name='remedy',
            field=models.TextField(choices=[('erased', 'Erased'), ('corrected', 'Corrected'), ('retired', 'Retired')], null=True),
        ),
        migrations.AddField(
            model_name='dispute',
            name='statement',
            field=models.TextField(blank=True, default=''),
        ),
        migrations.AlterField(
            model_name='dispute',
            name='result',
            field=models.TextField(choices=[('withdrawn', 'Withdrawn'), ('upheld', 'Upheld'), ('not_upheld', 'Not Upheld'), ('overtaken', 'Overtaken')], null=True),
        ),
        migrations.AddIndex(
            model_name='dispute',
            index=models.Index(condition=models.Q(('closed_at', None)), fields=['tenant_id', 'due_at', 'id'], name='dispute_open_by_due'),
        ),
        migrations.AddConstraint(
            model_name='dispute',
            constraint=models.CheckConstraint(condition=models.Q(('remedy', None), models.Q(('result', 'upheld'), ('result__isnull', False)), _connector='OR'), name='dispute_remedied_when_upheld'),
        ),
        migrations.AddConstraint(
            model_name='dispute',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lifts_at__isnull', False), ('result', 'not_upheld')), models.Q(('lifts_at', None), ('statement', ''), models.Q(('result', None), models.Q(('result', 'not_upheld'), _negated=True), _connector='OR')), _connector='OR'), name='dispute_lifts_when_not_upheld'),
        ),
        migrations.AddField(
            model_name='datarequest',
            name='subject',
            field=memory_admin.tenancy.models.TenantForeignKey(column='subject_id', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.subject'),
        ),
        migrations.AddField(
            model_name='refusalreview',
            name='decision',
            field=memory_admin.tenancy.models.TenantForeignKey(column='decision_id', on_delete=django.db.models.deletion.PROTECT, related_name='reviews', to='memories.writedecision'),
        ),
        migrations.AddField(
            model_name='refusalreview',
            name='subject',
            field=memory_admin.tenancy.models.TenantForeignKey(column='subject_id', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.subject'),
        ),
        migrations.AddIndex(
            model_name='datarequest',
            index=models.Index(fields=['tenant_id', 'subject_id', '-opened_at', '-id'], name='request_of_subject'),
        ),
        migrations.AddConstraint(
            model_name='datarequest',
            constraint=models.UniqueConstraint(fields=('tenant_id', 'number'), name='request_number_once'),
        ),
        migrations.AddConstraint(
            model_name='datarequest',
            constraint=models.UniqueConstraint(fields=('tenant_id', 'object_id'), name='request_of_object_once'),
        ),
        migrations.AddIndex(
            model_name='refusalreview',
            index=models.Index(fields=['tenant_id', 'subject_id'], name='review_of_subject'),
        ),
        migrations.AddIndex(
            model_name='refusalreview',
            index=models.Index(condition=models.Q(('closed_at', None)), fields=['tenant_id', 'due_at', 'id'], name='review_open_by_due'),
        ),
        migrations.AddConstraint(
            model_name='refusalreview',
            constraint=models.UniqueConstraint(fields=('tenant_id', 'decision_id'), name='review_of_refusal_once'),
        ),
        migrations.AddConstraint(
            model_name='refusalreview',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('closed_by', None), ('result', None)), models.Q(('closed_at__isnull', False), ('closed_by__isnull', False), ('result__isnull', False)), _connector='OR'), name='review_closed_with_a_result'),
        ),
        ProtectTenantRows("refusalreview"),
        ProtectTenantRows("datarequest", write="append"),
        migrations.RunSQL(NUMBER_DISPUTES, migrations.RunSQL.noop),
        AddTenantForeignKey("refusalreview", "decision"),
        AddTenantForeignKey("refusalreview", "subject"),
        AddTenantForeignKey("datarequest", "subject"),
        migrations.RunSQL(QUIET, migrations.RunSQL.noop),
    ]
