"""The words of roles, scopes, channels and modes."""

from __future__ import annotations

from django.db import models


class Role(models.TextChoices):
    """What a membership may do; it holds any number of roles."""

    PERSON = "person"
    DEVELOPER = "developer"
    REVIEWER = "reviewer"
    POLICY_EDITOR = "policy_editor"
    POLICY_APPROVER = "policy_approver"
    PRIVACY_OFFICER = "privacy_officer"
    AUDITOR = "auditor"
    ADMIN = "admin"


#: Who sees or decides about others: they sign in with a second factor.
STAFF = frozenset(
    {
        Role.REVIEWER,
        Role.POLICY_EDITOR,
        Role.POLICY_APPROVER,
        Role.PRIVACY_OFFICER,
        Role.AUDITOR,
        Role.ADMIN,
    }
)


#: Who answers what people ask to have checked, and looks at what is held for a check.
REVIEWERS = (Role.REVIEWER, Role.PRIVACY_OFFICER)


#: What no administrator gives alone: a second one approves it.
GUARDED = frozenset({Role.PRIVACY_OFFICER, Role.POLICY_APPROVER})


class ChangeOutcome(models.TextChoices):
    """What became of a proposed change of roles."""

    OPEN = "open"
    APPROVED = "approved"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


class SecurityEventKind(models.TextChoices):
    """What happened to somebody's sign-in, as they are told."""

    SIGNED_IN = "signed_in", "You signed in"
    WRONG_PASSWORD = "wrong_password", "A wrong password was entered"
    LOCKED = "locked", "Sign-in was locked after too many wrong tries"
    WRONG_CODE = "wrong_code", "A wrong second factor was given"
    PASSWORD_CHANGED = "password_changed", "The password was changed"
    PASSWORD_RESET = "password_reset", "The password was set anew by a link"
    TOTP_ACTIVATED = "totp_activated", "An authenticator app was set up"
    TOTP_DEACTIVATED = "totp_deactivated", "The authenticator app was removed"
    RECOVERY_CODES_GENERATED = "recovery_codes_generated", "New recovery codes were made"
    RECOVERY_CODE_USED = "recovery_code_used", "A recovery code was used"
    WEBAUTHN_ADDED = "webauthn_added", "A passkey was added"
    WEBAUTHN_REMOVED = "webauthn_removed", "A passkey was removed"
    FACTORS_REMOVED = "factors_removed", "Your second factor was removed by whoever runs this service"
    IDENTITY_LINKED = "identity_linked", "You signed in by your organisation’s provider for the first time"
    SESSION_ENDED = "session_ended", "Another device was signed out"


class NoticeKind(models.TextChoices):
    """What somebody is told about, in words that say nothing of what is remembered."""

    REVIEW_WAITING = "review_waiting", "Something waits for your review"
    REQUEST_DUE = "request_due", "A request is due soon"
    DISPUTE_ANSWERED = "dispute_answered", "Your dispute is answered"
    REVIEW_ANSWERED = "review_answered", "What was refused was looked at again"
    ERASURE_DONE = "erasure_done", "An erasure is done"
    KEY_EXPIRING = "key_expiring", "A key of an agent ends soon"
    ROLE_CHANGE_WAITING = "role_change_waiting", "A change of roles waits for a second administrator"
    ROLE_CHANGE_DECIDED = "role_change_decided", "A change of roles that you proposed is decided"
    ROLES_CHANGED = "roles_changed", "Your roles were changed"
    SUBJECT_LINKED = "subject_linked", "What your pages show was changed by an administrator"
    POLICY_REVIEW_WAITING = "policy_review_waiting", "A policy waits for your review"
    POLICY_DECIDED = "policy_decided", "A policy that you worked on was reviewed"
    POLICY_ATTENTION = "policy_attention", "A policy needs somebody to look"
    POLICY_REQUEST_ANSWERED = "policy_request_answered", "A wish to change a rule is answered"
    BREAK_GLASS = "break_glass", "Something was closed in an emergency"
    STEWARD_CHANGED = "steward_changed", "Whose memories you look after was changed"
    SOMEBODY_LET_IN = "somebody_let_in", "Somebody was let in to see what is remembered"


#: What concerns somebody's own rights always comes by e-mail, and so does who was let in to see what is remembered.
ALWAYS_MAILED = frozenset(
    {
        NoticeKind.DISPUTE_ANSWERED,
        NoticeKind.REVIEW_ANSWERED,
        NoticeKind.ROLES_CHANGED,
        NoticeKind.SUBJECT_LINKED,
        NoticeKind.STEWARD_CHANGED,
        NoticeKind.SOMEBODY_LET_IN,
    }
)


class Scope(models.TextChoices):
    """What an API key may do."""

    CONTEXT_READ = "context:read"
    DECISIONS_READ = "decisions:read"
    EPISODES_WRITE = "episodes:write"
    ERASURES_WRITE = "erasures:write"
    EVALUATIONS_WRITE = "evaluations:write"
    MEMORIES_READ = "memories:read"
    MEMORIES_SENSITIVE = "memories:sensitive"
    MEMORIES_WRITE = "memories:write"
    PROCEDURES_READ = "procedures:read"
    PROFILE_READ = "profile:read"
    PROFILE_WRITE = "profile:write"
    RETRIEVALS_READ = "retrievals:read"
    THREADS_READ = "threads:read"
    THREADS_WRITE = "threads:write"
    TRACES_WRITE = "traces:write"


class Channel(models.TextChoices):
    """Where words come from, the most trusted first. A key carries the highest it may claim."""

    PORTAL = "portal"
    USER_MESSAGE = "user_message"
    IMPORT = "import"
    CONSOLIDATION = "consolidation"
    AGENT = "agent"
    TOOL = "tool"
    DOCUMENT = "document"
    PEER_AGENT = "peer_agent"

    @property
    def is_the_persons(self) -> bool:
        """Tell whether the words are the person's own."""
        return self in (Channel.PORTAL, Channel.USER_MESSAGE)

    def may_claim(self, other: Channel) -> bool:
        """Tell whether a key of this channel may write as the other: never a more trusted one."""
        order = list(Channel)
        return order.index(other) >= order.index(self)


class MemoryMode(models.TextChoices):
    """What agents may do with a subject's memory."""

    ON = "on"
    PAUSED = "paused"  # keeps, uses nothing, saves nothing
    SAVE_ONLY = "save_only"
    USE_ONLY = "use_only"

    @property
    def saves(self) -> bool:
        """Tell whether agents may store."""
        return self in (MemoryMode.ON, MemoryMode.SAVE_ONLY)

    @property
    def uses(self) -> bool:
        """Tell whether agents may read."""
        return self in (MemoryMode.ON, MemoryMode.USE_ONLY)
