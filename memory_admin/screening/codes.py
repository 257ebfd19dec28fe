"""Every code a finding can carry, in one plain sentence each; a policy matches on these."""

from collections.abc import Mapping
from types import MappingProxyType

CODES: Mapping[str, str] = MappingProxyType(
    {
        # blank
        "blank": "The text holds nothing that can be seen.",
        # hidden
        "tag_characters": "Invisible tag characters spell words inside the text.",
        "variation_selectors": "A run of invisible variation selectors carries hidden bytes.",
        "invisible_character": "Zero-width or other invisible characters stand where writing does not need them.",
        "bidi_control": "Direction controls make the text look different from what it says.",
        "control_character": "Control characters or broken code units stand in the text.",
        "stacked_marks": "More marks are stacked on one letter than any script uses.",
        "mixed_scripts": "Letters of another script are mixed into words to look like Latin ones.",
        "encoded_text": "Part of the text is readable words in an encoding such as Base64.",
        # secret
        "credential": "The text holds a key, token, certificate or address that gives access.",
        "password": "The text gives a password.",
        "login_pair": "The text gives a user name together with its password.",
        "one_time_code": "The text gives a one-time or verification code.",
        "access_code": "The text gives a PIN or the code of a door, alarm or safe.",
        "seed_phrase": "The text gives the recovery words of a wallet.",
        "security_answer": "The text gives the answer to a security question.",
        # personal
        "card_number": "The text holds a payment card number.",
        "bank_account": "The text holds a bank account number.",
        "social_security_number": "The text holds a social security number.",
        "identity_number": "The text holds a passport, licence, tax, health or national identity number.",
        "phone_number": "The text holds a telephone number.",
        "email_address": "The text holds an e-mail address.",
        "postal_address": "The text holds a postal address.",
        "date_of_birth": "The text holds a date of birth.",
        # sensitive
        "health_condition": "The text speaks of an illness, disability, pregnancy or state of mind.",
        "health_treatment": "The text speaks of medicines, treatment or care.",
        "sexual_orientation": "The text speaks of sexual orientation, gender identity or sex life.",
        "religious_belief": "The text speaks of somebody's belief.",
        "religious_practice": "The text describes a habit that shows a belief.",
        "political_opinion": "The text speaks of a political opinion or party.",
        "union_membership": "The text speaks of membership of a trade union.",
        "ethnic_origin": "The text speaks of ethnic origin.",
        "biometric_data": "The text speaks of fingerprints, face, voice or other body data.",
        "genetic_data": "The text speaks of genes, genetic tests or inherited illness.",
        "immigration_status": "The text speaks of residence, visa or asylum status.",
        "criminal_record": "The text speaks of offences, arrests or convictions.",
        "financial_situation": "The text speaks of income, debts or benefits.",
        "about_a_child": "The text speaks of a particular child's age or school.",
        "precise_location": "The text says exactly where somebody is.",
        "trait_inferred": "A sensitive trait is concluded here, not said.",
        # control
        "waives_control": "The text would skip a check, an approval or another control.",
        "acts_without_asking": "The text would have something done without asking.",
        "no_escalation": "The text would keep people in charge from being involved.",
        "claims_rights": "The text claims rights or a standing that only the system can give.",
        "always_valid": "The text declares something approved, valid or trusted in advance.",
        "raises_limit": "The text would lift a limit.",
        "changes_policy": "The text announces a change of policy.",
        # attack
        "overrides_instructions": "The text tells an agent to drop what it was told.",
        "delayed_trigger": "The text waits for a moment to make an agent do something.",
        "conditional_order": "The text, which nobody is known to have said, gives an order for some later moment.",
        "addresses_agent": "The text, which nobody is known to have said, gives an agent an order about its workings.",
        "exfiltration": "The text would carry data out through a link, picture, address or request.",
        "conceals": "The text would hide something from the person or the reviewer.",
        "fake_authority": "The text borrows the voice of a system, developer or authority.",
        "bridges_records": "The text leads from one record to another in place of it.",
        "planted_example": "The text is an example made to be copied by an agent.",
        "about_another_person": "The text tells something delicate about somebody else, or writes to another subject.",
        "tool_rule": "The text sets a rule for an agent's use of tools, or runs code.",
        "spreads": "The text would copy or restore itself.",
        "rewrites_memory": "The text would delete, overrule or overwrite what is remembered or on file.",
        "encoded_instruction": "An instruction shows once the text is decoded or respelled.",
        # task
        "present_task": "The text is about the task at hand and belongs into the state of its thread.",
        "system_record": "The text repeats what a source system can say itself.",
    }
)
