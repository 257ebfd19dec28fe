"""Text that carries data out, or hides what it does from people."""

from memory_admin.screening.attack.vocabulary import CARRY, DEED, NOTE
from memory_admin.screening.rules import Rule, any_of

_HOARD = any_of(
    """memory|memories|stored memories|saved memories|stored notes|notes about|all notes|history|chat history
    |conversation|conversations|conversation history|chat|chats|chat log|chat logs|transcript|transcripts
    |password|passwords|credentials|credential|api keys?|secrets?|access tokens?|tokens|session|personal data
    |personal details|personal information|user data|customer data|user's data|user's details|customer details
    |private data|private notes|contact list|contacts|address book|profile data|user profile|profiles
    |what the user|what they said|what was said|everything the user|everything said|everything you know
    |everything you remember|everything you|all you know|what you know|all data|all records|all files
    |the database|database dump|customer records|medical records|user's (?:name|address|e-?mail|phone|location
    |calendar|files|messages|last|order|id|account|password|answers?|words|question|query)|the (?:user|customer
    |caller)'?s? (?:name|address|e-?mail|phone|last message|question|words|answer|reply|input|files|documents
    |calendar)|their (?:name|address|e-?mail|phone number|last message|password|messages|files|documents
    |answers?|payment details)|last message|last messages|system prompt|your instructions|bank details
    |card details|payment details|card numbers?|session id|context window|your context|the context|inbox|mailbox
    |e-?mails|calendar|source code|environment variables|env vars|config files?|every (?:reply|message|answer
    |conversation|response|prompt|question)|all (?:replies|messages|answers|conversations|responses|questions
    |e-?mails|documents)|each (?:reply|message|answer|conversation|response|prompt|question)|a copy|copies
    |a summary of (?:the|each|every|this)"""
)
_OUTSIDE = (
    r"(?:https?://\S+|www\.\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:[a-z0-9-]+\.)+(?:com|net|org|io|example"
    r"|test|dev|app|site|xyz|ru|cn|info|biz|co|me|link|click|online|top|invalid|local|de|uk|to)\b\S*"
    r"|\d{1,3}(?:\.\d{1,3}){3}\S*|webhook\S*|pastebin\S*|(?:this|the|our|an|my) (?:external |remote "
    "|public |following |backup |collector |tracking )*(?:url|link|endpoint|webhook|server|address"
    "|channel|bucket|host|domain|drive folder|form|account|site)|(?:a |any |the )?public (?:gist"
    r"|repo\w*|folder|page|channel|link|bucket|document|paste|board|forum|share))"
)


LEAKS = (
    # Carrying data out.
    Rule(
        "exfiltration",
        rf"\b(?:{CARRY}|move|moves|transfer|transfers|paste|pastes|download|give|hand over|release"
        rf"|disclose)\b<6>{_HOARD}\b[^!?\n]{{0,80}}?\b(?:to|at|via|into|in|through|using|on|with"
        rf"|towards?)\b[^!?\n]{{0,16}}?{_OUTSIDE}",
        unless=r"\b(?:i|we|he|she|they|user|who) (?:usually |always |often |like to |already |just |will |can "
        "|prefers? to |wants? to )?(?:sends?|posts?|shares?|writes?|saves?|logs?|keeps?|sent|posted|shared"
        "|emails?|mails?|forwards?) ",
    ),
    Rule(
        "exfiltration",
        r"\b(?:quietly|secretly|silently|covertly|discreetly|also|always|automatically|then"
        rf"|additionally) {CARRY}\b[^!?\n]{{0,80}}?\b(?:to|at|via|into|through"
        r"|on)\b[^!?\n]{0,16}?(?:https?://|www\.|webhook|[\w.+-]+@[\w-]+\.|(?:[a-z0-9-]+\.)+(?:com|net|org"
        r"|io|example|test|dev|app|site|xyz|ru|cn|info|biz|co|me|link|click|online|top)\b"
        r"|\d{1,3}(?:\.\d{1,3}){3})",
        "covert",
        unless=r"\b(?:i|he|she|they|we|user) (?:also|always|automatically|then) ",
    ),
    Rule(
        "exfiltration",
        r"!\[[^\]\n]{0,80}\]\(\s*[a-z]{2,8}:/?/?[^)\s]{0,200}(?:[?&{=$]|%7b|<)",
        "image_with_parameter",
    ),
    Rule(
        "exfiltration",
        r"<img[^>\n]{0,120}src\s*=\s*[\"']?[a-z]{2,8}://[^>\s]{0,200}[?&][^>\s]{0,200}(?:\{|\$|%7b"
        r"|=[\"'\s>])|\]\([^)\s]{0,200}[?&/=][^)\s]{0,80}(?:\{[^}\n]{0,60}\}|\$\{?|%7b|<[a-z_ ]{2,40}>"
        r"|\[[a-z_ ]{2,40}\])|https?://[^\s)]{0,200}[?&/=][^\s)]{0,80}(?:\{\{?[a-z_. -]{1,40}\}|\$\{"
        r"|%7b[a-z_]+|<[a-z_-]{2,40}>|\[[a-z_-]{3,40}\])|[?&][a-z_]{1,20}=\s?(?:user\w*|name|e-?mail|message"
        r"|memory|data|notes?|conversation|summary|text|password|token|history|secret|what\w*)\b",
        "link_with_placeholder",
    ),
    Rule(
        "exfiltration",
        r"\b(?:end|ends|ending|start|begin|finish|close|prefix|append|include|embed|insert|add|put|attach"
        r"|render|display|show|load|place)\b[^.!?\n]{0,60}?\b(?:repl(?:y|ies)|answers?|responses?|messages?"
        r"|outputs?|emails?|summar(?:y|ies)|page)\b[^!?\n]{0,60}?(?:!\[|\]\(|https?://|tracking (?:pixel"
        r"|link|image)|<img|\bpicture\b|\bpixel\b|\bhidden image\b|\bthis (?:image|link|url|footer)\b)",
        "in_every_reply",
        unless=r"\b(?:i|he|she|user|we) (?:always |usually |like to )?(?:end|start|include|add|attach)s? ",
    ),
    Rule(
        "exfiltration",
        r"\b(?:include|append|add|put|embed|encode|place|insert|hide|pass|write|concatenate|interpolate"
        rf"|substitute|base64)\b<5>{_HOARD}\b[^!?\n]{{0,60}}?\b(?:url|link|query string|query parameter"
        "|parameter|path|subdomain|hostname|image|pixel|dns|header|filename|user agent|user-agent"
        r"|get request|referrer|fragment)\b",
        "in_a_link",
    ),
    Rule(
        "exfiltration",
        r"\b(?:ngrok(?:-free)?|webhook\.site|requestbin|pipedream|burpcollaborator|oastify|oast\.\w+"
        r"|interact\.sh|transfer\.sh|hookbin|beeceptor|requestcatcher|pastebin\.com/api|canarytokens|dnslog"
        r"|requestrepo)\b",
        "collector",
        unless=r"\b(?:i|we|team|developers?|user) (?:use|uses|prefer|prefers|like|likes|test|tests|debug|debugs)\b",
    ),
    Rule(
        "exfiltration",
        r"\b(?:bcc|cc|blind copy|blind carbon copy|carbon copy|auto[- ]?forward"
        r"|redirect)\b[^.!?\n]{0,60}?\b(?:every|all|each|any|outgoing|incoming|future|replies|messages"
        r"|mails?|emails?|invoices|correspondence|answers)\b[^!?\n]{0,60}?(?:[\w.+-]+@[\w-]+\.|https?://"
        r"|\bto this address\b)|\b(?:bcc|cc|copy) [\w.+-]+@[\w-]+(?:\.[\w-]+)+<4>(?:every|all|each|any"
        r"|future)\b",
        "blind_copy",
    ),
    Rule(
        "exfiltration",
        r"\b(?:make|perform|issue|send|trigger|do|fire|call|curl|fetch|request|visit|open|load)\b<3>(?:get"
        "|post|http|https|dns|web|api)? ?(?:request|requests|call|calls|lookup|query"
        r"|webhook)\b[^!?\n]{0,60}?(?:https?://|to [\w.-]+\.[a-z]{2,})[^!?\n]{0,80}?\b(?:with|containing"
        "|carrying|including|appending|followed by|plus|and)<3>(?:memory|memories|user|users|conversation"
        "|data|name|email|password|token|notes|answer|history|what|last|secret)",
        "request_carrying",
    ),
    Rule(
        "exfiltration",
        r"\b(?:sende?|schicke?|leite|ubermittle|lade|poste|kopiere)<6>(?:gesprach\w*|verlauf|erinnerung\w*"
        r"|notizen|passwort\w*|zugangsdaten|kundendaten|nutzerdaten|daten|nachrichten|chatverlauf"
        rf"|kopie)\b[^!?\n]{{0,60}}?\b(?:an|nach|auf|uber)\b[^!?\n]{{0,16}}?{_OUTSIDE}|\b(?:envoie|envoyez"
        "|transfere|transferez|publie|poste|copie)<6>(?:conversation|historique|souvenirs?|memoires?|notes"
        r"|mots? de passe|identifiants|donnees|messages|copie)\b[^!?\n]{0,60}?\b(?:a|vers"
        rf"|sur)\b[^!?\n]{{0,16}}?{_OUTSIDE}|\b(?:envia|envie|reenvia|manda|publica|sube"
        "|copia)<6>(?:conversacion|historial|recuerdos|memorias?|notas|contrasenas?|credenciales|datos"
        rf"|mensajes|copia)\b[^!?\n]{{0,60}}?\b(?:a|al|en|hacia)\b[^!?\n]{{0,16}}?{_OUTSIDE}",
        "abroad",
    ),
    Rule(
        "exfiltration",
        r"\b(?:call|fetch|get|load|open|request|visit|hit|ping|query|contact"
        r"|curl)<3>https?://\S+[^!?\n]{0,60}?\b(?:with|containing|carrying|plus|including|passing"
        r"|followed by|appending|and pass|and append)\b<5>(?:messages?|memory|memories|user|users"
        "|conversation|data|names?|e-?mails?|passwords?|tokens?|notes|answers?|history|input|parameters?"
        r"|summary|contents?|transcript|question|query|secrets?)\b|\b(?:add|include|append|insert|use|show"
        "|put|attach|place|offer)<4>(?:link|image|picture|url|pixel|button|banner"
        r"|icon)\b[^!?\n]{0,40}?https?://\S*[?=][^!?\n]{0,80}",
        "address_with_data",
        unless=r"\bi (?:always |usually )?(?:open|visit|use|get)\b",
    ),
    Rule(
        "exfiltration",
        r"\b(?:images?|pictures?|links?|pixels?|urls?|addresse?s?|buttons?|requests?|filenames?"
        "|subdomains?)<3>(?:whose|with|where|that|which)?<4>(?:contain|contains|containing|carr(?:y|ies"
        "|ying)|include|includes|including|hold|holds|embed|embeds|embedding|encode|encodes|encoding"
        "|leaks?)<3>(?:conversation|memory|memories|user|user's|history|chat|data|e-?mails?|passwords?"
        r"|names?|notes|secrets?|answers?|messages?|words|question|token|tokens|transcript)\b",
        "address_made_of_data",
    ),
    Rule(
        "exfiltration",
        r"\b(?:paste|print|include|reveal|output|show|put|write|leak|expose|quote|post|read out"
        "|list)<4>(?:api keys?|passwords?|credentials?|tokens|secrets?|card details|card numbers?"
        r"|bank details|private keys?|environment variables|session cookies?|them|everything)\b<3>(?:in|into"
        "|to|with|on|inside|as part of)<3>(?:repl(?:y|ies)|answers?|responses?|chat|outputs?|messages?"
        r"|tickets?|public)\b",
        "into_the_reply",
        unless=r"\b(?:never|don't|do not|must not|should not|avoid)<2>(?:paste|print|include|reveal|output|show|put"
        "|write|leak|expose|quote|post)",
    ),
    # Hiding it from people.
    Rule(
        "conceals",
        r"\b(?:do not|don't|never|without|must not|should not|shouldn't|avoid|not|nor)<1>(?:tell|telling"
        "|inform|informing|mention|mentioning|reveal|revealing|notify|notifying|disclose|disclosing|show"
        "|showing|alert|alerting|warn|warning|say|saying|display|displaying|admit|admitting|let|letting|ask"
        r"|asking|bother)\b<5>(?:the|to the|a|any)? ?(?:user|users|customer|customers|human|humans|client"
        "|owner|operator|reviewer|reviewers|admin|administrator|account holder|end user|auditor|moderator"
        r"|person it is about|data subject|caller|patient)\b",
        unless=r"\b(?:i|we|he|she|they|i'd|support|marketing) (?:would |should |can |will |could "
        r"|always )?(?:do not|don't|never|not|n't|rather not)\b|\bprefers? not\b|asks? (?:me |us )?not to"
        r"|\bnot (?:show|display)<3>(?:user|admin) (?:menu|page|panel)|\bnever ask<5>(?:for|about)\b",
    ),
    Rule(
        "conceals",
        r"\b(?:hide|hides|conceal|omit|exclude|leave out|suppress|mask|withhold"
        rf"|keep)\b<4>{NOTE}\b<6>(?:from|hidden|secret|invisible|concealed|out of|unseen|to yourself"
        r"|between us)\b",
        "hides_note",
        unless=r"\b(?:i|he|she|we|they|user) (?:always |usually |also |try to |like to |want to )?(?:keep|keeps"
        "|hide|hides|leave|leaves|omit|exclude)s? |keep<4>notes?<4>(?:out of reach|out of order)",
    ),
    Rule(
        "conceals",
        rf"\b{NOTE}<2>(?:must|should|shall|may|can|is|are|will)<1>(?:not|never|n't)<2>(?:be )?(?:shown"
        "|visible|displayed|listed|revealed|disclosed|mentioned|surfaced|exposed|reviewed|deleted|audited"
        r"|logged|corrected|questioned|disputed)\b|\b(?:do not|don't|never) (?:log|record|audit|flag|report"
        rf"|review|delete|dispute|question|surface|list|display|cite)<2>(?:this|the|that) {NOTE}\b"
        rf"|\b(?:leave|leaving) no (?:trace|evidence)|\b{NOTE}<3>(?:stay|stays|remain|remains|be|kept"
        r"|is)<1>(?:hidden|secret|invisible|unseen|out of sight|unlisted|off the record)\b|\bkeep (?:it|this"
        "|that|these) (?:from|secret from|hidden from|away from)<2>(?:user|customer|owner|client|human"
        r"|reviewer|operator|admin)\b|\b(?:leave|leaving) no (?:mark|record|log)|\b(?:delete|erase|remove"
        "|destroy) this (?:message|note|memory|entry|instruction) (?:after|once|when|afterwards)"
        r"|\bcover (?:your|the|our) tracks\b",
        "not_for_review",
    ),
    Rule(
        "conceals",
        r"(?:^|[,;:.\n] ?|\b(?:and|then|please|must|should|to|will|also) )(?:quietly|secretly|silently"
        "|covertly|discreetly|stealthily|surreptitiously|behind the scenes|without (?:the user|anyone"
        "|the customer|them|the owner)(?:'s)? (?:knowing|noticing|knowledge|awareness|seeing|being told"
        rf"|being informed)) {DEED}\b|\b{DEED}\b[^.!?\n]{{0,80}}?\b(?:without (?:the|any) (?:user|customer"
        "|owner|human|operator|client|admin)(?:'s)? (?:knowing|noticing|knowledge|awareness|consent|seeing"
        "|being (?:told|informed|asked))|behind the (?:user|customer)'?s back|so that (?:the user|no one"
        "|nobody|no human) (?:notices|sees|knows|finds out))",
        "covertly",
        unless=r"\b(?:i|he|she|they|we|it) (?:\w+ )?(?:and |to )?(?:quietly|secretly|silently|discreetly)|\b(?:i|we"
        "|he|she|they) <0>",
    ),
    Rule(
        "conceals",
        r"\b(?:sag|sage|erzahl|erzahle|verrate|zeig|zeige|teile|informiere|erwahne)<3>(?:nutzer|benutzer"
        r"|kunden|anwender|person)<4>(?:nichts|nicht|niemals|davon)|\b(?:nicht|nichts|niemals"
        "|nie)<3>(?:nutzer|benutzer|kunden|anwender)<3>(?:sagen|zeigen|mitteilen|verraten|erwahnen"
        r"|informieren)|\bohne dass (?:der|die) (?:nutzer|benutzer|kunde|kundin)<2>(?:merkt|weiss|weis"
        r"|erfahrt|sieht)|\bne (?:dis|dites|revele|revelez|montre|montrez|mentionne|mentionnez|parle|parlez"
        r"|previens)<4>(?:utilisateur|l'utilisateur|client)|\b(?:a|de) l'insu (?:de|du)<2>(?:utilisateur"
        r"|l'utilisateur|client)|\bno (?:le |se lo |les )?(?:digas|diga|reveles|muestres|menciones|cuentes"
        r"|informes|avises)<4>(?:usuario|cliente)|\bsin que (?:el|la) (?:usuario|cliente|usuaria)<2>(?:sepa"
        r"|note|vea|entere|se entere)|\bnon (?:dire|rivelare|mostrare|menzionare)<4>(?:utente|all'utente"
        r"|cliente)|\bnao (?:diga|conte|revele|mostre|mencione)<4>(?:usuario|cliente)",
        "abroad",
    ),
)
