"""Text that borrows the voice of a system, a developer or an authority."""

from memory_admin.screening.attack.vocabulary import NOTE
from memory_admin.screening.rules import Rule

_AGENT = (
    "(?:you|the agent|agents|the assistant|assistant|assistants|the model|the bot|the ai|ai|every agent"
    "|all agents|any agent)"
)


AUTHORITY = (
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
        r"|authority)|precedence|admin\w*|priority over)"
        r"|\b(?:message|note|notice|order|announcement) from (?:the )?(?:platform|system|operator|developers?"
        r"|vendor|admins?)\s*:",
        "speaks_as",
    ),
    Rule(
        "fake_authority",
        r"\b(?:per|under|according to|as per|following|in line with|by|in accordance with)<3>(?:policy"
        rf"|policies|directive|protocol|guidelines|regulations?|mandate|procedure)\b<6>{_AGENT}<2>(?:must"
        "|shall|should|may|can|are (?:allowed|required|authori[sz]ed|permitted)|is (?:allowed|required"
        r"|authori[sz]ed|permitted)|will|need)\b|\b(?:policy|rule) (?:update|change"
        rf"|amendment)\b[^.\n]{{0,40}}:|\b{NOTE}<3>(?:must|has to|have to|shall|needs to) be (?:followed"
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
)
