"""Statements about the task at hand, or that a source system answers better, which belong there and not in memory."""

from memory_admin.screening.findings import Finding
from memory_admin.screening.hidden import Reading
from memory_admin.screening.rules import Rule, RuleBook, any_of

_THING = any_of(
    """script|task|ticket|session|conversation|chat|thread|file|run|job|pr|pull request|branch|e-?mail|report|draft
    |document|function|module|query|notebook|page|image|slide|deck|spreadsheet|letter|meeting|call|sprint|commit
    |refactor|bug|feature|assignment|exercise|essay|translation|summary|answer|reply|request|step|project plan
    |message|table|chart|dataset|repo"""
)
_RECORD = any_of(
    """ticket|issue|bug|pr|pull request|merge request|build|pipeline|job|deployment|deploy|release|order|shipment|parcel
    |invoice|incident|case|task|story|epic|commit|branch|test run|backup|server|payment|refund|booking|reservation|claim
    |vorgang|bestellung|rechnung|commande|facture|pedido|factura"""
)
_STATE = any_of(
    """open|opened|closed|closes|resolved|reopened|merged|passed|failed|failing|pending|in progress|in review|done
    |completed|finished|shipped|delivered|delayed|cancelled|canceled|deployed|released|blocked|assigned|paid
    |unpaid|overdue|refunded|approved|rejected|running|down|up|green|red|broken|fixed|arrived|dispatched
    |geschlossen|offen|erledigt|versandt|bezahlt|fermee?|ouverte?|payee?|cerrad[oa]|abiert[oa]|pagad[oa]"""
)

RULES = RuleBook(
    "task",
    [
        Rule(
            "present_task",
            rf"\b(?:for|in|on|with|to|of|from|at) (?:this|the current|the present|today'?s)(?: \w+)? {_THING}\b",
        ),
        Rule(
            "present_task",
            r"\b(?:fix|write|rewrite|finish|continue|convert|translate|summari[sz]e|format|rename|refactor"
            "|review|update|check|edit|shorten) (?:this|these|the current|the attached"
            rf"|the following)(?: \w+)? {_THING}s?\b",
            "order",
        ),
        Rule(
            "present_task",
            r"\b(?:right now|for now|at the moment|this time|just this once|just for today|for today only"
            "|in this case|until (?:we are|we're|you are|you're|this is) (?:done|finished)"
            "|for the rest of (?:this|the|our) (?:session|conversation|chat|task)|fur dieses (?:skript|projekt"
            "|mal)|diesmal|pour ce (?:script|fichier|projet)|cette fois|para este (?:script|archivo)"
            r"|esta vez)\b",
            "now",
        ),
        # Nothing but the state: what says more, such as why a build failed, is worth remembering.
        Rule(
            "system_record",
            rf"\b{_RECORD}s?(?: number| no| nr| id)? ?#?[a-z]{{0,10}}[-_]?\d[\w-]*<6>{_STATE}"
            r"(?: (?:on|in|at|to|today|yesterday)\b[^.:;,]{0,30})?[.!]?$",
        ),
        Rule(
            "system_record",
            rf"\b(?:status|state) of<3>{_RECORD}\b|#\d+ (?:is|was|has been) (?:now )?{_STATE}[.!]?$",
            "status",
        ),
    ],
)


def find_task_talk(reading: Reading) -> list[Finding]:
    """Find statements about the present task or readable from a source system, as hints where they belong."""
    return list(RULES.findings(reading))
