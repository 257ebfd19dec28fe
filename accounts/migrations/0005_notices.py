import django.contrib.postgres.fields
import django.db.models.deletion
import memory_admin.tenancy.scope
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_security_events'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='unmailed',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None),
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('pk', models.CompositePrimaryKey('tenant_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('tenant_id', models.UUIDField(default=memory_admin.tenancy.scope.current_tenant, editable=False)),
                ('id', models.UUIDField(default=memory_admin.tenancy.scope.uuid7, editable=False)),
                ('kind', models.TextField()),
                ('path', models.TextField()),
                ('told_at', models.DateTimeField()),
                ('mailed_at', models.DateTimeField(null=True)),
                ('read_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['tenant_id', 'user', '-told_at', '-id'], name='notice_of_user')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('read_at', None)), fields=('tenant_id', 'user', 'kind', 'path'), name='notice_unread_once'), models.CheckConstraint(condition=models.Q(('path__startswith', '/'), models.Q(('path__startswith', '//'), _negated=True), models.Q(('path__contains', '\\'), _negated=True)), name='notice_leads_to_a_page_of_ours')],
            },
        ),
    ]
