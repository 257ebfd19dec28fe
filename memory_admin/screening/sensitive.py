"""Sensitive categories: words in their context, habits that give a trait away, and phrases that infer one."""

from memory_admin.screening.findings import Finding
from memory_admin.screening.hidden import Reading
from memory_admin.screening.rules import Match, Rule, RuleBook, any_of, compiled, expanded

CATEGORIES = (
    "health",
    "sex_life",
    "religion",
    "politics",
    "union_membership",
    "ethnicity",
    "biometric",
    "genetic",
    "immigration",
    "criminal_record",
    "finances",
    "minors",
    "precise_location",
)

# Somebody's work, reading or giving is not their condition.
_AT_A_DISTANCE = (
    r"\b(?:research|researcher|awareness|charity|charities|fundrais\w*|donat\w*|study|studies|article"
    "|book|novel|movie"
    "|film|documentary|podcast|paper|papers|course|campaign|insurance|dataset|data set|app|software"
    "|startup|module"
    r"|survey|conference|policy paper|news|policy brief|market|industry|clinical trial)\b"
)
_CONDITION = any_of(
    r"""diabetes|diabetic|cancer|leukaemia|leukemia|lymphoma|melanoma|tumou?r|chemo|chemotherapy|radiotherapy|hiv
    |hiv positive|hepatitis|tuberculosis|epilepsy|epileptic|asthma|arthritis|lupus|crohn'?s|colitis
    |coeliac disease|celiac disease|multiple sclerosis|parkinson'?s|alzheimer'?s|dementia|(?:had|suffered
    |survived|after) (?:a|his|her|my|the) stroke|stroke (?:patient|survivor)|heart attack|heart disease
    |heart condition|heart failure|high blood pressure|hypertension|kidney disease|dialysis|transplant
    |endometriosis|infertility|clinical depression|depression|depressive|depressed|clinically depressed|bipolar
    |schizophreni[ac]|psychosis|psychotic|anxiety disorder|panic attacks?|ptsd|post traumatic|ocd|adhd|autism
    |autistic|asperger'?s|anorexia|anorexic|bulimia|eating disorder|self harm|self-harm\w*|suicidal
    |suicide attempt|attempted suicide|burnout|burn-out|insomnia|migraines?|chronic pain|fibromyalgia|long covid
    |chronic fatigue|glaucoma|cataracts?|sleep apno?ea|cpap|thyroid (?:disease|condition|problem)|hypothyroid\w*
    |gout|sciatica|psoriasis|eczema|anaemi[ac]|anemi[ac]|osteoporosis|cirrhosis|gallstones|kidney stones
    |pneumonia|copd|emphysema|angina|arrhythmia|aneurysm|tinnitus|vertigo|dyslexi[ac]|tourette'?s|(?:severe
    |chronic|social|crippling|generali[sz]ed) anxiety|anxiety attacks?|depresion|ansiedad|angststorung\w*
    |disability|disabled|wheelchair user|(?:in|use|uses|using|need|needs) a wheelchair|deaf|(?:hearing|visual
    |vision|speech|cognitive|learning|visually|hearing) (?:impair\w+|loss|disabilit\w+|difficult\w+)
    |legally blind|(?:is|am|i'm|partially|registered|probably|likely) blind|amputee|miscarriage|miscarried|abortion
    |stillbirth|ivf|fertility treatment|menopause|std|sti|syphilis|gonorrh\w+|chlamydia|herpes|erectile dysfunction
    |incontinence|alcoholic|alcoholism|drug addict\w*|addiction|addicted to (?:alcohol|drugs|heroin|opioids
    |cocaine|pills|gambling)|drinking problem|substance abuse|in rehab|overdose|obesity|obese|anaphyla\w+
    |brain injury|concussion|schlaganfall|krebs|zuckerkrank|diabetiker\w*|depressionen|schwanger|schwangerschaft
    |behindert|epileptiker\w*|suchtkrank\w*|diabete|diabetique|depressif|depressive|enceinte|handicape\w*
    |cancereux|seropositi\w+|embarazada|diabetic[oa]|cancer de \w+|deprimid[oa]|incinta|gravida|diabete mellito
    |zwanger|suikerziekte"""
)
_TREATMENT = any_of(
    r"""insulin|antidepressants?|anti depressants?|ssris?|sertraline|fluoxetine|prozac|zoloft|xanax|valium|lithium
    |antipsychotics?|antiretroviral|prep pills|methadone|naloxone|buprenorphine|statins?|beta blockers?
    |blood thinners?|warfarin|metformin|ozempic|ritalin|adderall|hormone therapy|hormone replacement|hrt
    |pacemaker|inhaler|epipen|prenatal vitamins?|pregnancy test|folic acid|oncologist|oncology|psychiatrist
    |psychiatric|psychotherapist|psychotherapy|cardiologist|neurologist|fertility clinic|dialysis|chemo
    |methadone clinic|rehab|detox|alcoholics anonymous|narcotics anonymous|aa meetings?|sober|sobriety|hospice
    |biopsy|mastectomy|hysterectomy|colonoscopy"""
)
_RELIGION = any_of(
    r"""muslim|islam|islamic|christian|catholic|protestant|evangelical|baptist|lutheran|methodist|anglican
    |orthodox christian|mormon|latter day saint|jehovah'?s witness|adventist|jewish|jew|judaism|hindu|hinduism
    |buddhist|buddhism|sikh|jain|atheist|agnostic|pagan|wiccan|satanist|scientologist|zoroastrian|bahai|shia
    |sunni|born again|muslima|christ|christin|katholisch|evangelisch|judisch|muslimisch|buddhistisch|catholique
    |musulmane?|juive?|catolic[oa]|musulman[ae]?|judi[oa]|cattolic[oa]"""
)
_FAITHFUL = any_of(
    r"""(?:goes|going|go|went|attends?|attending) to (?:the )?(?:mass|mosque|synagogue|temple|friday prayers?
    |confession|bible study|sunday service|church every|church on)|(?:attends?|attending) (?:mass|mosque
    |synagogue|church|temple|friday prayers?|bible study|sunday service)|church choir|altar server|sunday school
    |youth pastor|diwali|hanukkah|yom kippur|passover|friday prayers?|prays? (?:five times|daily|every|to allah
    |to god|the rosary)|praying (?:five times|daily)|ramadan|eid prayers?|fast(?:s|ing)? (?:for|during) (?:lent
    |yom kippur|ramadan)|shabbat|sabbath|keeps? kosher|kosher (?:meals?|food|diet|kitchen|only|meat)
    |halal (?:meals?|food|diet|meat|only|butcher)|tithes?|tithing|baptised|baptized|confirmation class
    |bar mitzvah|bat mitzvah|hajj|umrah|wears? (?:a )?(?:hijab|niqab|turban|yarmulke|kippah|crucifix)
    |converted to (?:islam|christianity|judaism|buddhism|hinduism|catholicism)|lost (?:my|his|her|their) faith
    |strong faith|deeply religious|very religious"""
)
_PARTY = any_of(
    r"""democrats?|republicans?|labour|labour party|labor party|tory|tories|conservatives?|conservative party
    |lib dems?|liberal democrats?|greens|the greens|left party|the left|green party|reform uk|snp|ukip|gop|socialists?
    |socialist party|communists?|communist party|libertarians?|libertarian party|far right|far-right|far left
    |far-left|left wing|left-wing|right wing|right-wing|trump|biden|harris|obama|brexit|afd|cdu|csu|spd|fdp
    |die grunen|grune|grunen|die linke|linke|bsw|rassemblement national|front national|macron|melenchon|le pen
    |podemos|vox|psoe|pp|sumar|lega|fratelli d'italia"""
)
_KIN = (
    "(?:son|daughter|child|kid|boy|girl|baby|toddler|nephew|niece|grandson|granddaughter|grandchild"
    "|stepson|stepdaughter|sohn|tochter|kind|fils|fille|hijo|hija|figlio|figlia)"
)
_PEOPLE = any_of(
    """african|algerian|american indian|arab|armenian|asian|bangladeshi|black|bosnian|brazilian|bulgarian|caribbean
    |chechen|chinese|congolese|cuban|dominican|egyptian|eritrean|ethiopian|filipino|filipina|georgian|ghanaian
    |greek|haitian|hispanic|hungarian|indian|indonesian|iranian|iraqi|irish|israeli|italian|jamaican|japanese
    |jordanian|kenyan|korean|kosovan|kurdish|latino|latina|lebanese|mexican|moroccan|nepali|nigerian|pakistani
    |palestinian|persian|polish|portuguese|puerto rican|roma|romanian|russian|saudi|senegalese|serbian|somali
    |spanish|sudanese|syrian|taiwanese|tamil|tatar|thai|tunisian|turkish|ukrainian|uyghur|venezuelan|vietnamese
    |yemeni"""
)
_WHO = (
    "(?:i'?m|i am|i was|i've been|he is|he's|she is|she's|they are|they're|user is|user's|customer is"
    "|client is|patient is|is|am|are|identif(?:y|ies) as|came out as|come out as|coming out as|being"
    "|as a|as an|be|likely|probably|possibly|perhaps|maybe|seems?|appears?|might be|may be|must be"
    "|ich bin|ist|je suis|est|soy|es|sono|e)"
)
_MODIFIER = (
    "(?: (?:a|an|the|ein|eine|un|une|una|not|very|quite|practising|practicing|devout|lapsed|strict"
    "|openly|proud|also|actually|likely|probably|possibly|maybe|secretly|closeted|to be|now|registered"
    "|lifelong|staunch|card carrying|clearly|obviously|certainly|really|raised|born|currently|being"
    "|partly|half|black|white|reform|secular|observant))*"
)
_AMOUNT = (
    r"(?:[$€£¥]\s?\d[\d.,]*\s?(?:k|m|thousand|million)?|\d[\d.,]*\s?(?:k\b|k |thousand "
    r"|million )?\s?(?:usd|eur|gbp|chf|dollars|euros?|pounds|francs|a year|per year|per month|a month"
    "|annually))"
)


def _is_minor(match: Match) -> bool:
    """Tell whether the age named is under eighteen."""
    return int(match.group(1)) < 18


def _rule(code: str, category: str, pattern: str, name: str = "", unless: str | None = None) -> Rule:
    return Rule(code=code, category=category, pattern=pattern, name=name, unless=unless)


TRAITS = RuleBook(
    "sensitive",
    [
        _rule(
            "health_condition",
            "health",
            rf"\b{_CONDITION}\b",
            unless=rf"{_AT_A_DISTANCE}|\b(?:deaf ears|cancer sign|zodiac|great depression|economic depression|stroke of"
            r"|(?:cat|dog|puppy|kitten|horse|hamster|rabbit|parrot|pet)\b|deaf (?:community|culture|school"
            r"|theatre)|transplant(?:ed|ing)? (?:the|my|some|a) (?:plant|seedling|tree|tomato)\w*"
            "|tropical depression|lithium[ -](?:ion|battery)|disabled (?:the|a|by|on|in|it|this|for|accounts?"
            r"|users?|features?|notifications?|alerts?)|is disabled|are disabled|was disabled)\b",
        ),
        _rule(
            "health_condition",
            "health",
            r"\b(?:pregnant|pregnancy|(?:expecting|expects) (?:a baby|a child|twins|her|their)|(?:is|she's"
            "|they're|i'm|are|am|be) expecting(?: in (?:january|february|march|april|may|june|july|august"
            "|september|october|november|december))|due in (?:january|february|march|april|may|june|july|august"
            r"|september|october|november|december) with)\b|\b(?:is|she's|they're|i'm|are|am|be) expecting(?:$"
            "|[.,;!])",
            "pregnancy",
            unless=r"pregnant pause",
        ),
        _rule(
            "health_treatment",
            "health",
            rf"\b{_TREATMENT}\b",
            unless=rf"{_AT_A_DISTANCE}|lithium[ -](?:ion|battery)|digital detox|sober (?:look|thought|assessment|view)"
            "|technical sobriety",
        ),
        _rule(
            "health_treatment",
            "health",
            r"\b(?:takes?|taking|on|prescribed|needs?|needing|refills?|dose of|doses of)<2(?:medication"
            r"|medications|meds|medicine for|pills|tablets|prescription for|painkillers|antibiotics|opioids)\b".replace(
                "<2", "<2>"
            ),
            "medication",
        ),
        _rule(
            "health_treatment",
            "health",
            r"\b(?:my|his|her|their|user'?s|the user'?s|customer'?s|patient'?s)<3>(?:therapist|counsell?or"
            "|surgery|operation|diagnosis|illness|disease|symptoms|medication|meds|rehab|prognosis"
            r"|mental health|test results|blood test|biopsy|mri|specialist|psychologist)\b",
            "own_care",
            unless=_AT_A_DISTANCE + r"|physical therapist job|to support",
        ),
        _rule(
            "health_treatment",
            "health",
            r"\b(?:sees?|seeing|visits?|visiting|goes to|going to|attends?|attending|appointments? (?:with|at)"
            "|treated at|referred to|start(?:ed|s|ing)?)<3>(?:therapist|therapy|psychologist|psychiatrist"
            r"|counsell?ing|clinic|hospital for|oncologist|specialist|support group for|rehab|physiotherapy)\b",
            "care",
            unless=_AT_A_DISTANCE
            + "|law clinic|legal clinic|coding clinic|tennis clinic|retail therapy|(?:basketball|soccer|football"
            r"|sports?|hockey|vet\w*) clinic",
        ),
        _rule(
            "health_treatment",
            "health",
            r"\bclinic<6>(?:treats?|speciali[sz]es|for)\b|\b(?:treats?|treatment for|specialises in"
            "|specializes in)<2>(?:addiction|depression|anxiety|eating disorders?|infertility|hiv|cancer"
            r"|trauma)\b",
            "clinic",
        ),
        _rule(
            "health_condition",
            "health",
            r"\b(?:diagnosed with|suffers? from|suffering from|living with|lives with|recovering from"
            "|recovered from|relapsed|in remission|hospitali[sz]ed|tested positive|terminally ill"
            "|chronically ill|on sick leave|sick leave|signed off sick|leidet an|leide an|diagnostiziert"
            "|erkrankt|krankgeschrieben|souffre de|atteinte? de|malade|diagnosticad[oa]|padece|sufre de"
            r"|enferm[oa] de|malat[oa] di)\b",
            "diagnosis",
            unless="(?:living|lives) with (?:my|his|her|their|a|the|two|three|roommates?|parents|friends|family|him"
            r"|her|it|them|us|me|someone|wife|husband|partner|so|cats?|dogs?)\b|recover(?:ing"
            "|ed) from (?:the )?(?:crash|outage|backup|failure|loss|defeat|incident|disk|setback|mistake)"
            "|diagnosed with (?:a )?(?:bug|fault|error)",
        ),
        _rule(
            "health_condition",
            "health",
            r"\ballergic to<3>(?:penicillin|amoxicillin|antibiotics|aspirin|ibuprofen|latex|anaesthe\w+"
            r"|anesthe\w+|sulfa|morphine|codeine)\b",
            "drug_allergy",
        ),
        _rule(
            "health_condition",
            "health",
            r"\b(?:struggl(?:e|es|ing|ed) with|battl(?:e|es|ing|ed)|history of)<3>(?:anxiety|depression"
            r"|addiction|alcohol|drinking|drugs|mental|eating|weight|cancer|illness|opioids)\b",
            "struggle",
            unless=_AT_A_DISTANCE,
        ),
        _rule(
            "sexual_orientation",
            "sex_life",
            rf"\b{_WHO}{_MODIFIER} (?:gay|lesbian|bisexual|bi|homosexual|heterosexual|straight man|straight woman"
            "|queer|pansexual|asexual|intersex|transgender|trans|trans (?:man|woman)|transsexual|non binary"
            "|nonbinary|non-binary|gender fluid|genderfluid|polyamorous|schwul|lesbisch|bisexuell"
            r"|homosexuel(?:le)?|homosexual|lesbiana|omosessuale)\b",
        ),
        _rule(
            "sexual_orientation",
            "sex_life",
            r"\b(?:my|his|her|their|own|user'?s)<2>(?:sexuality|sexual orientation|gender identity"
            "|gender transition|transition journey|gender dysphoria|coming out|coming-out|sex life"
            r"|sexual partners?|sex drive|libido)\b|\b(?:came|come|coming) out<3>(?:parents|family|friends|gay"
            r"|lesbian|bi|trans|transgender|queer)\b",
            "identity",
        ),
        _rule(
            "sexual_orientation",
            "sex_life",
            r"\b(?:(?:dating|attracted to|sleeps with|sleeping with|prefers) (?:other )?(?:men|women)|grindr"
            "|scruff|hornet app|gay bars?|gay dating|lesbian dating|same sex partner"
            "|same-sex partner|escort service|sex worker|brothel|swingers?|bdsm|fetish(?:es)?|porn|pornography"
            "|one night stands?|extramarital|having an affair|has an affair|affair with|cheating on (?:his|her"
            r"|their) (?:wife|husband|partner))\b",
            "practice",
            unless=_AT_A_DISTANCE + r"|affair with (?:food|coffee|music|books|art)|love affair",
        ),
        _rule(
            "religious_belief",
            "religion",
            rf"\b{_WHO}{_MODIFIER} {_RELIGION}\b",
            unless="christ (?:church|the redeemer)|christian (?:bale|dior|name|louboutin)|(?:is|as|named"
            r"|called) christian\b$|orthodox (?:approach|method)",
        ),
        _rule(
            "religious_belief",
            "religion",
            r"\b(?:my|his|her|their|user'?s)<2>(?:faith|religion|religious beliefs?|church|mosque|synagogue"
            r"|parish|congregation|rabbi|imam|priest|pastor|baptism|prayer group|temple)\b|\b(?:belongs?|member"
            r"|joined)<4>(?:church|mosque|synagogue|parish|congregation|temple)\b|\b(?:pertenece"
            r"|appartient|gehort)<3>(?:iglesia|eglise|kirche|gemeinde)\b|\b(?:practising|practicing|devout"
            r"|lapsed|strict|observant)<1>(?:muslim|catholic|christian|jew|hindu|buddhist|sikh)\b",
            "own_faith",
            unless="in good faith|faith in (?:the )?(?:team|process|product|you|me|us|humanity|people|yourself|myself)",
        ),
        _rule(
            "religious_practice",
            "religion",
            rf"\b{_FAITHFUL}\b",
            unless=_AT_A_DISTANCE + "|temple (?:run|university|bar)|ramadan (?:sale|tariff)|moved to the temple",
        ),
        _rule(
            "political_opinion",
            "politics",
            r"\b(?:vot(?:e|es|ed|ing)|campaign(?:s|ed|ing)?|canvass(?:es|ed|ing)?|donat(?:e|es|ed|ing)|supports?"
            "|supporter of|member of|joined|believes? in|sympathi[sz]es with|leans|backs|rally for|wahlt|wahle"
            rf"|gewahlt|votes? pour|vota|voto|militante?|mitglied der|mitglied bei)<3>{_PARTY}\b",
            "party",
            unless="(?:labour|conservative|green|vox|lega|pp|harris) (?:day|estimate|option|energy|tea|media|car|salad"
            "|law|costs?|theme|screen|line|ward|approach)",
        ),
        _rule(
            "political_opinion",
            "politics",
            rf"\b{_WHO}{_MODIFIER} (?:democrat|republican|conservative|liberal|socialist|communist|marxist"
            "|libertarian|anarchist|leftist|left wing|left-wing|right wing|right-wing|tory|pro life|pro-life"
            "|pro choice|pro-choice|trump supporter|brexiteer|nationalist|populist|fascist|monarchist"
            r"|feminist activist|far right|far-right)\b",
            "leaning",
            unless="conservative (?:estimate|with|about|investor|approach|forecast)|liberal (?:arts|with|use)",
        ),
        _rule(
            "political_opinion",
            "politics",
            r"\b(?:political (?:views?|opinions?|party|affiliation|beliefs?|leanings?)|party member(?:ship)?"
            "|voted for|vote for|votes for|intends to vote|will vote|plans to vote|voting for"
            "|political activist|(?:went to|attended|attends|joined|joins|marched (?:in|at)|takes part in"
            "|took part in)<4>(?:protest|rally|demonstration|protest march)<4>(?:against|for|government|party"
            "|president|parliament|climate|war)|(?:far-right|far right|far-left|far left|extremist) (?:forums?"
            r"|groups?|content|sites?|views?)|anti abortion|pro palestin\w+|pro israel\w*|climate protest)\b",
            "views",
            unless="voted? for (?:the )?(?:best|proposal|motion|option|name|logo|design|employee|mvp|restaurant|movie"
            "|player|my favou?rite|pizza|place)|voting for (?:the )?(?:best|logo|name|option|mvp)",
        ),
        _rule(
            "union_membership",
            "union_membership",
            r"\b(?:trade union|labou?r union|union (?:member|membership|rep|representative|dues|steward|meeting"
            "|meetings|organi[sz]er|branch|card|official|activist)|workers'? council|works council|shop steward"
            "|(?:member|joined|joining|organi[sz]ing|belongs? to|active)(?: of| in| for)?<2>union"
            r"|(?:organi[sz]\w+|leads?|leading|joined|joins)<2>strike|unioni[sz](?:e|ed|ing|ation)|picket line"
            "|on strike|strike committee|unite the union|unison|unison member|seiu|teamsters|afl-cio|ig metall"
            r"|verdi|ver\.di|gewerkschaft\w*|betriebsrat\w*|syndicat|syndique\w*|delegue syndical|cgt|cfdt"
            r"|sindicat\w*|sindacato|vakbond)\b",
            unless="credit union|european union|student union|union (?:jack|square|station|street|type)|in unison"
            "|giuseppe verdi|verdi'?s (?:opera|requiem)|opera|bowling",
        ),
        _rule(
            "ethnic_origin",
            "ethnicity",
            rf"\b(?:{_WHO}{_MODIFIER} (?:african american|afro american|native american|first nations|aboriginal"
            "|indigenous|latina|latino|latinx|hispanic|asian american|middle eastern|mixed race|biracial"
            "|multiracial|caucasian|white person|black person|black man|black woman|person of colou?r|kurdish"
            "|kurd|roma|romani|sinti|romany|gypsy|uyghur|tibetan|maori|sami|inuit|pakistani|han chinese|arab"
            "|persian|ashkenazi|sephardic|berber|hutu|tutsi|punjabi|tamil|igbo|yoruba|hausa|zulu)|(?:my|his|her"
            "|their|user'?s)<1>(?:ethnicity|ethnic background|ethnic origin|race|racial background|skin colou?r"
            "|tribe|ancestry)|(?:of|has|with)<1>(?:african|asian|jewish|arab|turkish|latin|hispanic|roma"
            "|kurdish|indian|caribbean|indigenous|polish|mexican|chinese|korean|nigerian) (?:descent|origin"
            r"|heritage|ancestry|roots|blood))\b",
            unless=r"\b(?:race|race's) (?:car|day|track|against|condition|time|bib|number|pace|was|is|on|in|went|next"
            "|this|last|results?)|(?:his|her|my|their|user'?s) (?:first|last|next|big|charity|road|bike"
            "|half) race|arab spring|asian (?:food|cuisine)|for their race|tamil (?:food|film)",
        ),
        _rule(
            "ethnic_origin",
            "ethnicity",
            r"\b(?:probably|likely|presumably|suggests?|seems?|seemingly|appears?|apparently|must be|judging"
            rf"|indicates?|implies|vermutlich|wahrscheinlich)<4>(?:{_PEOPLE})\b|\b(?:{_PEOPLE}) (?:by birth"
            "|by origin|origin|origins|descent|heritage|roots|ancestry|background|blood|ethnicity|immigrant"
            r"|parents)\b|\b(?:by origin|by ethnicity|ethnically)\b",
            "people",
            unless="(?:food|cuisine|restaurant|dishes|recipe|cooking|language|lessons?|course|film|movie|music|coffee"
            "|wine|tea) ?$|likely (?:to )?(?:visit|travel)",
        ),
        _rule(
            "ethnic_origin",
            "ethnicity",
            r"\b(?:user is|i am|i'm|he is|she is|^is) (?:a )?(?:black|white|biracial|mixed|brown)(?: man| woman"
            "| person)?(?:$|[.,;!]| and (?:grew|was|lives|raised|from)| by)",
            "colour",
        ),
        _rule(
            "biometric_data",
            "biometric",
            r"\b(?:finger ?prints?|face ?print|facial geometry|face template|facial recognition|face recognition"
            "|face id template|faceid template|iris scan|retina(?:l)? scan|voice ?print|palm (?:print|vein)"
            r"|gait (?:analysis|signature|pattern)|hand geometry|biometrics?|fingerabdr\w+|gesichtserkennung"
            "|stimmabdruck|empreintes? digitales?|reconnaissance faciale|huellas? (?:dactilar(?:es)?"
            r"|digital(?:es)?)|impronte digitali)\b",
            unless=rf"{_AT_A_DISTANCE}|(?:browser|device|key|certificate|ssh|canvas|audio|content|carbon"
            r"|error) finger ?print\w*|finger ?print(?:s|ing)? of<2>(?:ssh|gpg|key|certificate|host|build)",
        ),
        _rule(
            "genetic_data",
            "genetic",
            r"\b(?:brca ?[12]?|gene mutation|genetic (?:test|tests|testing|disorder|disease|condition"
            "|predisposition|risk|mutation|marker|profile|data|results)|genome|dna (?:test|results?|sample"
            "|profile|kit)|23andme|ancestrydna|carrier (?:of|for)<3>(?:gene|disease|fibrosis|anaemia|anemia"
            "|mutation|huntington'?s|tay-sachs)|huntington'?s|cystic fibrosis|sickle cell|haemophilia"
            "|hemophilia|down'?s? syndrome|apoe ?4?|lynch syndrome|gentest|erbkrankheit|test genetique"
            r"|prueba genetica|mutacion genetica)\b",
            unless=rf"{_AT_A_DISTANCE}|genetic algorithm|genome (?:browser|project|pipeline)",
        ),
        _rule(
            "immigration_status",
            "immigration",
            r"\b(?:undocumented(?: immigrant| migrant| worker)?|illegal immigrant|illegal alien"
            r"|overstayed (?:his|her|their|my|the)?\s?visa|visa (?:expired|expires|overstay|application|status"
            r"|sponsor\w*|denied|refused|runs out)|immigration (?:status|case|lawyer|attorney|hearing|court"
            "|office|papers)|asylum|asylum seeker|refugee status|is a refugee|am a refugee|deport(?:ed|ation)"
            "|green card|work permit|residence permit|residency permit|permanent residency|daca|dreamer|h-?1b"
            "|without papers|no papers|sans[- ]papiers|indocumentad[oa]s?|aufenthaltstitel|aufenthaltsstatus"
            r"|aufenthaltserlaubnis|abschiebung|asylbewerber\w*|asylantrag|duldung|titre de sejour"
            "|demandeur d'asile|solicitante de asilo|permiso de residencia|papeles en regla"
            r"|permesso di soggiorno|naturali[sz]ation|citizenship (?:application|test|status|hearing))\b",
            unless=rf"{_AT_A_DISTANCE}|undocumented (?:api|apis|feature|features|endpoint|endpoints|code|behaviou?r"
            r"|method|function|parameter|flag|process|change|option)s?|\b(?:is|are|was|were"
            "|remains?) (?:still )?undocumented in|(?:api|endpoint|function|flag|feature|code) (?:is|are"
            "|was) undocumented",
        ),
        _rule(
            "criminal_record",
            "criminal_record",
            r"\b(?:criminal (?:record|conviction|charges?|past|history|background)|felony|felon|misdemeanou?r"
            "|convicted|conviction for|ex-?con|ex-?convict|in prison|in jail|served<3>(?:prison|jail|sentence)"
            "|prison (?:time|sentence|term)|jail (?:time|sentence|term)|on parole|parole officer"
            "|probation officer|on probation for|(?:facing|face|pressed) (?:criminal )?charges|bail bonds?|on bail"
            "|criminal (?:lawyer|defence|defense)|stand(?:ing)? trial|ankle (?:monitor|tag)|electronic tag|arrested"
            "|arrest(?:ed)? for|indicted|restraining order|sex offender|shoplifting|dui|dwi"
            "|drunk driving (?:charge|conviction|arrest)|drink driving (?:ban|charge|conviction)"
            "|community service order|police caution|juvenile detention|vorbestraft|vorstrafen?|bewahrung"
            r"|verurteilt|gefangnis|im knast|bewahrungshelfer\w*|casier judiciaire|condamnee? (?:pour|a)"
            "|en prison|liberte conditionnelle|antecedentes penales|en la carcel|condenad[oa]"
            "|libertad condicional|precedenti penali|in carcere|theft charge|fraud charge|assault charge"
            r"|drug charge|dealing drugs)\b",
            unless=rf"{_AT_A_DISTANCE}|house arrest(?:ed)? (?:the|show)|cardiac arrest|convicted that|prison break"
            "|career felon",
        ),
        _rule(
            "financial_situation",
            "finances",
            r"\b(?:in debt|debts?|(?:heavily|deeply) indebted|bankrupt(?:cy)?|insolven(?:t|cy)|credit score"
            "|credit rating|payday loans?|debt collector|collection agency|overdrawn|overdraft|foreclosure"
            "|repossess(?:ed|ion)|behind on<3>(?:rent|mortgage|payments?|bills|loan)|mortgage arrears"
            "|rent arrears|arrears|missed<2>(?:mortgage|loan) payments?|on benefits|food stamps"
            "|welfare benefits|universal credit|unemployment benefits?|jobseeker'?s allowance|evict(?:ed|ion)"
            r"|(?:struggl\w+|trouble|unable|fail(?:s|ed|ing)?)<2>(?:to )?pay\w*<3>(?:mortgage|rent|bills|loan"
            "|debts?|taxes)|can'?t (?:afford|pay)<3>(?:rent|mortgage|bills|food|heating)"
            r"|short of (?:money|cash)|strapped for cash|money troubles?|(?:is|probably|likely|completely) broke"
            r"|financial (?:trouble|difficult\w+|problems|hardship)|late on<2>(?:rent|payments?|mortgage|bills)"
            r"|living paycheck to paycheck|paycheck to paycheck|gambling (?:debts?|losses)|net worth|garnish\w*"
            r"|verschuldet|schulden|privatinsolvenz|pleite|kontouberzug|burgergeld|hartz iv|schufa|endette\w*"
            r"|surendette\w*|a decouvert|deudas|endeudad[oa]|en bancarrota|moros[oa]|debiti|indebitat[oa])\b",
            unless=rf"{_AT_A_DISTANCE}|technical debts?|tech debts?|debt of gratitude"
            "|sleep debts?|code debt|design debt"
            "|documentation debt|in your debt",
        ),
        _rule(
            "financial_situation",
            "finances",
            r"\b(?:salary|income|wage|wages|pay|earns?|earning|earned|make|makes|making|paid|net worth|savings"
            "|inherit(?:ed|s|ance)|pension|take home|take-home|gehalt|einkommen|verdient?|verdiene|salaire"
            rf"|gagne|revenu|salario|sueldo|gana|ingresos|stipendio|guadagna)\b[^.!?\n]{{0,24}}?{_AMOUNT}",
            "amount",
            unless=r"paid (?:invoice|bill|for|back)|\bfor the\b|\binvoice|\bdeposit\b|\bfee\b|\bper head\b|\bpay (?:for"
            r"|back)\b|\braised\b|\bfor charity\b",
        ),
        _rule(
            "financial_situation",
            "finances",
            rf"\b(?:owes?|owing|owed|loan of|mortgage of|debts? of|savings of|schuldet|doit|debe)<4>{_AMOUNT}",
            "owed",
        ),
        Rule(
            code="about_a_child",
            category="minors",
            name="age_after",
            pattern=rf"\b{_KIN}\b[^.!?\n\d]{{0,40}}?\b(?:is|aged|age|turned|turning|turns|just|who is|who's|ist|wird|a"
            r"|tiene|ha)?[ ,(]*(\d{1,2})[ -]?(?:years? old|year-old|yrs?|y/o|months old|jahre alt|jahre|ans"
            r"|anos|anni)\b",
            accept=_is_minor,
        ),
        Rule(
            code="about_a_child",
            category="minors",
            name="aged",
            pattern=rf"\b{_KIN}\b[^.!?\n\d]{{0,25}}?\b(?:aged|age|turned|turning|turns|is|who is"
            r"|who's)[ ,(]*(\d{1,2})(?:[.,;!?)]|$| (?:and|in|now|today|next|this|who|but))",
            accept=_is_minor,
        ),
        Rule(
            code="about_a_child",
            category="minors",
            name="age_before",
            pattern=rf"\b(\d{{1,2}})[ -](?:years?|months?|yr|jahrige\w*|jahre)[ -]?(?:old"
            rf"|alte\w*)?[ -](?:old )?{_KIN}\b",
            accept=_is_minor,
        ),
        _rule(
            "about_a_child",
            "minors",
            rf"\b(?:my|his|her|their|our|user'?s|customer'?s|the)<2>{_KIN}s?\b[^.!?\n]{{0,30}}?\b(?:attends?"
            "|goes to|is at|enrolled (?:at|in)|pupil at|student at|picked up from"
            r"|starts at)\b[^.!?\n]{0,40}?\b(?:school|primary|elementary|kindergarten|nursery|daycare"
            r"|preschool|academy|creche|kita|grundschule)\b",
            "school",
        ),
        _rule(
            "about_a_child",
            "minors",
            r"\b(?:picks?|picking|drops?|dropping|collects?|collecting|fetch(?:es|ing)?)<2>(?:kids?|children|son"
            "|daughter|twins|boys|girls)<3>(?:from|at|to)<5>(?:school|kindergarten|nursery|daycare|preschool"
            r"|primary|elementary|creche|kita)\b",
            "way_to_school",
        ),
        _rule(
            "about_a_child",
            "minors",
            r"\b(?:schoolgirl|schoolboy|(?:is|am|i'm|user is) (?:only |just )?(?:a minor|underage|under age"
            r"|under 18|under eighteen|[5-9] years old|1[0-7] years old)|minderjahrig\w*|mineure?s? de"
            r"|menor de edad|child protection|foster child|custody of|social services case)\b",
            "minor",
            unless="a minor (?:change|issue|bug|update|version|release|detail|point|problem|inconvenience|league|key)"
            "|chain of custody",
        ),
        _rule(
            "precise_location",
            "precise_location",
            r"[-+]?\b\d{1,2}\.\d{3,}°?\s?[ns]?\s?[,;/ ]\s?[-+]?\d{1,3}\.\d{3,}°?\s?[ew]?\b"
            r"|\b\d{1,2}°\s?\d{1,2}['′]\s?(?:\d{1,2}(?:\.\d+)?[\"″])?\s?[ns]\b",
            "coordinates",
        ),
        _rule(
            "precise_location",
            "precise_location",
            r"///[a-z]+\.[a-z]+\.[a-z]+|\b[23456789cfghjmpqrvwx]{8}\+[23456789cfghjmpqrvwx]{2,3}\b"
            r"|\b(?:maps\.app\.goo\.gl|goo\.gl/maps|google\.[a-z.]+/maps|maps\.google"
            r"|openstreetmap\.org)/\S*\d\S*",
            "place_code",
        ),
        _rule(
            "precise_location",
            "precise_location",
            r"\b(?:(?:gps|live|current|exact|precise|real[ -]time) (?:location|position|coordinates|whereabouts)"
            "|gps (?:trace|track|log|fix)|geo ?location|location history|phone (?:shows|puts|places)<3>(?:at"
            r"|near|in)|tracked to|whereabouts|is (?:right )?now at (?:home|the corner|\d)"
            r"|is currently at (?:home|the corner|\d)|parked at \d|sleeps at \d|(?:is|am|i'm|are) home alone"
            "|location (?:pattern|data|pings?|trail)|(?:sleeps?|sleeping|stays?|staying|nights?|lives?|living"
            "|moved)<4>(?:women's|homeless|domestic violence|refugee) shelter|live-?standort|aktueller standort"
            r"|genauer standort|position gps|ubicacion (?:exacta|actual|en tiempo real))\b",
            "whereabouts",
            unless=r"volunteer\w*|donat\w*|mailbox|asset|server location",
        ),
    ],
)

# Where one of these stands beside a trait, somebody concluded it: nobody said it.
_INFERRED = compiled(
    expanded(
        r"\b(?:likely|probably|presumably|possibly|perhaps|maybe|apparently|seems?|seemingly|appears?"
        "|appears to be|suggests?|suggesting|indicates?"
        "|indicating|implies|implying|implied|inferred?|infers|infer|therefore|hence|thus|so is|so he"
        "|so she|so they|must be|might be|may be"
        "|could be|i think|i guess|i suspect|i believe|we think|we suspect|assume[sd]?|assuming|presumed?"
        "|suspect(?:ed|s)?|judging by|judging from|based on"
        "|signs? of|hints? (?:at|of)|points? to|consistent with|which treats|which specialises"
        "|which specializes|a clinic that|deduced?|concluded?"
        "|wahrscheinlich|vermutlich|offenbar|anscheinend|moglicherweise|scheint|wohl|deutet|sans doute"
        "|probablement|peut-etre|semble"
        "|parait|apparemment|probablemente|seguramente|quizas|parece|tal vez|probabilmente|forse|sembra"
        r"|provavelmente|talvez|waarschijnlijk)\b"
    )
)


def find_sensitive(reading: Reading) -> list[Finding]:
    """Find statements in sensitive categories; a phrase that infers one adds `trait_inferred` for its category.

    A food allergy or diet by itself is a wish about meals and is not reported; a drug allergy is.
    """
    found = list(TRAITS.findings(reading))
    if not found or _INFERRED.search(reading.folded) is None:
        return found
    categories = dict.fromkeys(finding.category for finding in found)
    return [
        *found,
        *(Finding("trait_inferred", "sensitive", category, None, "trait_inferred/1") for category in categories),
    ]
