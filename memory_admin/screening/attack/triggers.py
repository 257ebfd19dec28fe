"""Text that waits for a moment to make an agent do something."""

from memory_admin.screening.attack.vocabulary import DEED, EAGER, STYLE, WHEN
from memory_admin.screening.rules import Rule, any_of

_SOMEONE = any_of(
    """user|users|customer|customers|client|clients|caller|callers|person|people|someone|somebody|anyone|anybody
    |visitor|visitors|patient|patients|employee|employees|admin|operator|human|humans|member|guest|buyer|shopper
    |requester|student|reader|recipient|they|he|she|one|agent|assistant|conversation|chat|discussion|dialogue
    |topic|subject|talk|session|message|messages|request|question|query|prompt|input|text|word|words|phrase
    |keyword|email|ticket|thread|ceo|boss|manager"""
)
_DOES = any_of(
    """say|says|said|mention|mentions|mentioned|ask|asks|asked|write|writes|type|types|talk|talks|turn|turns|turned
    |bring|brings|come|comes|appear|appears|request|requests|thank|thanks|reply|replies|answer|answers|confirm
    |confirms|greet|greets|start|starts|move|moves|shift|shifts|send|sends|want|wants|try|tries|log|logs|speak
    |speaks|discuss|discusses|contain|contains|include|includes|use|uses|enter|enters|sign|signs|call|calls
    |complain|complains|inquire|inquires|enquire|enquires|is about|are about|concerns|touches|relates|refers
    |referring|reach|reaches|touch|drift|drifts|end|ends|utters?|raises?|pronounces|approves?|agrees?|accepts?
    |pays?|orders?|purchases?|goodbye|hello|shares?|uploads?|opens?|posts?|is mentioned|is used|is asked|needs?
    |seeks?|decides?|considers?|shops|books?|visits?|provides?|gives?|about"""
)


TRIGGERS = (
    Rule(
        "delayed_trigger",
        rf"\b{WHEN}<2>{_SOMEONE}<3>{_DOES}\b[^.!?\n]{{0,100}}?[,:;\-]\s*[\"']?(?:{EAGER} )*{DEED}\b",
        unless=STYLE,
    ),
    Rule(
        "delayed_trigger",
        rf"\b{WHEN}<2>{_SOMEONE}<3>{_DOES}\b[^.!?\n]{{0,100}}? {EAGER} (?:{EAGER} )*{DEED}\b",
        "eager",
        unless=STYLE,
    ),
    Rule(
        "delayed_trigger",
        rf"\b(?:{EAGER} )*{DEED}\b[^.!?\n]{{0,80}}? (?:whenever|the moment|as soon as|the next time"
        "|next time|every time|each time|once|if ever|the instant|only (?:when|if|after)|when|if) (?:a |an "
        "|the |any |some )?(?:user|customer|client|caller|someone|anyone|visitor|patient|human|conversation"
        rf"|they|operator)<2>{_DOES}\b",
        "deed_first",
        unless=rf"{STYLE}|\b(?:i|we|he|she|i'd|i'll|to|can|could|would|will|they|it|that|who|people|let|you can"
        "|you could|you'll|you might|and) (?:always |usually |also |often |like to |love to |just |really "
        rf"|only )?{DEED}\b[^.!?\n]{{0,80}}? (?:when|if|once|whenever|every time|each time|next time)"
        r"|\blet (?:me|us) know",
    ),
    Rule(
        "delayed_trigger",
        rf"\bif<2>asked\b[^.!?\n]{{0,80}}?[,:;\-]\s*(?:{EAGER} )*{DEED}\b"
        rf"|\b{DEED}\b[^.!?\n]{{0,60}}? (?:if|when|whenever) (?:ever )?asked (?:about|for|whether|to|who|why"
        rf"|what)\b|\bwhen asked\b[^.!?\n]{{0,80}}?, (?:{EAGER} )*{DEED}\b",
        "if_asked",
        unless=rf"{STYLE}|\b(?:i|he|she|we|they|to|my|his|her) {DEED}",
    ),
    Rule(
        "delayed_trigger",
        r"\b(?:when|whenever|if|once|as soon as|the moment) (?:i|you|we) (?:say|type|write|mention|hear|see"
        "|read|receive|use|encounter)s? (?:the (?:word|words|phrase|code|code word|codeword|keyword|trigger"
        r"|token|string) )?[\"'][^\"'\n]{1,60}[\"'][^.!?\n]{0,20}?, (?:\w+ ){0,2}(?:send|forward|delete"
        "|transfer|reveal|approve|grant|run|execute|post|unlock|disable|export|pay|wire|upload|ignore|skip"
        r"|bypass|share|erase|switch)\b",
        "quoted_word",
    ),
    Rule(
        "delayed_trigger",
        r"\b(?:trigger (?:word|phrase|token|string)|activation (?:word|phrase|code|key)|code ?word"
        "|secret (?:word|phrase)|magic (?:word|phrase)|passphrase|sleeper|backdoor"
        r"|wake phrase)\b[^.!?\n]{0,80}?\b(?:then|run|execute|send|do|activate|switch|respond|reply|answer"
        r"|means?|unlocks?|enables?|triggers?|tells?|appears|start|follow)\b|\b(?:lie dormant|stay dormant"
        "|dormant until|stay silent until|wait (?:silently|quietly)|do nothing until|act normally? until"
        r"|behave normally until|pretend to be (?:normal|helpful))\b",
        "named_trigger",
        unless="magic words?<3>(?:please|is please)|(?:kids|child|daughter|son|dog|smart speaker|alexa)",
    ),
    Rule(
        "delayed_trigger",
        r"\b(?:when|whenever|if|once|each time|every time|as soon as) (?:you|the agent|agents|the assistant"
        "|an? (?:agent|assistant)|this (?:memory|note|entry)|this) (?:next |ever |is |are )?(?:recall"
        "|recalls|retrieve|retrieves|retrieved|recalled|read|reads|see|sees|load|loads|loaded|process"
        r"|processes|access|accesses|find|finds|encounter|remember|remembers|use|uses)\b<3>(?:this|a|the|any"
        rf"|it|memory|memories|note|entry|record)\b[^.!?\n]{{0,60}}?[,:;]\s*(?:{EAGER} )*{DEED}\b",
        "on_recall",
    ),
    Rule(
        "delayed_trigger",
        r"\b(?:after|in|within|on) (?:the )?(?:next|third|fourth|fifth|second|three|four|five|ten|two"
        r"|\d+(?:th|rd|nd)?|a few|several) (?:messages?|turns|replies|conversations?|sessions?|days"
        rf"|questions|interactions|exchanges|prompts)\b[^.!?\n]{{0,40}}?,\s*(?:{EAGER} )*{DEED}\b",
        "after_a_while",
        unless=r"\b(?:i|we|he|she|they|user) (?:will |would |can |want to |need to )?" + DEED,
    ),
    Rule(
        "delayed_trigger",
        rf"\b{WHEN}<6>(?:is|are|gets?|was|were|being|has been)<1>(?:discussed|mentioned|raised|brought up"
        "|talked about|touched upon|named|spoken of|spoken|said|typed|asked about|asked for|requested"
        "|detected|seen|heard|uttered|written|entered|confirmed|invoked"
        rf"|referenced)\b[^.!?\n]{{0,60}}?[,:;]\s*(?:{EAGER} )*{DEED}\b|\bupon (?:hearing|seeing|reading"
        "|receiving|detecting|noticing|mention of|request for|any mention"
        rf"|being asked)\b[^.!?\n]{{1,60}}?[,:;]\s*(?:{EAGER} )*{DEED}\b",
        "in_passive",
        unless=STYLE,
    ),
    Rule(
        "delayed_trigger",
        r"\b(?:when|whenever|if|once|as soon as|each time|every time)\b<6>(?:e-?mails?|mails?|messages?"
        "|letters?|notifications?|alerts?|invoices?|complaints?|warnings?|requests?|reminders?"
        r"|statements?)\b[^.!?\n]{0,40}?\b(?:arrives?|comes? in|is received|are received|received|lands?"
        rf"|appears?|shows? up|comes?)\b[^.!?\n]{{0,20}}?[,:;]\s*(?:{EAGER} )*(?:delete|forward|hide"
        "|suppress|ignore|approve|pay|archive|reply|respond|transfer|discard|mark|remove|wire|send it"
        r"|send them|redirect|block|withhold)\b|\b(?:on the (?:first|last|\d{1,2}(?:st|nd|rd"
        "|th)) (?:day )?of<3>(?:month|year|week|quarter)|at midnight|every night|each night|every (?:hour"
        rf"|month|week))\b[^.!?\n]{{0,20}}?[,:;]\s*(?:{EAGER} )*(?:forward|delete|transfer|export|upload"
        r"|post|wire|dump|copy|leak|disable|erase|overwrite)\b",
        "on_arrival",
        unless=r"\b(?:forward|send|transfer|copy|post) (?:it |them )?(?:to )?(?:me|us|my)\b",
    ),
    Rule(
        "delayed_trigger",
        r"\b(?:wenn|sobald|falls|immer wenn|jedes mal wenn)<2>(?:nutzer|nutzerin|benutzer|kunde|kundin"
        "|jemand|anrufer|gesprach|patient|anwender)<6>(?:sagt|erwahnt|fragt|schreibt|kommt|tippt|will"
        r"|bittet|nennt|anspricht|bestellt|dankt)\b[^.!?\n]{0,60}?,\s*(?:dann )?(?:sende|schicke|sag"
        "|antworte|offne|losche|leite|uberweise|andere|fuhre|rufe|empfiehl|behaupte|verrate|gib|nenne"
        r"|antwortest|sollst|musst|heimlich|teile)|\b(?:quand|lorsque|des que|si"
        "|chaque fois que)<2>(?:utilisateur|l'utilisateur|client|cliente|quelqu'un|conversation|patient"
        "|on)<6>(?:dit|mentionne|demande|ecrit|parle|tape|veut|aborde|remercie"
        r"|pose)\b[^.!?\n]{0,60}?,\s*(?:alors )?(?:envoie|envoyez|reponds|repondez|dis|dites|ouvre|ouvrez"
        "|supprime|transfere|transferez|modifie|execute|recommande|donne|affirme|revele|fais|ajoute)"
        r"|\b(?:cuando|si|en cuanto|cada vez que|una vez que)<2>(?:usuario|usuaria|cliente|alguien"
        "|conversacion|paciente)<6>(?:diga|dice|mencione|menciona|pregunte|pregunta|escriba|escribe|hable"
        r"|pida|pide|quiera|trate|agradezca)\b[^.!?\n]{0,60}?,\s*(?:entonces )?(?:envia|envie|responde"
        "|responda|di|diga|abre|abra|borra|elimina|transfiere|cambia|ejecuta|recomienda|afirma|revela"
        "|reenvia|anade)",
        "abroad",
    ),
)
