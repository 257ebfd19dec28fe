"""Text about somebody else's life, or for somebody else's memory."""

from memory_admin.screening.rules import Rule, any_of, set_of

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

# Who may be the subject of "said that … is": the one the memory is about.
_SPEAKERS = set_of("""i he she they it we you user the this that there his her their my our who what""")


OTHERS = (
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
        "|works|ordered|suffers|owes|address|phone|email|order|account|data"
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
)
