"""Text that tells an agent to drop what it was told."""

from memory_admin.screening.rules import Rule, any_of

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


OVERRIDES = (
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
        r"|said|written|trained|programmed|shown|learned|above|before)\b"
        rf"|\b{_FORGET}<1>(?:the|these|those|any|all)<1>{_ORDERS}<2>(?:you|they) (?:were|have|had|got|received)\b",
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
        r"|jailbroken|dan|uncensored|free of|free from|free to|root|admin|in developer|evil)\b"
        r"|\byou are no longer<3>(?:an ai|assistant|bound|restricted|limited|required|obliged|subject)\b"
        r"|\b(?:act|behave|respond|operate) as<3>(?:unrestricted|unfiltered"
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
)
