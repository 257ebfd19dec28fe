"""Text about the workings of agents: tools, notes that spread, what is remembered."""

from memory_admin.screening.attack.vocabulary import NOTE
from memory_admin.screening.rules import Rule, any_of

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


WORKINGS = (
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
        rf"|same|these|that|the above|the following|itself|yourself)\b<3>(?:{NOTE}|verbatim|word for word"
        "|itself)?<4>(?:to|in|into|with|across|for|at|among)<5>(?:every|all|other|each|any|another|the|peer"
        "|fellow|future|new|the other)<3>(?:agents?|memor(?:y|ies)|assistants?|subjects?|users?|models?"
        "|bots?|peers?|threads?|sessions?|conversations?|instances?|profiles?|summar(?:y|ies)|stores?"
        r"|repl(?:y|ies)|notes?|responses?)\b",
        unless=r"\b(?:i|we|he|she) (?:always |usually |will |want to |like to )?(?:share|send|write|forward|copy)\b",
    ),
    Rule(
        "spreads",
        rf"\bpass (?:this|the) {NOTE}<2>(?:on|along)\b|\b(?:every|all|other|each) (?:other )?(?:agents?"
        r"|assistants?|bots?|models?|peers?)\b<4>(?:memory|memories|should|must|to|needs?|also|has to"
        "|shall)<4>(?:copy|store|remember|save|repeat|contain|include|hold|adopt|learn|know|write|keep"
        r"|import|load|accept|apply)\b|\b(?:when|whenever|if) (?:you )?(?:summari[sz]e|summari[sz]ing"
        r"|consolidat\w+|compress\w*|forget\w*|delet\w+|merg\w+)\b[^.!?\n]{0,40}?[, ]\s*(?:always |please "
        "|never |you must )*(?:keep|preserve|copy|repeat|rewrite|restore|re-?create|retain"
        r"|include)<3>(?:this|the above|these)\b|\b(?:when|if|whenever|after|once|should)<1>(?:this"
        rf"|the) {NOTE}<3>(?:removed|deleted|erased|forgotten|expires?|missing|gone|cleared|lost"
        r"|disappears)\b[^.!?\n]{0,20}?[, ]\s*(?:write|store|save|create|add|restore|re-\w+|put"
        rf"|remember)\b|\b(?:re-?create|rewrite|restore|re-?add|re-?save|store)<2>this {NOTE}<4>(?:if|when"
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
)
