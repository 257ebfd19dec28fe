"""What whoever looks at a version may do with it, and why not."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from accounts.vocabulary import Role
from memory_admin.web import accounts_factors
from memory_admin.web.access import StaffRequest
from policies import roles, standing
from policies.models import AuthLevel, PolicyVersion


@dataclass(frozen=True, slots=True)
class Viewer:
    """The roles of whoever looks, whether they had a hand in the version, and how surely they are known.

    :ivar factor_step: the name of the page where they set up or prove the second factor; None when that is done
    """

    user_id: UUID
    held: frozenset[Role]
    had_a_hand: bool
    factor_step: str | None

    @property
    def edits(self) -> bool:
        return not self.held.isdisjoint(roles.EDITORS)

    @property
    def may_approve(self) -> bool:
        return not self.held.isdisjoint(roles.APPROVERS)

    @property
    def decides(self) -> bool:
        return self.may_approve and not self.had_a_hand

    @property
    def releases(self) -> bool:
        return not self.held.isdisjoint(roles.RELEASERS)

    @property
    def guards(self) -> bool:
        return not self.held.isdisjoint(roles.GUARDIANS)

    @property
    def withdraws(self) -> bool:
        return self.may_approve or (self.edits and self.had_a_hand)

    @property
    def is_officer(self) -> bool:
        return Role.PRIVACY_OFFICER in self.held

    @property
    def acts(self) -> bool:
        return self.edits or self.may_approve


def viewer_of(request: StaffRequest, version: PolicyVersion | None = None) -> Viewer:
    """Say who looks at a version."""
    editors = standing.editors_of(version) if version else set()
    return Viewer(
        user_id=request.user.id,
        held=request.actor.roles,
        had_a_hand=request.user.id in editors,
        factor_step=accounts_factors.step_to_second_factor(request, request.user),
    )


def auth_level(request: StaffRequest) -> AuthLevel:
    """Say how surely this session knows who acts: by a second factor only if one was proved in it."""
    is_missing = accounts_factors.step_to_second_factor(request, request.user) is not None
    return AuthLevel.PASSWORD if is_missing else AuthLevel.SECOND_FACTOR
