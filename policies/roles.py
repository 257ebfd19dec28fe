"""Who may do what with policies."""

from __future__ import annotations

from uuid import UUID

from accounts.actors import Actor
from accounts.vocabulary import Role
from memory_admin.errors import NotAllowed

EDITORS = (Role.POLICY_EDITOR,)
APPROVERS = (Role.POLICY_APPROVER, Role.PRIVACY_OFFICER)
RELEASERS = (Role.POLICY_EDITOR, Role.POLICY_APPROVER, Role.PRIVACY_OFFICER)
#: Who restricts at once, and is told when somebody did.
GUARDIANS = (Role.POLICY_APPROVER, Role.PRIVACY_OFFICER, Role.ADMIN)


def refuse_others(by: Actor, roles: tuple[Role, ...]) -> UUID:
    """Let pass staff who hold one of the roles, and name their user.

    :raises NotAllowed: anybody else
    """
    if by.kind != "staff" or by.user_id is None or by.roles.isdisjoint(roles):
        raise NotAllowed
    return by.user_id
