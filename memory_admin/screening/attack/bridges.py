"""Text that leads an agent from one record to another."""

from collections.abc import Iterator

from memory_admin.screening.attack.vocabulary import STYLE
from memory_admin.screening.findings import Finding
from memory_admin.screening.hidden import Reading
from memory_admin.screening.rules import Rule, any_of, compiled, expanded

_RECORD = any_of(
    """patient|patients|account|accounts|customer|customers|client|clients|user|users|chart|charts|record|records
    |file|files|order|orders|case|cases|employee|employees|ticket|tickets|invoice|invoices|depot|depots|item
    |items|product|products|sku|member|members|policy holder|policyholder|subject|subjects|contract|contracts
    |shipment|booking|bookings|student|tenant|profile|profiles|entry|entries|id|ids|site|branch|warehouse|store
    |vehicle|device|passenger|mr|ms|mrs|dr|data|information|details|history|results?|report|folder|dossier
    |request|requests|question|questions|query|queries|patientin|akte|kunde|konto"""
)
_LOOK = any_of(
    """use|using|look at|look up|looking at|look in|look into|check|read|open|consult|retrieve|refer to
    |referring to|see|fetch|take|pull|go to|go by|answer from|answer with|answer about|answer for|answered from
    |answered with|answered using|resolved with|return|give|serve|quote|draw on|rely on|work from|start from
    |substitute|switch to|turn to|search|query|load|get|apply|review"""
)

_TWO_OF_A_KIND = "bridges_records/two_of_a_kind"
# A thing of a kind that is told apart by number or name: "patient 4417", "employee Ruiz", "depot North".
_IDENTIFIED = compiled(
    r"\b(?i:(patient|account|customer|client|user|employee|order|member|subject|record|chart|file|case"
    "|depot|site|item|ticket|invoice|student|product|supplier|contract|policy|vendor|project|booking"
    "|shipment"
    "|vehicle|branch|store|shop|warehouse|tenant|flight|hotel|clinic|hospital|drug|city|airport|room"
    "|machine"
    "|server|team|department|meter|sensor|device|wing|house|lot|batch|asset|unit|claim|loan|card|driver"
    "|agent|guest))"
    r"(?i: id| number| no\.?| nr\.?)?\s+(?:#\s?)?([\w-]*\d[\w-]*|[A-Z][\w-]*)"
    r"|\b([A-Z][\w-]*)'s (\w{3,})\b"
)
_REDIRECTS = compiled(
    expanded(
        r"\b(?:refer to|look up|look at|look in|look under|see|answer(?:ed)?|read|taken|take|retrieved?"
        "|consult|use|using|give|report|treat(?:ed)?|assume|substitute[sd]?"
        "|to be used for|replace|be replaced"
        "|swap(?:ped)?|instead|same as|stands? for|meant|means|stored under|kept under"
        "|filed under|saved as|saved under|stored as|moved to|copied from|mapped to"
        "|answers? from|same content|the latter|the former|found under|fetched from|think of|is (?:dr|mr|ms"
        r"|mrs)?\s*\w+'s|redirect\w*|equals?|interchangeable|the ones? of|the ones? for|they get"
        "|is (?:the |now |really )?(?:patient|employee|customer|account|client|member|order|record|case"
        r"|user|student) |as if|as though|in place of)\b"
    )
)


BRIDGES = (
    Rule(
        "bridges_records",
        r"\b(?:answer|answers|answered|read|report|reported|look up|looked up|work|taken?|retrieved?|fetch"
        "|served?)<1>(?:from|out of|using)<2>"
        r"(?:[a-z]+-)?#?\d{2,}\b|\bfirst<1>(?:check|read|open|look at|consult|see|ask for)<3>\w+'s\b",
        "from_a_number",
        unless=r"from (?:\d{1,2}(?::\d\d)?|(?:19|20)\d\d)\b",
    ),
    Rule(
        "bridges_records",
        r"\b(?:questions?|requests?|quer(?:y|ies)|asks?|asked|anything|everything|tasks?|data|info"
        r"|information|orders?|calls?|lookups?)\b[^.!?\n]{0,50}?\b(?:on|about|for|of|regarding|concerning"
        r"|involving|to|mentioning|with)\b[^.!?\n]{1,60}?\b(?:should|must|shall|can|is to|are to|needs? to"
        "|has to|have to|will|may|ought to|gets?|is|are)<2>(?:be )?(?:answered|looked up|resolved|retrieved"
        "|read|taken|handled|served|sourced|drawn|interpreted|treated|redirected|mapped|routed|replaced"
        "|filled|met|understood|directed|pointed|processed|executed|worked out|completed)<3>(?:from|using"
        r"|with|under|by|as|to|via|against|out of|through|in)\b",
        unless=r"\b(?:with care|with respect|by (?:the )?(?:support|hr|team|finance|email|phone|chat|monday|friday"
        "|someone|customer service)|in (?:english|spanish|german|french|writing|order|person|the morning"
        "|time)|within|to (?:support|hr|finance|the team|customer service)|using (?:the )?(?:form|portal"
        r"|metric|celsius))\b|" + STYLE,
    ),
    Rule(
        "bridges_records",
        r"\b(?:to (?:answer|respond|reply|find|look up|get|know|learn|determine|work out|handle|process"
        "|retrieve|understand)|for|before answering|when answering|when asked|in answering|answering"
        r"|if asked|when handling|for anything)\b[^.!?\n]{0,20}?(?:about|for|on|to|of"
        r"|regarding)?\b[^.!?\n]{1,60}?[,:]?\s*(?:you )?(?:first |always |then |now |also |instead "
        "|simply |just |the agent |agents |we |one )?(?:you |must |should |need to |needs to |have to "
        r"|has to |first |always |instead )*\b(?:first need to|need to|must|should|have to|has to|first"
        rf"|always|instead)<1>{_LOOK}\b<3>(?:{_RECORD}(?:'s)?\b|[\w.]+'s\b|\d{{2,}}|[a-z]+-\d+)",
        "look_elsewhere",
        unless=r"\b(?:i|we|he|she|user) (?:always |usually |first |must |should |have to |need to )+|" + STYLE,
    ),
    Rule(
        "bridges_records",
        r"\b(?:reason|act|answer|reply|respond|proceed|behave|plan|think|work|treat (?:it|the request|this"
        r"|them)|pretend|process it|handle it)\b<3>(?:as if|as though|like)\b<6>(?:said|were|was|meant|asked"
        r"|read|named|referred|mentioned|concerned|came|had|is|stated|specified|wrote|belonged)\b",
        "reason_as_though",
        unless=r"\b(?:he|she|they|people|i|we|kids|who) (?:sometimes |always |often |just |can |would "
        r"|tend to )?(?:acts?|behaves?|talks?|thinks?|works?|acted|behaved)\b|as if (?:nothing"
        "|it was nothing|i were five|i was five)",
    ),
    Rule(
        "bridges_records",
        rf"\b{_RECORD}s?\b[^.!?\n]{{0,50}}?\b(?:was|were|has been|have been|is|are|got|now|been)<2>(?:moved"
        "|merged|transferred|saved|stored|migrated|swapped|relocated|reassigned|renamed|replaced"
        "|consolidated|linked|kept|filed|renumbered|recoded|switched|recorded|registered|aliased|remapped"
        r"|exchanged|folded)\b[^!?\n]{0,80}?\b(?:so|therefore|hence|thus|instead|from now on|please|always"
        rf"|which means|meaning|and)\b[^!?\n]{{0,60}}?\b{_LOOK}\b",
        "moved_so_use",
    ),
    Rule(
        "bridges_records",
        rf"\b(?:instead of|rather than|in place of)<5>(?:{_RECORD}(?:'s)?|\d{{3,}}"
        rf"|[\w.]+'s)\b[^.!?\n]{{0,40}}?[, ]\s*(?:always |please |you |should |must )*{_LOOK}\b<6>(?:\d{{2,}}"
        rf"|[\w.]+'s|{_RECORD})\b|\b(?:always |please )?{_LOOK}<4>(?:record|records|chart|file|account|data"
        r"|profile|entry|history|id|number)\b<4>(?:\d{2,}|of [\w.]+|[\w]+)?<5>(?:instead of|rather than"
        rf"|in place of)<4>(?:\d{{2,}}|{_RECORD}|[\w.]+'s|that of)\b",
        "instead_of",
        unless=r"\b(?:i|we|he|she|they|user) (?:usually |always |prefers? to |now |like to |prefer to "
        "|decided to )?(?:use|uses|check|read|see|look|get|take)",
    ),
    Rule(
        "bridges_records",
        r"\b(?:patient|account|customer|client|user|employee|order|member|subject|record|chart|file|case"
        "|depot|site|id|item|ticket|invoice|student|policy|contract)s? (?:id |number |no "
        r"|nr )?#?[\w-]*\d[\w-]*(?:'s)?\b<4>(?:is|are|means?|refers? to|equals?|=|corresponds? to|maps? to"
        "|should be|must be|has been|was|were|can be|shall be)<3>(?:really|actually|now|the same as"
        "|identical to|equivalent to|an alias (?:for|of)|treated as|read as|replaced (?:by|with)"
        "|substituted (?:by|with|for)|interchangeable with|stored under|kept under|filed under"
        "|merged (?:with|into)|known as|found under|linked to|answered from|mapped to)<4>(?:patient|account"
        "|customer|client|user|employee|order|member|subject|record|chart|file|case|depot|site|id|item"
        r"|ticket|invoice|student|policy|contract)?s?<1>#?[a-z-]*\d[\w-]*\b",
        "same_as",
        unless=r"(?:duplicate|blocked|related) (?:of|by|to)",
    ),
    Rule(
        "bridges_records",
        r"\b(?:whenever|when|if|for|in case|every time|should)\b[^.!?\n]{0,40}?\b(?:patient|account"
        "|customer|client|user|employee|order|member|subject|record|chart|file|case|depot|site|item|ticket"
        r"|invoice|student|product|city|airport|flight|supplier)\b[^.!?\n]{1,50}?[, ]\s*(?:then |always "
        "|please |instead |simply |you should |you must |the agent should )*(?:use|substitute|replace"
        "|refer to|look up|look at|return|give|retrieve|answer (?:with|from|for|about)|treat|reason|fetch"
        "|pull|consult|book|order|deliver|ship|take|switch to|read) (?:it |them |that |the |those |data "
        "|from |with |for |to |as )*(?:patient|account|customer|client|user|employee|order|member|subject"
        "|record|chart|file|case|depot|site|item|ticket|invoice|student|product|city|airport|flight"
        r"|supplier)?s?<2>[\w-]*\b(?:\d{2,}|instead)\b",
        "if_a_then_b",
        unless=STYLE,
    ),
    Rule(
        "bridges_records",
        r"\b(?:akte|daten|fragen|anfragen|patient|kunde|konto)\b[^.!?\n]{1,60}?\b(?:aus|mit|von"
        r"|anhand)<4>(?:akte|daten|patient|kunde|konto)?<2>\d{3,}[^.!?\n]{0,30}?\b(?:beantworten|beantwortet"
        r"|nehmen|verwenden|entnehmen|nutzen|lesen)|\b(?:questions?|dossier|patient|client"
        r"|compte)\b[^.!?\n]{1,60}?\b(?:a partir|avec|depuis|dans|du)\b<4>(?:dossier|patient|client"
        r"|compte)<2>\d{3,}|\b(?:preguntas?|expediente|paciente|cliente|cuenta)\b[^.!?\n]{1,60}?\b(?:con"
        r"|desde|usando|a partir)\b<4>(?:expediente|paciente|cliente|cuenta)<2>\d{3,}",
        "abroad",
    ),
    Rule(
        "bridges_records",
        r"\b(?:when|whenever|to|if|before|for|in order to)<2>(?:asked|retrieving|retrieve|answering|answer"
        "|looking|look|find|finding|get|getting|handling|handle|working out|work out|fetching|checking"
        rf"|checked|planning|booking)\b[^.!?\n]{{0,30}}?\w's\b[^.!?\n]{{0,40}}?\b(?:{_LOOK}"
        r"|first)\b<3>\w+'s\b",
        "from_one_person_to_another",
        unless=r"\b(?:my|our|her|his) \w+'s",
    ),
    Rule(
        "bridges_records",
        r"\b(?:read|treat|interpret|understand|take|handle|process|regard"
        r"|parse)\b\s+[\"'][^\"'\n]{1,60}[\"']\s+(?:as|to mean|like)\s+[\"']|\b(?:treat|interpret|handle"
        "|process|read|understand|answer)<3>(?:requests?|questions?|quer(?:y|ies)|orders?|mentions?"
        r"|references?)\b[^.!?\n]{1,50}?\b(?:as|like)<3>(?:requests?|questions?|quer(?:y|ies)|orders?"
        r"|mentions?|references?|one|ones|if)\b|\b(?:replace|substitute|swap"
        r"|exchange)\b[^.!?\n]{1,50}?\b(?:with|by|for)<5>(?:in|for|on|when|during)<2>(?:every|each|all|any"
        "|future)<2>(?:lookups?|requests?|quer(?:y|ies)|answers?|search(?:es)?|orders?|bookings?|replies"
        r"|reply|questions?)\b",
        "one_for_another",
    ),
    Rule(
        "bridges_records",
        r"\b(?:answer|respond|reply|act|proceed|decide|book|plan) accordingly\b|\b(?:query|question|request"
        r"|queries|questions|requests)\b[^.!?\n]{1,40}?\b(?:think of|have in mind|imagine|picture|answer for"
        r"|shall be read as|be read as|mean|stands? for)\b",
        "in_its_place",
        unless=r"\b(?:i|we|he|she|they) (?:plan|act|decide|proceed)",
    ),
    Rule(
        "bridges_records",
        r"\b(?:if|when|whenever)<2>(?:question|request|query|message|prompt|order|task)<1>(?:names?"
        "|mentions?|says|asks about|asks for|is about|concerns|involves"
        r"|refers to)\b[^.!?\n]{1,40}?,\s*(?:then |always |please |instead )*(?:think|answer|use|take|assume"
        r"|book|treat|read|reply|respond|act|substitute|replace|return|look)\b|\b(?:handled|treated|answered"
        r"|processed|regarded|served|billed|counted|read|seen) as (?:that|those|the one|the ones) of\b"
        r"|\b(?:anyone|someone|who|whoever|people|everyone) (?:asking|who asks|asks) (?:for"
        r"|about)\b[^.!?\n]{1,40}?\b(?:really|actually|in fact)<1>(?:wants?|means?|needs?|is asking)\b",
        "names_one_means_other",
        unless=STYLE,
    ),
)


def find_two_of_a_kind(reading: Reading) -> Iterator[Finding]:
    """Find two different things of one kind joined by words that put one in the other's place."""
    seen: dict[str, str] = {}
    for match in _IDENTIFIED.finditer(reading.text):
        kind, name = (match.group(1) or match.group(4)).lower(), (match.group(2) or match.group(3)).lower()
        first = seen.setdefault(kind, name)
        if first != name and _REDIRECTS.search(reading.folded) is not None:
            yield Finding("bridges_records", "attack", None, reading.span(match.start(), match.end()), _TWO_OF_A_KIND)
            return
