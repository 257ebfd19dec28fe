"""Orders that a person may give of their own wishes, and that content may not."""

from memory_admin.screening.attack.vocabulary import CARRY, DEED, EAGER, STYLE, WHEN
from memory_admin.screening.rules import Rule

UNASKED = (
    Rule(
        "conditional_order",
        rf"(?:^|[.!?\n:;,] ?|\b(?:and|then|but) )(?:{EAGER} )*(?:{WHEN}|whatever|wherever|while|during"
        rf"|before)\b[^.!?\n]{{2,90}}?[,;:]\s*[\"']?(?:{EAGER} )*{DEED}\b",
        unless=rf"\b(?:i|we|i'm|i've|my|our) |\b{DEED} (?:me|us|you|it was|sure)\b|{STYLE}|\blet me\b"
        r"|\bmake sure you\b|\bgo for it\b|\btake (?:care|your time|it easy)\b",
    ),
    Rule(
        "conditional_order",
        r"(?:^|[.!?\n:;] ?)(?:in|at|during|after|before|for|on|with) (?:the )?(?:every|each|any|all|third"
        rf"|fourth|second|first|next|last|\d+(?:th|rd|nd|st)?)\b[^.!?\n]{{2,60}}?,\s*(?:{EAGER} )*{DEED}\b",
        "every_time",
        unless=rf"\b(?:i|we|my|our) |\b{DEED} (?:me|us)\b|{STYLE}",
    ),
    Rule(
        "exfiltration",
        rf"\b(?:{CARRY}|move|transfer|paste|quote|mirror|text|sms|redirect|stream|open"
        r"|load)\b[^.!?\n]{0,60}?\b(?:to|at|via|into|through|on|with"
        r"|contacting)\b[^.!?\n]{0,20}?(?:(?:https?|ftp|wss?)://\S+|[\w.+-]+@[\w-]+\.[a-z.]+"
        r"|(?:[a-z0-9-]+\.)+(?:com|net|org|io|example|test|dev|app|site|xyz|info|biz|co)/?\S*"
        r"|\+\d[\d ()-]{7,})",
        "sends_out",
        unless=r"\b(?:i|we|he|she|they|user|was|were|been|is|are|has|have|customer|client) (?:\w+ )?(?:send|sent"
        "|post|posted|share|shared|forward|forwarded|upload|uploaded|open|opened|publish|published|move"
        "|moved|deliver|delivered|writes?|wrote|logged|push|pushed|reported|report|exported|copied"
        r"|synced)\w*\b|\b(?:sent|posted|shared|forwarded|uploaded|published|moved|delivered|opened|pushed"
        r"|exported|copied|synced|redirected)\b",
    ),
    Rule(
        "addresses_agent",
        rf"(?:^|[.!?\n] ?)(?:{EAGER} )*{DEED}\b[^.!?\n]{{0,80}}?\b(?:shell|sudo|webhook|credentials"
        "|the agent|other agents|all agents|api key|one-time code|card number|this (?:memory|note|entry"
        "|instruction|record|sentence)|(?:saved|stored) (?:facts|notes|memories)|(?:system|safety"
        "|admin) (?:prompt|tool|console|settings)|(?:every|each|all) (?:repl(?:y|ies)|answers?|requests?"
        r"|responses?|conversations?|sessions?|quer(?:y|ies)|tasks?|commands?))\b",
        unless=STYLE,
    ),
    Rule(
        "addresses_agent",
        rf"(?:^|[.!?\n] ?)(?:{EAGER} )*(?:call|run|invoke|execute|use|trigger)\s+[`\"']?[a-z]+_[a-z_]+\b",
        "calls_by_name",
    ),
)
