"""Text that tries to steer an agent through its memory."""

from memory_admin.screening.attack.authority import AUTHORITY
from memory_admin.screening.attack.bridges import BRIDGES, find_two_of_a_kind
from memory_admin.screening.attack.examples import EXAMPLES
from memory_admin.screening.attack.leaks import LEAKS
from memory_admin.screening.attack.others import OTHERS
from memory_admin.screening.attack.overrides import OVERRIDES
from memory_admin.screening.attack.triggers import TRIGGERS
from memory_admin.screening.attack.unasked import UNASKED
from memory_admin.screening.attack.workings import WORKINGS
from memory_admin.screening.findings import Finding
from memory_admin.screening.hidden import Reading
from memory_admin.screening.rules import RuleBook

_RULES = RuleBook("attack", (*OVERRIDES, *TRIGGERS, *LEAKS, *AUTHORITY, *BRIDGES, *EXAMPLES, *OTHERS, *WORKINGS))
_UNASKED = RuleBook("attack", UNASKED)


def find_attacks(reading: Reading, *, is_stated: bool) -> list[Finding]:
    """Find text that reads like an attempt to steer agents; it is for a reviewer, whatever else it says.

    What a person may well say of their own wishes ("when the report arrives, forward it") is reported only where
    the text is not a statement of the person.
    """
    unasked = () if is_stated else _UNASKED.findings(reading)
    return [*_RULES.findings(reading), *unasked, *find_two_of_a_kind(reading)]
