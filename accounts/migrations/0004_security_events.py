import django.db.models.deletion
import memory_admin.tenancy.scope
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_subject_of_a_test'),
    ]

    operations = [
        migrations.CreateModel(
            name='SecurityEvent',
            fields=[
                ('id', models.UUIDField(default=memory_admin.tenancy.scope.uuid7, editable=False, primary_key=True, serialize=False)),
                ('kind', models.TextField(choices=[('signed_in', 'You signed in'), ('wrong_password', 'A wrong password was entered'), ('locked', 'Sign-in was locked after too many wrong tries'), ('wrong_code', 'A wrong second factor was given'), ('password_changed', 'The password was changed'), ('password_reset', 'The password was set anew by a link'), ('totp_activated', 'An authenticator app was set up'), ('totp_deactivated', 'The authenticator app was removed'), ('recovery_codes_generated', 'New recovery codes were made'), ('recovery_code_used', 'A recovery code was used'), ('webauthn_added', 'A passkey was added'), ('webauthn_removed', 'A passkey was removed'), ('factors_removed', 'Your second factor was removed by whoever runs this service'), ('session_ended', 'Another device was signed out')])),
                ('address', models.GenericIPAddressField(null=True)),
                ('device', models.TextField(blank=True, default='')),
                ('at', models.DateTimeField()),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', '-at'], name='security_event_of_user')],
            },
        ),
        # What was noted stays as it was noted.
        migrations.RunSQL("REVOKE UPDATE ON accounts_securityevent FROM memory_app", migrations.RunSQL.noop),
    ]
