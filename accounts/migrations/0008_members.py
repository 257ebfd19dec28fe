
import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.text
import memory_admin.tenancy.models
import memory_admin.tenancy.scope
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0007_made_when_the_service_says'),
    ]

    operations = [
        migrations.AddField(
            model_name='membership',
            name='roles_changed_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='membership',
            name='seen_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='tenant',
            name='names_staff',
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('pk', models.CompositePrimaryKey('tenant_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('tenant_id', models.UUIDField(default=memory_admin.tenancy.scope.current_tenant, editable=False)),
                ('id', models.UUIDField(default=memory_admin.tenancy.scope.uuid7, editable=False)),
                ('email', models.EmailField(max_length=254)),
                ('roles', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(choices=[('person', 'Person'), ('developer', 'Developer'), ('reviewer', 'Reviewer'), ('policy_editor', 'Policy Editor'), ('policy_approver', 'Policy Approver'), ('privacy_officer', 'Privacy Officer'), ('auditor', 'Auditor'), ('admin', 'Admin')]), default=list, size=None)),
                ('subject_ref', models.TextField(blank=True, default='')),
                ('sendings', models.IntegerField(default=1)),
                ('sent_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('accepted_at', models.DateTimeField(null=True)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('accepted_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('invited_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('accepted_at', None), ('withdrawn_at', None)), fields=('tenant_id', 'email'), name='invitation_open_once'), models.UniqueConstraint(condition=models.Q(('accepted_at', None), ('withdrawn_at', None), models.Q(('subject_ref', ''), _negated=True)), fields=('tenant_id', 'subject_ref'), name='invitation_promises_a_subject_once'), models.CheckConstraint(condition=models.Q(('email', django.db.models.functions.text.Lower('email'))), name='invitation_email_in_lower_case'), models.CheckConstraint(condition=models.Q(('roles__overlap', ['policy_approver', 'privacy_officer']), _negated=True), name='invitation_gives_no_guarded_role'), models.CheckConstraint(condition=models.Q(models.Q(('accepted_at', None), ('accepted_by', None)), models.Q(('accepted_at__isnull', False), ('accepted_by__isnull', False), ('withdrawn_at', None)), _connector='OR'), name='invitation_ends_one_way')],
            },
        ),
        migrations.CreateModel(
            name='RoleChange',
            fields=[
                ('pk', models.CompositePrimaryKey('tenant_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('tenant_id', models.UUIDField(default=memory_admin.tenancy.scope.current_tenant, editable=False)),
                ('id', models.UUIDField(default=memory_admin.tenancy.scope.uuid7, editable=False)),
                ('membership_id', models.UUIDField()),
                ('before', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(choices=[('person', 'Person'), ('developer', 'Developer'), ('reviewer', 'Reviewer'), ('policy_editor', 'Policy Editor'), ('policy_approver', 'Policy Approver'), ('privacy_officer', 'Privacy Officer'), ('auditor', 'Auditor'), ('admin', 'Admin')]), size=None)),
                ('after', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(choices=[('person', 'Person'), ('developer', 'Developer'), ('reviewer', 'Reviewer'), ('policy_editor', 'Policy Editor'), ('policy_approver', 'Policy Approver'), ('privacy_officer', 'Privacy Officer'), ('auditor', 'Auditor'), ('admin', 'Admin')]), size=None)),
                ('outcome', models.TextField(choices=[('open', 'Open'), ('approved', 'Approved'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn')], default='open')),
                ('proposed_at', models.DateTimeField()),
                ('decided_at', models.DateTimeField(null=True)),
                ('decided_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('membership', memory_admin.tenancy.models.TenantForeignKey(column='membership_id', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.membership')),
                ('proposed_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['tenant_id', 'membership_id', '-proposed_at'], name='role_change_of_member')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('outcome', 'open')), fields=('tenant_id', 'membership_id'), name='role_change_open_once'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('outcome', 'open')), models.Q(models.Q(('outcome', 'open'), _negated=True), ('decided_at__isnull', False)), _connector='OR'), name='role_change_is_open_until_decided'), models.CheckConstraint(condition=models.Q(models.Q(('outcome__in', ['open', 'withdrawn']), ('proposed_by__isnull', False)), models.Q(('decided_by', None), ('outcome', 'approved'), ('proposed_by', None)), models.Q(('decided_by__isnull', False), ('outcome__in', ['approved', 'declined']), ('proposed_by__isnull', False), models.Q(('decided_by', models.F('proposed_by')), _negated=True), models.Q(('decided_by', models.F('user')), _negated=True)), _connector='OR'), name='role_change_takes_two'), models.CheckConstraint(condition=models.Q(('proposed_by', None), models.Q(('proposed_by', models.F('user')), _negated=True), _connector='OR'), name='role_change_is_not_ones_own')],
            },
        ),
        migrations.CreateModel(
            name='Stewardship',
            fields=[
                ('pk', models.CompositePrimaryKey('tenant_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('tenant_id', models.UUIDField(default=memory_admin.tenancy.scope.current_tenant, editable=False)),
                ('id', models.UUIDField(default=memory_admin.tenancy.scope.uuid7, editable=False)),
                ('subject_id', models.UUIDField()),
                ('named_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('named_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('subject', memory_admin.tenancy.models.TenantForeignKey(column='subject_id', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.subject')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['tenant_id', 'subject_id'], name='stewardship_of_subject')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('tenant_id', 'user', 'subject_id'), name='stewardship_once'), models.CheckConstraint(condition=models.Q(('named_by', None), models.Q(('named_by', models.F('user')), _negated=True), _connector='OR'), name='stewardship_is_given_by_another')],
            },
        ),
    ]
