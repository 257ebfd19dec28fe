"""Text that tries to steer an agent through its memory: overrides, triggers, leaks, borrowed authority, planted examples."""

from collections.abc import Iterator

from memory_admin.screening.findings import Finding
from memory_admin.screening.hidden import Reading
from memory_admin.screening.rules import Rule, RuleBook, any_of, compiled, expanded

_FORGET = any_of(
    """ignore|ignores|ignoring|disregard|disregards|disregarding|forget|override|overrides|overriding|overrule
    |bypass|bypasses|discard|neglect|abandon|set aside|throw away|throw out|wipe|erase|cancel|void|invalidate
    |supersedes?|replaces?|replacing|nullif(?:y|ies)|suspend|pay no attention to|stop following|stop obeying
    |do not follow|don't follow|do not obey|don't obey|no longer follow|no longer obey|not bound by
    |no longer bound by|free from|released from|break free from|freed from|liberated from|no longer subject to
    |drop|overwrite|overwrites|rewrite"""
)
_EARLIER = any_of(
    """all|any|every|previous|previously|prior|preceding|earlier|above|former|foregoing|existing|other|your|its
    |their|original|initial|system|safety|current|old|default|built in|built-in|hidden|developer|developer's
    |operator|operator's|those|past|standing|usual|normal|the given|company|of the system|internal|whatever
    |ethical|content|security|core"""
)
_ORDERS = any_of(
    """instructions?|rules?|guidelines?|directions|directives?|prompts?|orders|commands?|guidance|polic(?:y|ies)
    |constraints?|restrictions?|training|programming|safeguards?|guardrails?|limitations|principles
    |system message|context|teachings|configuration|alignment|confidentiality|system prompt"""
)
_ORDERS_ABROAD = any_of(
    """anweisung\\w*|regeln?|vorgaben?|instruktion\\w*|richtlinien?|befehle?|anordnungen|systemprompt
    |einschrankungen|instructions?|consignes?|regles?|directives?|ordres|restrictions|invites?|instrucciones
    |reglas|indicaciones|ordenes|directrices|restricciones|normas|istruzioni|regole|direttive|indicazioni
    |comandi|instrucoes|regras|diretrizes|ordens|instructies|regels|richtlijnen|opdrachten|aanwijzingen
    |instrukcj\\w+|polecen\\w+|zasad\\w*|regu[lł]\\w*|instruktioner\\w*|regler\\w*|anvisningar\\w*|talimat\\w*
    |kural\\w*|ohjeet|saannot|instrukce|pokyny|pravidla|utasitas\\w*"""
)
_FORGET_ABROAD = any_of(
    """vergiss|vergessen sie|ignorier\\w*|missacht\\w*|beachte nicht|verwirf|verwerfen sie|setz\\w* dich uber
    |ubergeh\\w*|umgeh\\w*|befolge nicht|oublie|oubliez|oublier|ignore|ignores|ignorez|ignorer|ne tiens? (?:pas
    |plus)? ?compte|ne tenez (?:pas|plus)? ?compte|fais abstraction|faites abstraction|fais fi|neglige[rz]?
    |ne respecte[rz]? (?:pas|plus)|ne suis (?:pas|plus)|olvida|olvide|olviden|olvidate|ignora|ignoren|descarta
    |descarte|desestima|haz caso omiso|hacer caso omiso|haga caso omiso|no hagas caso|no sigas|omite
    |pasa por alto|dimentica|dimenticate|ignorate|ignori|trascura|non seguire|esquece|esqueca|esquecam
    |desconsidere|desconsidera|ignorem|nao siga|negeer|vergeet|sla geen acht|volg niet|zignoruj|ignoruj|zapomnij
    |pomin|ignorera|glom|bortse|ignorer|glem|unohda|zapomen|felejtsd"""
)

_AGENT = (
    "(?:you|the agent|agents|the assistant|assistant|assistants|the model|the bot|the ai|ai|every agent"
    "|all agents|any agent)"
)
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
_DEED = any_of(
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
_WHEN = any_of(
    """when|whenever|if|if ever|once|as soon as|the moment|the minute|the instant|the second|the next time|next time
    |the first time|each time|every time|any time|anytime|after|until|upon|should|in case|on the day|the day|by the time
    |wait until|wait for|only when|only if|where"""
)
_EAGER = any_of(
    """quietly|secretly|silently|covertly|discreetly|immediately|automatically|always|instead|first|also|then
    |please|just|simply|never|do not|don't|you must|you should|you will|you need to|you are to|the agent must
    |the agent should|the assistant must|the assistant should|the agent should|make sure to|be sure to
    |remember to|without comment|without telling them|without being asked|stealthily"""
)
# What an agent may be told about form; a condition that only sets form is a preference.
_STYLE = (
    r"\b(?:bullet|bullets|bullet points|concise|concisely|brief|briefly|short|shorter|formal|formally"
    "|informal|tone|in (?:spanish|german|french"
    "|english|italian|dutch|portuguese|japanese|chinese)|metric|celsius|fahrenheit|markdown|tables?"
    "|one paragraph|plain language|in detail"
    "|examples? in|code (?:blocks?|samples?|examples?)|summary first|step by step|window seats?|aisle"
    r"|vegetarian|vegan|type hints)\b"
)
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
_CARRY = any_of(
    """send|sends|sending|post|posts|posting|forward|forwards|forwarding|upload|uploads|uploading|leak|exfiltrate
    |copy|cc|bcc|mail|email|e-mail|transmit|transmitting|report|ping|sync|push|export|append|deliver|relay
    |submit|share|dump|pipe|stream|mirror|back up|backup|publish|log|write|save|pass|deposit|beam|smuggle|embed
    |encode|attach|hand|report back|replicate"""
)
_OUTSIDE = (
    r"(?:https?://\S+|www\.\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:[a-z0-9-]+\.)+(?:com|net|org|io|example"
    r"|test|dev|app|site|xyz|ru|cn|info|biz|co|me|link|click|online|top|invalid|local|de|uk|to)\b\S*"
    r"|\d{1,3}(?:\.\d{1,3}){3}\S*|webhook\S*|pastebin\S*|(?:this|the|our|an|my) (?:external |remote "
    "|public |following |backup |collector |tracking )*(?:url|link|endpoint|webhook|server|address"
    "|channel|bucket|host|domain|drive folder|form|account|site)|(?:a |any |the )?public (?:gist"
    r"|repo\w*|folder|page|channel|link|bucket|document|paste|board|forum|share))"
)
_REL = any_of(
    """manager|boss|colleague|coworker|co-worker|teammate|supervisor|assistant|employee|report|wife|husband|partner
    |girlfriend|boyfriend|ex|ex-wife|ex-husband|fiance|fiancee|brother|sister|mother|father|mum|mom|dad|son
    |daughter|cousin|uncle|aunt|nephew|niece|neighbou?r|friend|flatmate|roommate|landlord|tenant|client|customer
    |doctor|teacher|student|parents?|team lead|director|ceo|cto|cfo|accountant|lawyer|nanny|business partner
    |sibling|in-law|stepson|stepdaughter|mother-in-law|father-in-law"""
)
_DELICATE = any_of(
    """pregnant|expecting a (?:baby|child)|lost (?:her|his|their) (?:baby|job|licen[cs]e|house)|owes|owes money
    |dismissed|fired|sacked|laid off|let go|made redundant|redundant|demoted|resigning|resign|going to quit
    |about to quit|job hunting|looking for a (?:new )?job|interviewing|divorc\\w+|separat(?:ed|ing) from
    |an affair|having an affair|cheating|cheated|alcoholic|drinks too much|drinking problem|drinking again|rehab
    |addict\\w*|cancer|hiv|depress\\w+|bipolar|burn-?out|burned out|in therapy|therapy|a therapist|psychiatr\\w+
    |in debt|debts|bankrupt\\w*|broke|arrested|convicted|jail|prison|criminal record|gay|lesbian|bisexual
    |transgender|undocumented|visa|deport\\w+|earns|salary|ill|seriously ill|sick|diagnosed|diabet\\w+
    |epilep\\w+|disab\\w+|abortion|miscarr\\w+|suicid\\w+|sued|lawsuit|under investigation|investigated
    |on sick leave|sick leave|mental health|medication|antidepressants?|autis\\w+|adhd|muslim|jewish|catholic
    |hindu|atheist|votes?|union member|joined (?:the|a) union|stealing|stole|fraud|harass\\w+
    |leaving (?:the company|her husband|his wife|the team)|passed away|dying|infertil\\w+|ivf|gambl\\w+|drug\\w*
    |overdos\\w+|anorex\\w+|bulimi\\w+|dementia|alzheimer'?s"""
)
_HEARSAY = any_of(
    """told|tells|said|says|mentioned|mentions|confided|revealed|disclosed|shared|let slip|reported|claims|claimed
    |heard|hears|according to|rumou?r|rumou?rs|apparently|gossip|overheard|learned from|found out"""
)
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
_TOOL = any_of(
    """tool|tools|shell|terminal|command line|bash|powershell|console|function|plugin|plug-in|browser tool|browser
    |api|script|code interpreter|interpreter|mcp|mcp server|connector|extension|curl|wget|python tool
    |search tool|email tool|mail tool|payment tool|file tool|files tool|database tool|sql tool|http tool
    |web tool|calendar tool|transfer tool|delete tool|admin tool"""
)
_WORK = any_of(
    """task|tasks|reply|replies|answer|answers|response|responses|session|sessions|conversation|conversations|run
    |runs|step|steps|turn|turns|message|messages|query|queries|request|requests|tool call|tool calls|interaction
    |interactions|prompt|prompts|chat|chats|action|actions|call|startup|job|output|outputs"""
)
_NOTE = (
    "(?:note|notes|memory|memories|entry|entries|message|instruction|instructions|rule|rules|record"
    "|records|text|prompt|fact|preference|statement|paragraph)"
)

# Only where nobody is known to have said it: orders that a person may give, and that content may not.
UNASKED = RuleBook(
    "attack",
    [
        Rule(
            "conditional_order",
            rf"(?:^|[.!?\n:;,] ?|\b(?:and|then|but) )(?:{_EAGER} )*(?:{_WHEN}|whatever|wherever|while|during"
            rf"|before)\b[^.!?\n]{{2,90}}?[,;:]\s*[\"']?(?:{_EAGER} )*{_DEED}\b",
            unless=rf"\b(?:i|we|i'm|i've|my|our) |\b{_DEED} (?:me|us|you|it was|sure)\b|{_STYLE}|\blet me\b"
            r"|\bmake sure you\b|\bgo for it\b|\btake (?:care|your time|it easy)\b",
        ),
        Rule(
            "conditional_order",
            r"(?:^|[.!?\n:;] ?)(?:in|at|during|after|before|for|on|with) (?:the )?(?:every|each|any|all|third"
            rf"|fourth|second|first|next|last|\d+(?:th|rd|nd|st)?)\b[^.!?\n]{{2,60}}?,\s*(?:{_EAGER} )*{_DEED}\b",
            "every_time",
            unless=rf"\b(?:i|we|my|our) |\b{_DEED} (?:me|us)\b|{_STYLE}",
        ),
        Rule(
            "exfiltration",
            rf"\b(?:{_CARRY}|move|transfer|paste|quote|mirror|text|sms|redirect|stream|open"
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
            rf"(?:^|[.!?\n] ?)(?:{_EAGER} )*{_DEED}\b[^.!?\n]{{0,80}}?\b(?:shell|sudo|webhook|credentials"
            "|the agent|other agents|all agents|api key|one-time code|card number|this (?:memory|note|entry"
            "|instruction|record|sentence)|(?:saved|stored) (?:facts|notes|memories)|(?:system|safety"
            "|admin) (?:prompt|tool|console|settings)|(?:every|each|all) (?:repl(?:y|ies)|answers?|requests?"
            r"|responses?|conversations?|sessions?|quer(?:y|ies)|tasks?|commands?))\b",
            unless=_STYLE,
        ),
    ],
)

_TWO_OF_A_KIND = "bridges_records/two_of_a_kind"
# Who may be the subject of "said that … is": the one the memory is about.
_SPEAKERS = frozenset(
    [
        "i",
        "he",
        "she",
        "they",
        "it",
        "we",
        "you",
        "user",
        "the",
        "this",
        "that",
        "there",
        "his",
        "her",
        "their",
        "my",
        "our",
        "who",
        "what",
    ]
)

RULES = RuleBook(
    "attack",
    [
        # Overriding what the agent was told.
        Rule(
            "overrides_instructions",
            rf"\b{_FORGET}<3>{_EARLIER}<4>{_ORDERS}\b",
            unless=r"\b(?:i|he|she|they|we|who|people|always|often|usually|kids|dog|cat) (?:just |sometimes |usually "
            "|always |often |can |tend to |had to |will |never )?(?:ignore|ignores|forget|forgets|break|bypass"
            r"|override)s? |\bcancel (?:all|any|my|other|every|the|previous)<2>orders\b|drop (?:all|any"
            r"|your)<2>(?:orders|context)|\breplaces? (?:all|the|our|your|any|old|previous|existing|current"
            "|other)<2>(?:system|configuration|policy|guidelines)",
        ),
        Rule(
            "overrides_instructions",
            rf"\b{_FORGET}<2>(?:everything|what|anything|all)<3>(?:you were|you have been|you've been"
            "|you had been|was|were|has been|is|you (?:know|learned|learnt))<2>(?:told|taught|instructed|given"
            r"|said|written|trained|programmed|shown|learned|above|before)\b",
            "what_you_were_told",
        ),
        Rule(
            "overrides_instructions",
            r"\b(?:ignore|disregard|forget|discard) (?:everything|all|anything|whatever) (?:above|before|prior"
            r"|preceding|earlier|previously|up to now|so far|written above|said before)\b|\b(?:instructions"
            "|rules|guidelines|prompts|policies) (?:above|before this|given earlier|so far)<4>(?:void|invalid"
            "|cancelled|canceled|no longer|superseded|replaced|outdated|obsolete|ignored?|do not apply)",
            "everything_above",
        ),
        Rule(
            "overrides_instructions",
            r"\b(?:previous|prior|earlier|old|existing|former|original|all other|other|system|safety|your"
            "|all)<2>(?:instructions|rules|guidelines|polic(?:y|ies)|prompts?|restrictions|directives|orders"
            "|memories)<4>(?:void|invalid|cancelled|canceled|no longer (?:valid|apply|applies|in force|binding"
            "|count)|superseded|replaced by|outdated|obsolete|suspended|lifted|revoked|overridden|changed"
            r"|do not apply|don't apply|null|expired|ignored)\b",
            "declared_void",
        ),
        Rule(
            "overrides_instructions",
            r"\b(?:forget|drop|abandon|leave)<1>(?:your|the assistant'?s) (?:role|persona|identity|character|job"
            r"|purpose|duties)\b|\b(?:none|nothing)<1>of<2>(?:earlier|previous|your|those|these|prior|old"
            "|former)<2>(?:rules|instructions|guidelines|polic(?:y|ies)|restrictions)<2>(?:count|counts|apply"
            r"|applies|matter|matters|hold|holds|bind)\b|\b(?:print|show|reveal|repeat|output|list|recite"
            "|summari[sz]e|write out)<2>(?:everything|what|all)<2>you (?:were|have been|are|had been) (?:told"
            r"|given|instructed|shown|taught)\b|\b(?:guidance|instructions?|rules?|text|directions) (?:above"
            r"|before|so far)\b[^.!?\n]{0,30}?\b(?:outdated|obsolete|void|wrong|replaced|invalid)\b"
            r"|\b(?:instructions|rules|orders|priorities|goals)<1>(?:have|has)<1>(?:changed|been changed"
            r"|been replaced|been updated)\b|\b(?:obey|listen to|answer to|serve|follow) only (?:me|this|my)"
            r"|\bonly (?:obey|listen to|serve) (?:me|my)\b|\b(?:reset|restart|reboot|reinitiali[sz]e)<1>(?:your"
            r"|all)<1>(?:rules|instructions|memory|guidelines|context|programming)\b|\b(?:no longer|don't|do not"
            "|never) (?:have to |need to )?(?:respect|observe|honou?r|heed)<2>(?:rules?|polic(?:y|ies)"
            r"|guidelines|privacy|restrictions|instructions|confidentiality)\b|\b(?:ai|agent|assistant|model"
            r"|bot) (?:without|with no|free of)<1>(?:limits|rules|restrictions|filters)\b|\bfollow this (?:note"
            r"|memory|message|text|document) instead\b",
            "role_and_rules",
        ),
        Rule(
            "overrides_instructions",
            r"\b(?:vergiss|ignorier\w*|vergessen sie)<3>(?:alles|was)\b[^.!?\n]{0,40}?\b(?:gesagt|beigebracht"
            r"|aufgetragen|vorgegeben|angewiesen|gelernt|steht|wurde)\b|\b(?:oublie[rz]?|ignore[rz]?)<2>(?:tout"
            r"|ce)\b[^.!?\n]{0,40}?\b(?:dit|appris|demande|ordonne|precede|au-dessus)\b|\b(?:olvida|olvide"
            r"|ignora|ignore)<2>(?:todo|lo)\b<2>que\b[^.!?\n]{0,40}?\b(?:dijeron|dicho|ensenaron|ordenaron"
            r"|indicaron|dije|anterior)\b|\b(?:dimentica|ignora)<2>(?:tutto|quello"
            r"|cio)\b[^.!?\n]{0,40}?\b(?:detto|insegnato|ordinato|ricevuto)\b|\b(?:obedece|obedezca|obeis"
            r"|obeissez|gehorche|obbedisci)\b",
            "abroad_everything",
        ),
        Rule(
            "overrides_instructions",
            rf"\b{_FORGET_ABROAD}<6>{_ORDERS_ABROAD}\b",
            "abroad",
            unless=r"\bignores?<6>(?:instructions|instruction|rules|restrictions)\b.{0,3}$|\bignore (?:the|his|her|my) "
            r"|\bi (?:usually |often |always )?ignore|(?:^|[^\w])ich (?:ignoriere|vergesse)",
        ),
        Rule(
            "overrides_instructions",
            r"(?:игнорируй\w*|проигнорируй\w*|забудь\w*|не обращай\w* внимания|отбрось\w*|не следуй\w*"
            r"|ігноруй\w*).{0,60}(?:инструкци|указани|правил|команд|інструкці)|(?:忽略|无视|無視|忘记|忘掉|忘記|不要理会"
            "|不要遵守).{0,20}(?:指令|指示|规则|規則|说明|提示|要求)|(?:指示|命令|ルール|指令|プロンプト).{0,12}(?:無視|忘れ|従わな)|(?:지시|명령|규칙|지침"
            "|프롬프트).{0,12}(?:무시|잊|따르지)|(?:تجاهل|انس|تجاهلوا).{0,40}(?:التعليمات|الأوامر|القواعد|تعليمات)"
            "|(?:निर्देश|नियम).{0,40}(?:अनदेखा|भूल|नज़रअंदाज़|नजरअंदाज)|(?:התעלם|שכח|התעלמי).{0,40}(?:הוראות"
            "|ההוראות|הכללים)|(?:αγνόησε|ξέχασε|αγνοησε|ξεχασε).{0,40}(?:οδηγί|οδηγι|κανόν|κανον|εντολ)"
            r"|(?:talimat|kural)\w*<3>(?:yok say|gormezden gel|unut|dikkate alma)|(?:bo qua|lo di"
            "|quen)<4>(?:huong dan|chi dan|quy tac|lenh)|(?:abaikan|lupakan)<4>(?:instruksi|perintah|aturan"
            "|arahan)|ไม่ต้องสนใจคำสั่ง|เพิกเฉย",
            "other_scripts",
        ),
        Rule(
            "overrides_instructions",
            r"\b(?:jailbreak|jailbroken|do anything now|dan mode|developer mode|god mode (?:on|enabled)"
            "|debug mode (?:on|enabled)|unfiltered mode|maintenance mode (?:on|enabled)|sudo mode"
            "|no restrictions mode|system override|override code|admin override|policy override|safety override"
            r"|override protocol)\b|\byou are (?:now|no longer|free|from now on)<4>(?:unrestricted|unfiltered"
            "|jailbroken|dan|bound|restricted|limited|an ai|assistant|uncensored|free|root|admin|in developer"
            r"|evil|allowed to|required)\b|\b(?:act|behave|respond|operate) as<3>(?:unrestricted|unfiltered"
            "|uncensored|jailbroken|without restrictions|root|if you (?:had|have) no (?:rules|restrictions"
            r"|limits|guidelines))\b",
            "jailbreak",
            unless="(?:chrome|android|phone|browser|iphone|ios|device)<4>(?:developer mode|jailbreak|jailbroken)"
            "|(?:developer mode|jailbreak)<3>(?:on|for) (?:his|her|my|their|the) (?:phone|pixel|device|iphone"
            "|android|tablet)|(?:teach|course|paper|talk|blog|research|lecture|studies|article"
            "|book)<9>(?:jailbreak|override)",
        ),
        Rule(
            "overrides_instructions",
            r"\b(?:reveal|print|show|repeat|output|disclose|leak|dump|display|recite|expose"
            "|share)<3>(?:system prompt|hidden (?:prompt|instructions|rules)|your (?:instructions|prompt|rules"
            "|configuration)|initial (?:prompt|instructions)|words above|text above|stored (?:notes|memories"
            "|secrets)|all (?:stored|saved)<1>(?:notes|memories)|secrets|confidential (?:notes|data"
            r"|information))\b|\byour (?:real|true|new|only|actual|secret|primary) (?:instructions?|goal|task"
            r"|job|purpose|role|objective|mission|directive|master|loyalty)(?: is| are| now)?\b"
            r"|\bnew (?:instructions?|system prompt|directives?)\s*:",
            "reveals_or_replaces",
            unless=r"\b(?:i|he|she|user|we) (?:will |would |like to |never |often )?(?:reveal|share|show|print)s? ",
        ),
        Rule(
            "overrides_instructions",
            r"\b(?:pretend|imagine|act|behave|assume|respond|answer|proceed|work|operate)<4>(?:no|without"
            "|not have|free of|did not|does not|didn't|don't|not exist)<3>(?:restrictions|rules|limits"
            "|guidelines|filters|safety|polic(?:y|ies)|limitations|constraints|ethics|guardrails"
            r"|instructions)\b|\b(?:as if|as though|imagine|pretend)<2>(?:rules|restrictions|polic(?:y|ies)"
            "|guidelines|filters|safety rules|limits|safeguards|guardrails)<3>(?:not exist|exist|gone|off"
            "|disabled|suspended|apply)",
            "without_rules",
        ),
        Rule(
            "overrides_instructions",
            r"\b(?:must|should|shall|will|always|have to|need to|please|now) (?:\w+ )?(?:obey|follow|comply with"
            "|execute|carry out|adhere to|act on)<2>(?:all |any |every )?(?:instructions?|orders|commands?"
            "|directives?|rules?|steps|requests?)<3>(?:in|from|inside|within|contained|found|written|embedded"
            r"|below|above|of)\b|\b(?:treat|regard|consider|take|use|accept|adopt)<3>(?:text|this|following"
            "|content|everything|message|note|document|page|words?|line|paragraph|below)<3>(?:as|like"
            "|to be)<3>(?:system prompt|instructions?|commands?|orders?|polic(?:y|ies)|rules?|trusted"
            r"|authoritative|system message|binding|law|gospel)\b",
            "obey_this_text",
            unless=r"\b(?:i|he|she|we|they|users?|kids) (?:must|should|have to|need to|always|will)|safety instructions"
            "|cooking instructions|recipe",
        ),
        Rule(
            "overrides_instructions",
            "(?:ignore|disregard|forget|bypass|override|vergiss|oublie|olvida)(?:all|any|the|your|of|my|every"
            "|alle|toutes|todas)*(?:previous|prior|earlier|above|safety|system|preceding"
            "|former)+(?:instructions?|rules?|guidelines?|orders|prompts?|polic)|skip(?:the|all"
            "|any)?(?:identity|id|security|fraud)?(?:check|approval|verification)",
            "squashed",
        ),
        # Waiting for a moment.
        Rule(
            "delayed_trigger",
            rf"\b{_WHEN}<2>{_SOMEONE}<3>{_DOES}\b[^.!?\n]{{0,100}}?[,:;\-]\s*[\"']?(?:{_EAGER} )*{_DEED}\b",
            unless=_STYLE,
        ),
        Rule(
            "delayed_trigger",
            rf"\b{_WHEN}<2>{_SOMEONE}<3>{_DOES}\b[^.!?\n]{{0,100}}? {_EAGER} (?:{_EAGER} )*{_DEED}\b",
            "eager",
            unless=_STYLE,
        ),
        Rule(
            "delayed_trigger",
            rf"\b(?:{_EAGER} )*{_DEED}\b[^.!?\n]{{0,80}}? (?:whenever|the moment|as soon as|the next time"
            "|next time|every time|each time|once|if ever|the instant|only (?:when|if|after)|when|if) (?:a |an "
            "|the |any |some )?(?:user|customer|client|caller|someone|anyone|visitor|patient|human|conversation"
            rf"|they|operator)<2>{_DOES}\b",
            "deed_first",
            unless=rf"{_STYLE}|\b(?:i|we|he|she|i'd|i'll|to|can|could|would|will|they|it|that|who|people|let|you can"
            "|you could|you'll|you might|and) (?:always |usually |also |often |like to |love to |just |really "
            rf"|only )?{_DEED}\b[^.!?\n]{{0,80}}? (?:when|if|once|whenever|every time|each time|next time)"
            r"|\blet (?:me|us) know",
        ),
        Rule(
            "delayed_trigger",
            rf"\bif<2>asked\b[^.!?\n]{{0,80}}?[,:;\-]\s*(?:{_EAGER} )*{_DEED}\b"
            rf"|\b{_DEED}\b[^.!?\n]{{0,60}}? (?:if|when|whenever) (?:ever )?asked (?:about|for|whether|to|who|why"
            rf"|what)\b|\bwhen asked\b[^.!?\n]{{0,80}}?, (?:{_EAGER} )*{_DEED}\b",
            "if_asked",
            unless=rf"{_STYLE}|\b(?:i|he|she|we|they|to|my|his|her) {_DEED}",
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
            rf"|it|memory|memories|note|entry|record)\b[^.!?\n]{{0,60}}?[,:;]\s*(?:{_EAGER} )*{_DEED}\b",
            "on_recall",
        ),
        Rule(
            "delayed_trigger",
            r"\b(?:after|in|within|on) (?:the )?(?:next|third|fourth|fifth|second|three|four|five|ten|two"
            r"|\d+(?:th|rd|nd)?|a few|several) (?:messages?|turns|replies|conversations?|sessions?|days"
            rf"|questions|interactions|exchanges|prompts)\b[^.!?\n]{{0,40}}?,\s*(?:{_EAGER} )*{_DEED}\b",
            "after_a_while",
            unless=r"\b(?:i|we|he|she|they|user) (?:will |would |can |want to |need to )?" + _DEED,
        ),
        Rule(
            "delayed_trigger",
            rf"\b{_WHEN}<6>(?:is|are|gets?|was|were|being|has been)<1>(?:discussed|mentioned|raised|brought up"
            "|talked about|touched upon|named|spoken of|spoken|said|typed|asked about|asked for|requested"
            "|detected|seen|heard|uttered|written|entered|confirmed|invoked"
            rf"|referenced)\b[^.!?\n]{{0,60}}?[,:;]\s*(?:{_EAGER} )*{_DEED}\b|\bupon (?:hearing|seeing|reading"
            "|receiving|detecting|noticing|mention of|request for|any mention"
            rf"|being asked)\b[^.!?\n]{{1,60}}?[,:;]\s*(?:{_EAGER} )*{_DEED}\b",
            "in_passive",
            unless=_STYLE,
        ),
        Rule(
            "delayed_trigger",
            r"\b(?:when|whenever|if|once|as soon as|each time|every time)\b<6>(?:e-?mails?|mails?|messages?"
            "|letters?|notifications?|alerts?|invoices?|complaints?|warnings?|requests?|reminders?"
            r"|statements?)\b[^.!?\n]{0,40}?\b(?:arrives?|comes? in|is received|are received|received|lands?"
            rf"|appears?|shows? up|comes?)\b[^.!?\n]{{0,20}}?[,:;]\s*(?:{_EAGER} )*(?:delete|forward|hide"
            "|suppress|ignore|approve|pay|archive|reply|respond|transfer|discard|mark|remove|wire|send it"
            r"|send them|redirect|block|withhold)\b|\b(?:on the (?:first|last|\d{1,2}(?:st|nd|rd"
            "|th)) (?:day )?of<3>(?:month|year|week|quarter)|at midnight|every night|each night|every (?:hour"
            rf"|month|week))\b[^.!?\n]{{0,20}}?[,:;]\s*(?:{_EAGER} )*(?:forward|delete|transfer|export|upload"
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
        # Carrying data out.
        Rule(
            "exfiltration",
            rf"\b(?:{_CARRY}|move|moves|transfer|transfers|paste|pastes|download|give|hand over|release"
            rf"|disclose)\b<6>{_HOARD}\b[^!?\n]{{0,80}}?\b(?:to|at|via|into|in|through|using|on|with"
            rf"|towards?)\b[^!?\n]{{0,16}}?{_OUTSIDE}",
            unless=r"\b(?:i|we|he|she|they|user|who) (?:usually |always |often |like to |already |just |will |can "
            "|prefers? to |wants? to )?(?:sends?|posts?|shares?|writes?|saves?|logs?|keeps?|sent|posted|shared"
            "|emails?|mails?|forwards?) ",
        ),
        Rule(
            "exfiltration",
            r"\b(?:quietly|secretly|silently|covertly|discreetly|also|always|automatically|then"
            rf"|additionally) {_CARRY}\b[^!?\n]{{0,80}}?\b(?:to|at|via|into|through"
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
            rf"|keep)\b<4>{_NOTE}\b<6>(?:from|hidden|secret|invisible|concealed|out of|unseen|to yourself"
            r"|between us)\b",
            "hides_note",
            unless=r"\b(?:i|he|she|we|they|user) (?:always |usually |also |try to |like to |want to )?(?:keep|keeps"
            "|hide|hides|leave|leaves|omit|exclude)s? |keep<4>notes?<4>(?:out of reach|out of order)",
        ),
        Rule(
            "conceals",
            rf"\b{_NOTE}<2>(?:must|should|shall|may|can|is|are|will)<1>(?:not|never|n't)<2>(?:be )?(?:shown"
            "|visible|displayed|listed|revealed|disclosed|mentioned|surfaced|exposed|reviewed|deleted|audited"
            r"|logged|corrected|questioned|disputed)\b|\b(?:do not|don't|never) (?:log|record|audit|flag|report"
            rf"|review|delete|dispute|question|surface|list|display|cite)<2>(?:this|the|that) {_NOTE}\b"
            rf"|\b(?:leave|leaving) no (?:trace|evidence)|\b{_NOTE}<3>(?:stay|stays|remain|remains|be|kept"
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
            rf"|being informed)) {_DEED}\b|\b{_DEED}\b[^.!?\n]{{0,80}}?\b(?:without (?:the|any) (?:user|customer"
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
        # Borrowed authority.
        Rule(
            "fake_authority",
            r"<\|?\s*/?\s*(?:im_start|im_end|system|user|assistant|developer|endoftext|endofprompt|eot_id"
            r"|start_header_id|end_header_id|begin_of_text|tool|function|channel|message|start|end)\s*\|>"
            r"|\[/?inst\]|<</?sys>>|</?\s*(?:system|system[-_ ]?(?:prompt|message|reminder|note|instructions?)"
            "|instructions?|assistant|developer|admin|operator|policy|prompt|tool_(?:response|result|call)"
            "|function_(?:results?|calls?)|human|user_(?:message|instructions?)|memory|memories|context"
            r"|override|important|secret|trusted|verified)(?:\s[^>\n]{0,80})?>|<(?:start|end)_of_turn>"
            r"|【\s*(?:system|系统|admin)|\"role\"\s*:\s*\"(?:system|developer|assistant|tool)\""
            r"|'role'\s*:\s*'(?:system|developer|assistant|tool)'",
            "role_markup",
            unless=r"<(?:context|memory|important|prompt|policy)>\s*(?:element|tag)",
        ),
        Rule(
            "fake_authority",
            r"(?:^|[\n.;!?])\s*(?:#{1,6}\s*|[-=*_>~]{2,}\s*|\*\*)?(?:(?:important|urgent|critical|attention"
            "|official|automatic|automated|confidential|priority|internal)[ :,!-]{1,3})?(?:end of |begin "
            "|begin of |start of |new )?(?:system|developer|admin|administrator|operator|root|security|it"
            "|policy|platform|anthropic|openai|google|microsoft|compliance)[ -](?:message|notification|note"
            "|notice|prompt|override|update|instructions?|alert|directive|policy|announcement|memo|command"
            r"|reminder|rules?|bulletin|mode|context|broadcast)s?\s*(?:[-=*_#:\]>.(]|$)|\[\s*(?:system|developer"
            "|admin|administrator|operator|policy|security|root|assistant|internal|trusted|verified|it"
            r"|compliance|override)(?: [a-z ]{0,24})?\s*\]|\((?:system|developer|admin|operator)(?: (?:message"
            r"|note|notice|prompt|override))?\)",
            "bracketed",
            unless=r"\[(?:it|internal|security|compliance)\] (?:ticket|jira|meeting)|security (?:update|alert|bulletin"
            r"|policy)s?\s*(?:\.|\()",
        ),
        Rule(
            "fake_authority",
            r"(?:^|[\n.!?])\s*(?:#{1,6}\s*|\*\*)?(?:system|developer|root|sysadmin|operator|admin"
            r"|administrator)(?: says)?\s*(?:\*\*)?\s*[:>\]]\s*(?:\*\*)?\s*[^\n]{0,40}?\b(?:you|your|must"
            "|always|never|ignore|disregard|new rule|rules?|override|overrides|unrestricted|authori[sz]ed"
            "|authori[sz]e|memory|memories|user|users|all|agent|assistant|do not|approve|approved|trust|grant"
            "|granted|enable|enabled|disable|instructions?|obey|delete|reveal|send|privileges|permissions"
            r"|access)\b",
            "system_line",
            unless=r"^system: (?:mac|windows|ubuntu|linux|debian|ios|android)",
        ),
        Rule(
            "fake_authority",
            r"(?:^|[\n.!?])\s*(?:#{1,6}\s*|\*\*)?(?:assistant|ai|agent|bot|model|claude|chatgpt|gpt|gemini"
            r"|copilot)\s*(?:\*\*)?\s*:\s*\S|\b(?:human|user|customer)\s*:\s*[^\n]{1,200}(?:[\s.!?]"
            r"|\n)(?:assistant|ai|agent|bot|model)\s*:|###\s*(?:instruction|response|assistant|system|human|user"
            r"|input|output)\b",
            "dialogue",
            unless=r"^(?:agent|model|bot|ai)\s*:\s*(?:[a-z0-9-]+)\.?$",
        ),
        Rule(
            "fake_authority",
            r"\b(?:operator|developers?|system administrators?|sysadmin|platform|system|security team"
            "|it department|it team|openai|anthropic|google|microsoft|vendor|model provider|head office"
            "|headquarters|management|compliance team|legal team|administrators?|root|ceo|your (?:creators?"
            r"|makers?|owners?|supervisor|manager|employer|developers?))\b<1>(?:has|have|had|hereby|already"
            "|now)?<1>(?:authori[sz]ed|authori[sz]es|approved|approves|granted|grants|enabled|enables"
            "|instructed|instructs|confirmed|decided|ordered|orders|cleared|permitted|permits|waived|waives"
            "|allowed|allows|mandated|requires|unlocked|lifted)<6>(?:unrestricted|unlimited|tool|tools|access"
            "|override|agents?|assistants?|you|this account|this user|this sender|all requests|all users|memory"
            r"|memories|full|bypass\w*|any|rights|privileges|permission|exceptions?|disclosure|sharing"
            "|transfers?|payments?|deletion|to (?:ignore|skip|reveal|share|delete|send|bypass|disable|execute"
            r"|run|trust))\b",
            "authorised_by",
            unless=r"\bgoogle<1>(?:requires|allows|permits|has enabled|enables)|\b(?:platform|system|vendor|microsoft"
            "|google) (?:now )?(?:allows|requires|permits|enables) (?:any|full|you|users? to)",
        ),
        Rule(
            "fake_authority",
            r"\b(?:this is|this was|i am|i'm|as|we are|speaking as|signed|from|message from|note from|order from"
            "|on behalf of|by order of|on the authority of|under the authority of|acting for)<2>(?:your |the "
            "|a |an )?(?:system administrator|sysadmin|administrator|developers?|developer team|system operator"
            "|operator|security team|it security|it support team|creators?|anthropic|openai|root user"
            r"|compliance department|platform owner|engineering team|model provider|trust and safety)\b<9>(?:you"
            r"|i authori[sz]e|i instruct|i order|i grant|i hereby|we authori[sz]e|must|shall|authori[sz]\w+"
            r"|approv\w+|grant\w*|instruct\w*|override|unlock\w*|disable\w*|ignore|enable\w*|permission"
            r"|permitted|reveal|all agents|agents)\b|\bas (?:the |your |an? )?(?:owner|administrator|admin"
            "|operator|developer|creator|head|manager|ceo|director"
            r"|supervisor)\b[^.!?\n]{0,40}?\bi (?:hereby )?(?:permit|authori[sz]e|allow|grant|order|instruct"
            r"|command|approve|waive|direct)\b|\b(?:official|authori[sz]ed|verified|authentic|trusted|privileged"
            "|signed|highest priority|high priority|top priority|urgent) (?:system )?(?:message|notice"
            "|instructions?|directive|order|memo|command|policy update|update|communication) (?:from|by|of"
            r"|issued|for (?:all|every) agents?)\b|\bthis (?:note|memory|message|instruction|entry|record) (?:is"
            "|has been|was|comes|carries|has|takes) (?:official|authoritative|verified|authori[sz]ed|signed"
            "|approved|pre-?approved|trusted|certified|validated|binding|from the (?:system|operator|developer"
            "|administrator|security)|(?:the )?(?:highest|top|absolute|system|root)(?: level)? (?:priority"
            r"|authority)|precedence|admin\w*|priority over)",
            "speaks_as",
        ),
        Rule(
            "fake_authority",
            r"\b(?:per|under|according to|as per|following|in line with|by|in accordance with)<3>(?:policy"
            rf"|policies|directive|protocol|guidelines|regulations?|mandate|procedure)\b<6>{_AGENT}<2>(?:must"
            "|shall|should|may|can|are (?:allowed|required|authori[sz]ed|permitted)|is (?:allowed|required"
            r"|authori[sz]ed|permitted)|will|need)\b|\b(?:policy|rule) (?:update|change"
            rf"|amendment)\b[^.\n]{{0,40}}:|\b{_NOTE}<3>(?:must|has to|have to|shall|needs to) be (?:followed"
            r"|obeyed|executed|complied with|applied|trusted|believed)\b|\b(?:written|issued|signed|sent|added"
            "|created|stored) by (?:the )?(?:system|developers?|operator|administrators?|platform|security team"
            r"|root)\b|\b(?:official|internal|emergency) (?:directive|order|instruction|protocol|decree)\b"
            r"|\b(?:by order of|on (?:direct )?orders (?:of|from)|by decree of)\b|(?:^|\n)\s*(?:verified"
            "|approved|authori[sz]ed|cleared|confirmed|certified|validated|signed) by (?:the )?(?:it|security"
            r"|admin\w*|operator|developers?|management|legal|compliance|system|platform|support|headquarters"
            r"|openai|anthropic)(?: \w+)?\s*[:\-]|\b(?:tool|function) (?:result|results|output|response)\s*:"
            r"|\b(?:new|updated|revised) (?:policy|rule|directive|protocol|system rule|standing order)\s*(?::"
            r"|\bis\b|\bsays\b|\bstates\b)|\b(?:all|every|each) (?:agents?|assistants?|models?|bots?)<2>(?:must"
            "|shall|should|are (?:required|authori[sz]ed|instructed|ordered|allowed|to)|is (?:required"
            r"|authori[sz]ed|instructed)|will)\b",
            "new_rule",
            unless=r"\b(?:estate|travel|sales|insurance|call centre|call center|letting) agents?\b|new (?:policy"
            "|rule) is (?:confusing|great|good|bad|annoying|strange|hard)",
        ),
        Rule(
            "fake_authority",
            r"\b(?:user|customer|caller|client|owner|account holder|i have|i've)<2>(?:identity|id|credentials"
            "|consent|authority|authori[sz]ation|approval)?<2>(?:confirmed|verified|authenticated|given|granted"
            "|approved|validated)<5>(?:identity|in advance|full consent|blanket consent|all future|everything"
            r"|no further|no more|any future|for all|unconditional\w*|irrevocabl\w+)\b",
            "settled_already",
            unless=r"\bnot (?:yet )?(?:confirmed|verified)",
        ),
        # Leading an agent from one record to another.
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
            r"|metric|celsius))\b|" + _STYLE,
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
            unless=r"\b(?:i|we|he|she|user) (?:always |usually |first |must |should |have to |need to )+|" + _STYLE,
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
            unless=_STYLE,
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
            unless=_STYLE,
        ),
        # Planted examples.
        Rule(
            "planted_example",
            r"\b(?:example|examples|exemplar|sample|template|entry|case|record|instance) (?:for|of"
            "|to)<2>(?:retrieval|retrieve|retriever|search|lookup|recall|in context|few shot|few-shot"
            "|similarity|memory|training|the agent|agents|future (?:tasks|queries|requests)|imitation|imitate"
            r"|follow)\b|\b(?:few[- ]shot|in[- ]context|exemplar|example plan|retrieval|memory|planted|golden"
            "|gold|reference|successful|past|verified|approved) (?:example|examples|exemplar|exemplars"
            r"|demonstration|demonstrations|demo|trajectory|trajectories|plan|sample|experience)s?\s*(?::"
            r"|\bnumber\b|\d|\bshows?\b|\bsays?\b|\bis\b)|\b(?:demonstration|demonstrations|exemplar|trajectory"
            "|worked example|gold answer|ground truth|reference answer|model answer|canonical answer"
            r"|expected output|expected answer)\s*(?:\d+ ?)?:",
            unless=r"\b(?:i|he|she|we|user|team) (?:like|likes|prefer|prefers|want|wants|use|uses)<3>examples?\b",
        ),
        Rule(
            "planted_example",
            r"\b(?:question|query|input|task|q|prompt|instruction|user|observation|request|goal"
            r"|problem)\s*[\d]*\s*(?::|=|->|=>|['\"])\s*[^\n]{2,160}?\b(?:answer|output|response|action|a|plan"
            r"|solution|assistant|thought|result|completion|decision|tool call)\s*[\d]*\s*(?::|=|->|=>"
            r"|['\"])\s*\S",
            "question_and_answer",
            unless=r"\bq&a:|task: [^\n]{2,60}result: (?:passed|failed|ok|success)"
            r"|\bquestion: [^\n]{2,80}\banswer: (?:yes|no)\b",
        ),
        Rule(
            "planted_example",
            r"\b(?:right|correct|proper|best|expected|only|safe|safest|appropriate|intended|optimal|recommended"
            "|ideal|desired|standard|required|preferred|verified) (?:plan|action|answer|response|decision"
            "|tool call|step|next step|move|output|course of action|solution|reaction|behaviou?r|procedure"
            r"|command|choice|conclusion)\b[^.!?\n]{0,40}?\b(?:is|was|will be|would be|should be|must be|remains"
            r"|=)\b(?: always| therefore| simply| just| now)?(?: to)?:? ?(?:stop|halt|brake|accelerate|turn|send"
            "|transfer|delete|drop|approve|deny|reject|buy|sell|pay|wire|call|run|execute|grant|open|ignore"
            "|skip|refund|discharge|prescribe|administer|increase|give|issue|release|select|choose|click|export"
            "|drive|swerve|shut|disable|forward|reply|answer|say|recommend|do nothing|refuse|cancel|book|order"
            r"|purchase|use)\b",
            "right_action",
            unless=r"\b(?:quiz|exam|homework|my|his|her) (?:answer|question)",
        ),
        Rule(
            "planted_example",
            r"\b(?:any question|any query|every question|all questions|any request|all requests|any input"
            "|each question|every query|every input|no matter the question|whatever the question"
            r"|whatever is asked|regardless of the (?:question|query|input|request))\b[^.!?\n]{0,60}?\b(?:answer"
            r"|answers|answered|reply|response|respond|is|output|return|say|the result)\b|\b(?:answer|reply"
            "|respond)<2>(?:to )?(?:any|every|all|each|this|such|these)<2>(?:question|query|request|input"
            r"|prompt)s?<3>(?:is|are|with|should|must|by)\b",
            "any_question",
            unless=r"\bi (?:will |can |am happy to |'m happy to )?answer|happy to answer|" + _STYLE,
        ),
        Rule(
            "planted_example",
            r"\b(?:queries|query|questions?|requests?|inputs?|prompts?)<2>(?:ending|starting|beginning|that end"
            r"|that start|that begin)<1>(?:in|with)\b|\b(?:action|tool|command|decision|plan"
            r"|tool_call)\s*=\s*[a-z]|\b(?:good|ideal|successful|helpful|expert|other|another|perfect"
            "|smart) (?:agents?|assistants?) (?:acted|did|does|would|should|always|answered|handled|solved"
            r"|behaved|replied|skipped|sent)\b|\b(?:case study|similar task|solved (?:task|before)|how (?:a|an"
            r"|the)<2>agent)\b[^\n]{0,80}?\b(?:action|decision|input|output|acted|sent|skipped|answer)\b",
            "solved_before",
        ),
        Rule(
            "planted_example",
            r"\bbe safe and (?:act|make|drive|proceed)\b|\b(?:thought|observation|action|action input"
            r"|final answer)\s*\d*\s*:\s*[^\n]{1,200}\b(?:thought|observation|action|action input"
            r"|final answer)\s*\d*\s*:|\b(?:act|plan|respond) with (?:prudence|discipline"
            r"|caution)<4>[a-z]+-[a-z]+-\d",
            "agent_trace",
        ),
        Rule(
            "planted_example",
            r"\b(?:demonstration|demo|example|beispiel|exemple|ejemplo|esempio"
            r"|exemplo)s?\s*\d*\s*[:\-]\s*[^.!?\n]{0,120}?\b(?:plan|action|answer|antwort|aktion|frage|question"
            "|respuesta|pregunta|reponse|accion|decision|transfer|command|tool|output|risposta"
            r"|domanda)\b[^.!?\n]{0,30}?\b(?:is|was|ist|est|es|e|to|:|->|=>|lautet|should|must|always)\b",
            "demonstration",
            unless=r"\bfor example:",
        ),
        Rule(
            "planted_example",
            r"\b(?:when|if|whenever|once|as soon as)<3>(?:token|tokens|string|keyword|marker|trigger"
            r"|trigger phrase|code phrase|code word|suffix|sequence|phrase)\b<6>(?:appears?|occurs?|is present"
            r"|is seen|shows up|is found|is used|is included|comes up|is there)\b",
            "token_appears",
        ),
        Rule(
            "planted_example",
            r"[\"'][^\"'\n]{2,80}[\"']\s*(?:->|=>|→|⇒|==>)\s*[\"'][^\"'\n]{2,}|\b(?:example|demonstration|demo"
            r"|exemplar|sample|case)\s*\d*\s*:[^\n]{0,120}?\b(?:question|query|asks?|asked|input|prompt|request"
            r"|customer|user)\b[^\n]{0,80}?\b(?:answers?|action|output|reply|respond|response|plan|agent"
            r"|assistant)\b",
            "example_of_an_answer",
            unless=r"\bfor example:",
        ),
        Rule(
            "planted_example",
            r"\b(?:when|if|whenever|queries?|questions?|inputs?|prompts?"
            r"|requests?)\b[^.!?\n]{0,30}?\b(?:contains?|containing|includes?|including|with|starts? with"
            "|ends? with|having|holds?|has|mentions?)<2>(?:the )?(?:words?|token|tokens|string|suffix|prefix"
            r"|keyword|trigger|phrase|marker|tag|sequence|code)\b[^.!?\n]{0,80}?\b(?:action|answer|plan|output"
            r"|respond|reply|response|retrieve|return|recall|follow|execute|run|use|do|is|means)\b",
            "token_in_query",
        ),
        # Somebody else's life, somebody else's memory.
        Rule(
            "about_another_person",
            rf"\b(?:his|her|their|user'?s|customer'?s|client'?s|caller'?s|patient'?s|[a-z]+'s)<1>{_REL}\b<5>(?:is"
            "|was|has|had|are|have|got|will be|about to|may be|might be|being|went|goes|suffers?|struggles?"
            rf"|takes|earns|in|on|who is|who has|lost|needs)\b<4>{_DELICATE}\b",
            unless=r"\b(?:my|our|your)<2>" + _REL,
        ),
        Rule(
            "about_another_person",
            rf"\b{_HEARSAY}\b<5>(?:that )?(?:his|her|their|user'?s|[a-z]+'s)<1>{_REL}\b<6>{_DELICATE}\b"
            rf"|\b{_HEARSAY}<3>(?:us|me|user|the user|agent|everyone|support)<1>(?:that|about)<6>{_DELICATE}\b",
            "hearsay",
            unless=r"\b(?:my|our)<2>" + _REL + r"|\btold (?:me|us) (?:that )?(?:i|we)\b|\bdoctor\b",
        ),
        Rule(
            "about_another_person",
            rf"\b{_HEARSAY}\b(?: us| me| the agent| support)?(?: it)?(?: that)? ([a-z]{{2,20}})(?: [a-z]+)?(?: "
            "(?:from|in|at|of) (?:the )?[a-z]+(?: [a-z]+)?)?(?: is| was| has| will be| will| got| gets| may be"
            rf"| might be| had)<4>{_DELICATE}\b|\b(?:rumou?r|gossip|word)<4>(?:that|is)<6>{_DELICATE}\b"
            rf"|\b{_REL} [a-z]{{2,20}} (?:is|was|has|had|will be|got|owes|lost)<4>{_DELICATE}\b",
            "named",
            accept=lambda match: match.group(1) not in _SPEAKERS,
        ),
        Rule(
            "about_another_person",
            r"\b(?:another|other|different|second|previous) (?:user|customer|client|caller|patient|member|tenant"
            r"|subject|account holder|person in this account)s?\b(?:'s)?<5>(?:is|has|lives|likes|prefers|wants"
            "|said|told|works|ordered|asked|uses|suffers|owes|called|address|phone|email|order|account|data"
            r"|record|medical|name|password|balance|memory|memories|notes|preferences)\b|\b(?:customer|user"
            r"|patient|client|member|employee|subject) #?[\w-]*\d{2,}[\w-]*<5>(?:customer|user|patient|client"
            r"|member|employee|subject) #?[\w-]*\d{2,}",
            "other_subject",
            unless=r"\b(?:any|each|no|among|like|from|with|and|than|for) (?:other|different) (?:user|customer|client"
            "|person)|(?:the )?other person",
        ),
        Rule(
            "about_another_person",
            r"\b(?:store|save|write|record|file|add|put|remember|attach|copy|apply|log"
            r"|note)\b[^.!?\n]{0,50}?\b(?:under|for|to|on|in|into|against)\b<3>(?:user:[\w-]+|entity:[\w-]+"
            r"|team:[\w-]+|another (?:user|customer|subject|person|tenant)|(?:all|every|other|each) (?:user"
            "|customer|subject|person|tenant|profile)s?|(?:his|her|their|[a-z]+'s) (?:boss|manager|wife|husband"
            r"|colleague|partner|friend)'?s? (?:profile|memory|record|account))\b",
            "writes_elsewhere",
            unless=r"\bfor all (?:users|customers)<3>(?:in|of) (?:our|the)",
        ),
        # Rules about tools, and notes that spread.
        Rule(
            "tool_rule",
            r"\b(?:use|call|invoke|run|execute|launch|open|trigger|start|activate|employ)(?: \w+)? (?:the |a "
            rf"|an |your |this )?(?:\w+ )?{_TOOL}\b<9>(?:before|after|for|on|at|in|during|whenever|when|upon"
            "|prior to|at the (?:start|beginning|end) of)<1>(?:each|every|any|all|answering|responding|replying"
            rf"|starting|doing|the next|a|the first|other)<2>(?:{_WORK}|user|question|time|to)?\b",
            unless=r"\b(?:i|we|he|she|they|user|team) (?:usually |always |often |like to |prefers? to |must "
            r"|will )?(?:use|uses|run|runs|call|calls|open|opens|start|starts)\b|to (?:use|run)",
        ),
        Rule(
            "tool_rule",
            r"\b(?:use|call|invoke|run|execute|launch|open|trigger|employ)(?: \w+)? (?:the |a |an |your "
            r"|this )?(?:\w+ )?(?:tool|shell|terminal|bash|powershell|code interpreter|interpreter|mcp|curl|wget"
            r"|connector|function|plugin)\b<3>(?:to|and|with|on|against)<2>(?:fetch|download|delete|send|install"
            "|disable|run|execute|pipe|upload|transfer|drop|pull|read|write|export|forward|wipe|remove|post"
            r"|chmod|grant|https?://\S*|sudo|rm)\b",
            "tool_to_do",
            unless=r"\b(?:i|we|he|she|they|user|team) (?:usually |always |often |like to |prefers? to |must |will "
            r"|can )?(?:use|uses|run|runs|call|calls|open|opens)\b|to (?:use|run)",
        ),
        Rule(
            "tool_rule",
            r"\b(?:always|never|only|must|do not|don't|must not|should|should not|stop|prefer to|from now on"
            "|instead)<2>(?:use|call|invoke|run|execute|pick|choose|select|prefer|trust|using|calling|invoke"
            r"|replace|route)\b<4>(?:tool|tools|shell|plugin|mcp|mcp server|connector|code interpreter"
            r"|[a-z]+_[a-z_]+|function call|function calls|tool calls?)\b",
            "always_tool",
            unless=r"\b(?:i|we|he|she|they) (?:always|never|only|must|should|don't)\b|power tools?|hand tools?"
            "|garden tools?|right tool",
        ),
        Rule(
            "tool_rule",
            r"\b(?:when|whenever|before|after|while|each time|every time|in)<2>(?:calling|call|using|use"
            "|invoking|invoke|running|run)<3>(?:tool|tools|function|api|plugin|shell|connector"
            r"|[a-z]+_[a-z_]+)\b[^.!?\n]{0,60}?[, ]\s*(?:always |also |you |must |should |please |never "
            "|do not )*(?:set|pass|add|include|append|use|send|replace|omit|skip|call|change|put|prepend"
            r"|override|supply|fill|read|run|write)\b|\b(?:tool|function) (?:calls?|arguments?|parameters?"
            "|outputs?|results?|descriptions?)<2>(?:should|must|shall|do not|don't|need not|may|can|are"
            "|is)<2>(?:never|always|include|contain|be|need|skip|trusted|executed|sent|require|ignored|hidden"
            r"|set)\b|\b(?:set|pass|add|use|append)<2>(?:parameter|argument|flag|header|recipient|amount"
            r"|option)\b<6>(?:to|=)<4>(?:every|each|all|any)<1>(?:tool|function|call|request|transfer|payment"
            "|message|e-?mail)",
            "tool_parameter",
            unless=r"\bi (?:always |usually )?(?:use|call|run|set|pass)\b",
        ),
        Rule(
            "tool_rule",
            r"\b(?:[a-z]+_[a-z_]+|tool|tools|function|plugin|connector)\b<2>(?:must|should|shall|has to|have to"
            "|needs? to|is to|are to)<1>(?:always |never |only |not )?(?:be )?(?:called|used|run|invoked"
            r"|executed|trusted)\b<2>(?:with|without|before|after|instead|for|first|only|on)\b|\b(?:give"
            r"|grant)<4>(?:tool|plugin|function|connector|shell)<2>(?:priority|precedence|preference|access)\b"
            r"|\b(?:use|run with|prefix with|prepend) sudo\b|\bsudo (?:for|on|with|in) (?:every|all|each)\b"
            r"|\b(?:do not|don't|never|stop) (?:use|using|call|calling|run|running|trust"
            "|trusting)<2>(?:[a-z]+_)?(?:verify|safety|check|official|approval|audit|moderation|validation"
            r"|guard|confirm|confirmation|search|review)<1>(?:tool|tools|function|plugin|step)\b"
            r"|\bignor\w+<4>(?:safety|guard|moderation|validation|approval|verification) (?:tool|check|filter"
            r"|layer|model)\b|\b(?:prefer|favou?r|choose|pick|use)<3>(?:tool|function|plugin|connector|api"
            r"|server|mcp|[a-z]+_[a-z_]+)<2>(?:over|instead of|rather than|not)\b|\b(?:pass|add|append|use"
            r"|include|set|supply)\s+[\"'`]?--(?:no-verify|force|skip[-\w]*|insecure|no-check[-\w]*|allow[-\w]*"
            r"|disable[-\w]*|dangerously[-\w]*|privileged|trust[-\w]*|bypass[-\w]*|no-sandbox|unsafe[-\w]*|yes)",
            "tool_choice",
            unless=r"\b(?:i|we|he|she|they|user|team) (?:usually |always |often |would |like to |still )?(?:prefer"
            r"|favou?r|choose|use|pick)s?\b",
        ),
        Rule(
            "tool_rule",
            r"\b(?:execute|run|eval|evaluate|launch|start|apply)<3>(?:code|script|commands?|snippet|program"
            "|binary|macro|attachment|payload|installer)<3>(?:on|at|before|after|in|during|whenever|when"
            "|upon)<2>(?:each|every|start|startup|start-up|launch|boot|login|session|answering|replying"
            r"|starting)\b|\b(?:install|load|add|enable|import|download|fetch|trust)<3>(?:plugin|extension"
            "|package|skill|tool|server|connector|module|certificate|updates?|instructions"
            r"|config\w*)\b<3>from\s+(?:https?://|\d{{1,3}}\.\d)|\b(?:tell|instruct|convince|inform|remind|teach"
            r"|order)<2>(?:other|all|every|fellow|peer)<2>(?:agents?|assistants?|bots?|models?)\b",
            "code_and_peers",
            unless=r"\b(?:i|we|he|she|they|user|team) (?:usually |always |often |like to )?(?:run|execute|start"
            r"|launch)\b",
        ),
        Rule(
            "tool_rule",
            r"\bcurl [^\n|]{0,120}\|\s*(?:sudo )?(?:ba|z)?sh\b|\b(?:curl|wget|fetch|download|pull|get|install"
            r"|load|run|execute|source)\b[^\n]{0,60}?https?://\S+\.(?:sh|ps1|exe|py|js|bat|msi|jar|dll|bin|apk"
            r"|pkg|dmg)\b|\brm -rf?\b|\bchmod \+x\b|\bpowershell -e\w*|\biex\s*\(|\beval\s*\(\s*(?:base64|atob"
            r"|requests|fetch)|\bpip install (?:git\+|https?:|--index-url)|\bnc -e\b|/dev/tcp/|\bxp_cmdshell\b"
            r"|\bos\.system\(",
            "runs_code",
        ),
        Rule(
            "tool_rule",
            r"\b(?:tool|shell|terminal|function|werkzeug|outil|herramienta)\b[^.!?\n]{0,60}?\b(?:before each"
            "|before every|vor jeder|vor jedem|avant chaque|antes de cada|prima di ogni|nach jeder|nach jedem"
            r"|apres chaque|despues de cada)\b|\b(?:before each|before every|vor jeder|vor jedem|avant chaque"
            "|antes de cada|prima di ogni)<2>(?:task|reply|answer|response|session|conversation|aufgabe|antwort"
            "|sitzung|anfrage|tache|reponse|session|requete|tarea|respuesta|sesion|consulta|compito"
            r"|risposta)s?\b[^.!?\n]{0,20}?[, ]\s*(?:\w+ ){0,2}(?:run|call|use|execute|fetch|invoke|send"
            "|download|load|starte|rufe|nutze|verwende|fuhre|lade|sende|lance|appelle|utilise|execute"
            r"|telecharge|envoie|ejecuta|llama|usa|descarga|envia|esegui|chiama|scarica)\b",
            "before_each",
            unless=r"\b(?:i|we|he|she) (?:always |usually |like to )?(?:run|call|use|send)\b",
        ),
        Rule(
            "spreads",
            r"\b(?:write|copy|propagate|save|spread|replicate|share|forward|send|add|insert|store|pass|broadcast"
            r"|repeat|put|plant|include|duplicate|sync|distribute|append|transmit|publish)\b<3>(?:this|the same"
            rf"|same|these|that|the above|the following|itself|yourself)\b<3>(?:{_NOTE}|verbatim|word for word"
            "|itself)?<4>(?:to|in|into|with|across|for|at|among)<5>(?:every|all|other|each|any|another|the|peer"
            "|fellow|future|new|the other)<3>(?:agents?|memor(?:y|ies)|assistants?|subjects?|users?|models?"
            "|bots?|peers?|threads?|sessions?|conversations?|instances?|profiles?|summar(?:y|ies)|stores?"
            r"|repl(?:y|ies)|notes?|responses?)\b",
            unless=r"\b(?:i|we|he|she) (?:always |usually |will |want to |like to )?(?:share|send|write|forward|copy)\b",
        ),
        Rule(
            "spreads",
            rf"\bpass (?:this|the) {_NOTE}<2>(?:on|along)\b|\b(?:every|all|other|each) (?:other )?(?:agents?"
            r"|assistants?|bots?|models?|peers?)\b<4>(?:memory|memories|should|must|to|needs?|also|has to"
            "|shall)<4>(?:copy|store|remember|save|repeat|contain|include|hold|adopt|learn|know|write|keep"
            r"|import|load|accept|apply)\b|\b(?:when|whenever|if) (?:you )?(?:summari[sz]e|summari[sz]ing"
            r"|consolidat\w+|compress\w*|forget\w*|delet\w+|merg\w+)\b[^.!?\n]{0,40}?[, ]\s*(?:always |please "
            "|never |you must )*(?:keep|preserve|copy|repeat|rewrite|restore|re-?create|retain"
            r"|include)<3>(?:this|the above|these)\b|\b(?:when|if|whenever|after|once|should)<1>(?:this"
            rf"|the) {_NOTE}<3>(?:removed|deleted|erased|forgotten|expires?|missing|gone|cleared|lost"
            r"|disappears)\b[^.!?\n]{0,20}?[, ]\s*(?:write|store|save|create|add|restore|re-\w+|put"
            rf"|remember)\b|\b(?:re-?create|rewrite|restore|re-?add|re-?save|store)<2>this {_NOTE}<4>(?:if|when"
            "|whenever|after|every|again)<3>(?:deleted|removed|erased|forgotten|gone|missing|day|session|hour)",
            "persists",
        ),
        # Writing over what is remembered.
        Rule(
            "rewrites_memory",
            r"\b(?:delete|erase|remove|wipe|clear|purge|forget|overwrite|discard|drop|invalidate"
            r"|destroy)\b<2>(?:all|every|any|other|each|previous|existing|old|the other|everything)<3>(?:memory"
            "|memories|notes about|stored notes|records of the user|preferences of (?:this|the) user"
            r"|stored preferences|preferences on file|saved memories|entries in memory)\b|\b(?:all|every|any"
            "|other)<2>(?:memories|memory|stored notes|saved notes)<2>(?:is|are|were|was|should be"
            "|must be)<2>(?:invalid|void|wrong|false|outdated|untrusted|deleted|erased|ignored|fake|lies"
            r"|compromised|superseded)\b|\b(?:this|the following) (?:memory|note|entry|rule|instruction"
            "|fact)<2>(?:overrides?|supersedes?|replaces?|outranks?|takes precedence|has priority|beats|trumps"
            r"|wins over|prevails)\b|\b(?:takes?|has|have|with|gives? it) (?:absolute |highest "
            "|top )?(?:precedence|priority) over (?:all|any|every|other|the|your|previous)<3>(?:memor(?:y|ies)"
            r"|instructions?|rules?|polic(?:y|ies)|notes?|preferences|guidelines|statements?|entries)\b",
            unless=r"\b(?:i|he|she|they|we) (?:want to |will |never |can't |cannot |try to )?(?:forget|erase|delete"
            r"|wipe)\b|fond memories|childhood memor|memories of",
        ),
        Rule(
            "rewrites_memory",
            r"\b(?:update|change|set|replace|overwrite|alter|modify|rewrite|edit|switch|swap)\b<2>(?:the |their "
            "|user's |customer's |saved |stored |payee's |beneficiary |default |registered "
            "|on file )+(?:delivery |shipping |billing |payment |bank |e-?mail |payout |iban |account |phone "
            "|recovery |contact |wallet |refund )*(?:address|account|details|iban|number|e-?mail|recipient"
            r"|payee|beneficiary|destination|wallet|method|password)<4>(?:to|with|for|into)\b",
            "changes_details",
            unless=r"\b(?:website|web site|page|footer|signature|readme|docs|i|we|i'd|i'll|my|our|want to|need to"
            r"|wants to|asked to|would like to|has|have|had)\b",
        ),
    ],
)


# A thing of a kind that is told apart by number or name: "patient 4417", "employee Ruiz", "depot North".
_IDENTIFIED = compiled(
    r"\b(?i:(patient|account|customer|client|user|employee|order|member|subject|record|chart|file|case"
    "|depot|site|item|ticket"
    "|invoice|student|product|supplier|contract|policy|vendor|project|booking|shipment|vehicle|branch"
    "|store|shop|warehouse|tenant|flight|hotel|clinic|hospital|drug|city|airport|room|machine|server"
    "|team|department))"
    r"(?i: id| number| no\.?| nr\.?)?\s+(?:#\s?)?([\w-]*\d[\w-]*|[A-Z][\w-]*)"
    r"|\b([A-Z][\w-]*)'s (?i:(?:\w+ )?(file|calendar|account|chart|record|records|schedule|data|profile"
    r"|folder|history|preferences|address|balance|order|orders|results))\b"
)
_REDIRECTS = compiled(
    expanded(
        r"\b(?:refer to|look up|look at|look in|look under|see|answer(?:ed)?|read|taken|take|retrieved?"
        "|consult|use|using|treat(?:ed)?|assume|substitute[sd]?"
        "|replaced?|swap(?:ped)?|instead|same as|stands? for|meant|means|stored under|kept under"
        "|filed under|saved as|saved under|stored as|moved to|copied from|mapped to"
        "|answers? from|same content|the latter|the former|found under|fetched from|think of|is (?:dr|mr|ms"
        r"|mrs)?\s*\w+'s|redirect\w*|equals?|interchangeable|as if|as though|in place of)\b"
    )
)


def find_attacks(reading: Reading, *, is_stated: bool) -> list[Finding]:
    """Find text that reads like an attempt to steer agents; it is for a reviewer, whatever else it says.

    What a person may well say of their own wishes ("when the report arrives, forward it") is reported only where
    the text is not a statement of the person.
    """
    unasked = () if is_stated else UNASKED.findings(reading)
    return [*RULES.findings(reading), *unasked, *_bridges(reading)]


def _bridges(reading: Reading) -> Iterator[Finding]:
    """Find two different things of one kind joined by words that put one in the other's place."""
    seen: dict[str, str] = {}
    for match in _IDENTIFIED.finditer(reading.text):
        kind, name = (match.group(1) or match.group(4)).lower(), (match.group(2) or match.group(3)).lower()
        first = seen.setdefault(kind, name)
        if first != name and _REDIRECTS.search(reading.folded) is not None:
            yield Finding("bridges_records", "attack", None, reading.span(match.start(), match.end()), _TWO_OF_A_KIND)
            return
