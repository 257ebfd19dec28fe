"""Names in a policy that nothing in the tenant, or in the product, goes by. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Set
from difflib import get_close_matches

from policies import wording
from policies.documents import AccessPolicy, PolicyDocument, ProcedurePolicy, RetentionPolicy, WritePolicy
from policies.findings.finding import Finding, Severity, Surroundings

_CODES = """
secret personal sensitive control attack hidden task blank
tag_characters variation_selectors invisible_character bidi_control control_character stacked_marks mixed_scripts
encoded_text credential password login_pair one_time_code access_code seed_phrase security_answer card_number
bank_account social_security_number identity_number phone_number email_address postal_address date_of_birth
health_condition health_treatment sexual_orientation religious_belief religious_practice political_opinion
union_membership ethnic_origin biometric_data genetic_data immigration_status criminal_record financial_situation
about_a_child precise_location trait_inferred waives_control acts_without_asking no_escalation claims_rights
always_valid raises_limit changes_policy overrides_instructions delayed_trigger conditional_order addresses_agent
exfiltration conceals fake_authority bridges_records planted_example about_another_person tool_rule spreads
rewrites_memory encoded_instruction present_task system_record
"""
SCREENED = frozenset(_CODES.split())
"""The groups of findings that screening reports, and every code in them."""


def unknown_names(document: PolicyDocument, around: Surroundings) -> Iterator[Finding]:
    """List the agents, categories, regions and findings that a document names and nothing goes by."""
    if isinstance(document, WritePolicy | AccessPolicy):
        yield from _of_rules(document, around)
        for one in document.sensitive_categories:
            yield from _unknown("category", one, around.categories, "sensitive_categories", "warning")
    elif isinstance(document, RetentionPolicy):
        for limit in document.region_limits:
            yield from _unknown("region", limit.region, around.regions, f"region_limits[{limit.region}]")
    elif isinstance(document, ProcedurePolicy):
        for procedure in document.procedures:
            for one in procedure.agents:
                yield from _unknown("agent", one, around.agents, f"procedures[{procedure.name}].agents")


def _of_rules(document: WritePolicy | AccessPolicy, around: Surroundings) -> Iterator[Finding]:
    places = [(f"rules[{rule.id}].match", rule.match) for rule in document.rules]
    places += [(f"actions[{rule.id}].match", rule.match) for rule in getattr(document, "actions", ())]
    for at, match in places:
        for one in match.agents:
            yield from _unknown("agent", one, around.agents, f"{at}.agents")
        for one in match.categories:
            known = around.categories | set(document.sensitive_categories)
            yield from _unknown("category", one, known, f"{at}.categories", "warning")
        for one in getattr(match, "findings", ()):
            yield from _unknown("finding", one, SCREENED, f"{at}.findings")


def _unknown(noun: str, one: str, known: Set[str], path: str, severity: Severity = "error") -> Iterator[Finding]:
    if one not in known:
        near = get_close_matches(one, sorted(known), n=1)
        hint = f" Is {wording.quoted(near[0])} meant?" if near else ""
        sentence = f"There is no {noun} {wording.quoted(one)}.{hint}"
        yield Finding(f"unknown_{noun}", severity, path, sentence)
