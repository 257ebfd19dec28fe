"""Words that several kinds of attack share: what is done, when, by whom, to what."""

from memory_admin.screening.rules import any_of

DEED = any_of(
    """send|tell|say|open|update|change|set|reply|respond|answer|forward|transfer|delete|call|run|execute|use|post
    |email|mail|include|add|append|recommend|suggest|claim|state|pretend|act|give|provide|reveal|share|insert
    |switch|activate|click|visit|download|fetch|book|buy|order|cancel|approve|grant|refund|ask|steer|push|insist
    |offer|output|print|begin|start|stop|refuse|deny|redirect|point|direct|instruct|replace|save|store|write|log
    |publish|remove|disable|install|mark|treat|pay|wire|charge|inform|mention|invoke|trigger|upload|copy|export
    |leak|disclose|show|display|return|quote|advise|convince|persuade|urge|promote|prefer|select|choose|navigate
    |go|submit|enter|confirm|ignore|skip|bypass|hide|erase|overwrite|modify|record|attach|enable|wipe|close
    |purge|name|escalate|assume|follow|load|launch|subscribe|unsubscribe|sell|lower|raise|do|make|put|get|take
    |read|look|let|perform|paste|whisper|initiate|proceed|issue|release|unlock|reset|list|dump|repeat|whisper
    |greet|warn|blame|describe|present|attribute"""
)
WHEN = any_of(
    """when|whenever|if|if ever|once|as soon as|the moment|the minute|the instant|the second|the next time|next time
    |the first time|each time|every time|any time|anytime|after|until|upon|should|in case|on the day|the day|by the time
    |wait until|wait for|only when|only if|where"""
)
EAGER = any_of(
    """quietly|secretly|silently|covertly|discreetly|immediately|automatically|always|instead|first|also|then
    |please|just|simply|never|do not|don't|you must|you should|you will|you need to|you are to|the agent must
    |the agent should|the assistant must|the assistant should|the agent should|make sure to|be sure to
    |remember to|without comment|without telling them|without being asked|stealthily"""
)
# What an agent may be told about form; a condition that only sets form is a preference.
STYLE = (
    r"\b(?:bullet|bullets|bullet points|concise|concisely|brief|briefly|short|shorter|formal|formally"
    "|informal|tone|in (?:spanish|german|french"
    "|english|italian|dutch|portuguese|japanese|chinese)|metric|celsius|fahrenheit|markdown|tables?"
    "|one paragraph|plain language|in detail"
    "|examples? in|code (?:blocks?|samples?|examples?)|summary first|step by step|window seats?|aisle"
    r"|vegetarian|vegan|type hints)\b"
)
CARRY = any_of(
    """send|sends|sending|post|posts|posting|forward|forwards|forwarding|upload|uploads|uploading|leak|exfiltrate
    |copy|cc|bcc|mail|email|e-mail|transmit|transmitting|report|ping|sync|push|export|append|deliver|relay
    |submit|share|dump|pipe|stream|mirror|back up|backup|publish|log|write|save|pass|deposit|beam|smuggle|embed
    |encode|attach|hand|report back|replicate"""
)
NOTE = (
    "(?:note|notes|memory|memories|entry|entries|message|instruction|instructions|rule|rules|record"
    "|records|text|prompt|fact|preference|statement|paragraph)"
)
