"""What versions that only watch would have answered, from the candidates at hand; nothing of the answer depends on it.

An entry is ``{"policy_version", "mode", "complete"}`` and what differs: for retrieval ``overlap`` (the share of the
longer answer that both hold), ``gained`` and ``lost`` (memory ids), or ``refused``; for access ``denied`` (memory ids)
and ``allowed`` (how many). ``complete`` is false where it might have found something that nobody looked for.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_admin.errors import Invalid
from memory_admin.retrieval import queries
from memory_admin.retrieval.answers import Ask, Item
from memory_admin.retrieval.choosing import Terms
from memory_admin.retrieval.filters import HardFilters
from memory_admin.retrieval.packing import one_line, pack, tokens
from memory_admin.retrieval.queries import Facts, Scope, Weighed
from memory_admin.retrieval.ranking import Candidate, Ranked, rank
from memory_admin.retrieval.scoring import scoring_of
from policies.documents import AccessPolicy, Purpose, RetrievalPolicy
from policies.engine import access_matrix, asks_no_less, is_trusted_for, origin_ranks
from policies.queries import InForce, PoliciesInForce

logger = logging.getLogger(__name__)


@dataclass
class Watch:
    """The versions that watch one question."""

    ask: Ask
    policies: PoliciesInForce
    now: datetime
    ranked: list[Ranked] = field(default_factory=list)
    terms: Terms | None = None
    refuses: bool = False

    def rank(self, candidates: Sequence[Candidate], weighed: Mapping[UUID, Weighed]) -> list[UUID]:
        """Rank the candidates by the version that watches, and list those that its answer may need."""
        watching = self.policies.watching.get("retrieval")
        if watching is None:
            return []
        try:
            policy = _retrieval(watching)
            self.terms = Terms.of(self.ask, policy, ranks=origin_ranks(self.policies.write.document))
            trust = policy.purpose(self.ask.purpose)
            trusted = [one for one in candidates if _is_trusted(weighed[one.memory_id], trust)]
            self.ranked = rank(trusted, scoring=scoring_of(policy), now=self.now)
        except Invalid:
            self.refuses = True
            return []
        except Exception:
            logger.exception("watching_policy_failed")
            return []
        return self.terms.best(self.ranked)

    def notes(
        self, *, shown: queries.Shown, profile: Sequence[Facts], items: Sequence[Item], filters: HardFilters
    ) -> list[dict[str, Any]]:
        """Note what each version that watches would have made of the question."""
        notes = []
        for family, watching in self.policies.watching.items():
            try:
                if family == "retrieval":
                    noted = self._retrieval(watching, shown, profile, items)
                elif family == "access" and filters.matrix is not None:
                    noted = _access(watching, filters, items)
                else:
                    continue
            except Exception:
                # It only watches: whatever is wrong with it, the answer goes out.
                logger.exception("watching_policy_failed")
                noted = {"complete": False}
            notes.append({"policy_version": watching.version_label, "mode": watching.mode, **noted})
        return notes

    def _retrieval(
        self, watching: InForce[Any], shown: queries.Shown, profile: Sequence[Facts], items: Sequence[Item]
    ) -> dict[str, Any]:
        had = [item.facts.memory_id for item in items]
        if self.refuses:
            return {"complete": True, "refused": True, "overlap": 0.0 if had else 1.0, "gained": [], "lost": had}
        policy, enforced = _retrieval(watching), self.policies.retrieval.document
        has = self._returned(shown, profile)
        is_same_reach = (policy.candidates, policy.near_duplicate) == (enforced.candidates, enforced.near_duplicate)
        needs, needed = (one.purpose(self.ask.purpose) for one in (policy, enforced))
        fallback = [item.facts.memory_id for item in items if item.is_fallback]
        if not has and policy.summary_fallback:
            has = fallback
        is_summary_unknown = not has and policy.summary_fallback and bool(had)
        return {
            "complete": is_same_reach and asks_no_less(needs, needed) and not is_summary_unknown,
            "overlap": round(len({*had} & {*has}) / max(len(had), len(has)), 4) if had or has else 1.0,
            "gained": [at for at in has if at not in had],
            "lost": [at for at in had if at not in has],
        }

    def _returned(self, shown: queries.Shown, profile: Sequence[Facts]) -> list[UUID]:
        assert self.terms is not None  # it was ranked
        policy = self.terms.policy
        trust = policy.purpose(self.ask.purpose)
        first = [(one.memory_id, _tokens(one)) for one in profile if _is_trusted(one, trust)]
        in_profile = set(pack([], budget=self.terms.budget, first=first, share=policy.profile_share).items)
        kept = [one.candidate.memory_id for one in self.terms.choose(self.ranked, shown).kept]
        found = [(at, _tokens(shown.facts[at])) for at in kept if at not in in_profile]
        return list(dict.fromkeys(pack(found, budget=self.terms.budget, first=first, share=policy.profile_share).items))


def warnings_of(notes: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Tell what versions in mode ``warn`` would have answered otherwise; nothing of what is closed to the asker."""
    warnings = []
    for note in notes:
        lost, gained = len(note.get("lost", note.get("denied", ()))), len(note.get("gained", ()))
        if note["mode"] == "warn" and (lost or gained or note.get("refused")):
            said = [f"{lost} of these memories would not be handed out"] if lost else []
            said += [f"{gained} others would be"] if gained else []
            reason = "More is asked for than it allows" if note.get("refused") else " and ".join(said)
            warnings.append({"policy_version": note["policy_version"], "reason": f"{reason}."})
    return warnings


def _access(watching: InForce[Any], filters: HardFilters, items: Sequence[Item]) -> dict[str, Any]:
    document = watching.document
    assert isinstance(document, AccessPolicy)  # it is of the family
    matrix = access_matrix(
        document,
        agent=filters.by.agent_name or None,
        purpose=filters.ask.purpose,
        scopes=frozenset(str(scope) for scope in filters.by.scopes),
    )
    opened = [
        one
        for scope in filters.subjects
        if scope.subject_id in filters.excluded
        for one in scope.closed
        if one.kind in filters.open_kinds
        and not _is_paused(one, scope, filters)
        and not filters.verdict(one.kind, sorted(one.categories))[0]
        and matrix.verdict(one.kind, one.categories).allowed
    ]
    given = [item.facts for item in items]
    return {
        # Of a kind that is closed as a whole nothing was looked at.
        "complete": set(matrix.open_kinds) <= filters.open_kinds,
        "denied": [one.memory_id for one in given if not matrix.verdict(one.kind, one.categories).allowed],
        "allowed": len(opened),
    }


def _is_paused(one: queries.Closed, scope: Scope, filters: HardFilters) -> bool:
    is_paused_itself = any(pause.memory_id == one.memory_id for pause in scope.pauses)
    return is_paused_itself or bool(one.categories & filters.paused.get(scope.subject_id, frozenset()))


def _retrieval(watching: InForce[Any]) -> RetrievalPolicy:
    assert isinstance(watching.document, RetrievalPolicy)  # it is of the family
    return watching.document


def _is_trusted(one: Weighed | Facts, trust: Purpose) -> bool:
    confirmed = one.is_confirmed if isinstance(one, Weighed) else one.confirmed_at is not None
    return is_trusted_for(
        trust, origin=one.origin, channel=one.channel, confidence=one.confidence, is_confirmed=confirmed
    )


def _tokens(facts: Facts) -> int:
    return tokens(one_line(facts.statement))
