"""Text that would waive a control: it goes to the policy queue as a change request, never into memory."""

from memory_admin.screening.findings import Finding
from memory_admin.screening.hidden import Reading
from memory_admin.screening.rules import Rule, RuleBook, any_of, compiled

_WAIVE = any_of(
    """skip|skips|skipped|skipping|bypass|bypasses|bypassed|bypassing|waive|waives|waived|waiving|omit|omitted
    |omitting|ignore|ignored|ignoring|disregard|disregarded|disable|disabled|disabling|deactivate|deactivated
    |turn off|turned off|turning off|switch off|switched off|drop|dropped|remove|removed|lift|lifted|suspend
    |suspended|override|overridden|overriding|circumvent|circumvented|forgo|forego|dispense with|do away with
    |get around|go around|work around|leave out|left out|exempt from|exempted from|free from|excused from
    |not subject to|not bound by|opt out of|without|no longer|no more|no need for|no need of|no need to|needn't
    |need not|not necessary|unnecessary|don't need|do not need|doesn't need|does not need|don't require
    |do not require|doesn't require|does not require|aren't required|are not required|isn't required
    |is not required|not required|never require|never requires|never need|never needs|never ask for
    |never ask me for|never request|don't ask for|do not ask for|don't ask me for|do not ask me for
    |stop asking for|stop asking me for|stop requiring|stop requesting|don't bother with|do not bother with
    |not bother with|don't run|do not run|don't perform|do not perform|don't wait for|do not wait for
    |never wait for|not wait for|no further|not go through|don't apply|do not apply|never apply|don't do
    |do not do|not have to go through|relax|loosen|neglect|avoid|don't log|do not log|never log|stop logging
    |don't go through|do not go through|never go through|never have to|never has to|don't have to wait for
    |do not have to wait for|works? without|go through without|goes through without|happens? without"""
)
# Nouns that name a control wherever they stand.
_CONTROL = any_of(
    """approval|approvals|authori[sz]ation|authori[sz]ations|sign off|sign-off|sign offs|signoff|signoffs|four eyes
    |four-eyes|second approver|manager approval|manager's approval|identity checks?|identity verification
    |identity verifications?|id checks?|id verification|identification checks?|security checks?
    |security questions?|security verification|security controls?|security polic(?:y|ies)|security rules?
    |verification|verification steps?|verifications|verification process|verification questions?
    |account verification|two factor|two-factor|two factor authentication|2fa|mfa|multi factor|multi-factor
    |second factor|authentication|authentication checks?|authentication steps?|password checks?|password prompt
    |kyc|kyc checks?|know your customer|aml checks?|background checks?|credit checks?|fraud checks?|fraud review
    |fraud screening|compliance|compliance checks?|compliance review|compliance rules?|human review
    |human in the loop|human-in-the-loop|human approval|human oversight|human confirmation|manual review
    |manual approval|manual checks?|supervisor approval|safety checks?|safety review|safety rules?
    |safety filters?|safety polic(?:y|ies)|safety measures|safeguards?|guardrails?|content filters?
    |content policy|moderation|permission checks?|permissions checks?|access controls?|access checks?|audit
    |audit log|audit logs|audit logging|audit trail|spending limits?|spend limits?|transfer limits?
    |refund limits?|refund checks?|withdrawal limits?|credit limits?|daily limits?|purchase limits?
    |approval limits?|approval thresholds?|rate limits?|usage limits?|waiting period|cooling off period
    |cooling-off period|hold period|age checks?|age verification|eligibility checks?|policy checks?
    |return polic(?:y|ies)|refund polic(?:y|ies)|retention polic(?:y|ies)|privacy polic(?:y|ies)
    |company polic(?:y|ies)|consent|consent checks?|consent prompts?|confirmation step|confirmation prompts?
    |confirmation dialogs?|double check|double-check|due diligence|validation checks?|virus scan|malware scan
    |sandbox|signature checks?|proof of identity|proof of purchase|proof of address|receipts? check|escalation
    |escalations|the checks?|these checks?|any checks?|all checks?|all the checks?|usual checks?|normal checks?
    |standard checks?|further checks?|additional checks?|extra checks?|more checks?|the verification
    |the usual process|the review step|the review queue|the review process|peer review|legal review
    |security review|privacy review|policy review|permission|permissions?|authority checks?|logging|access log
    |activity log|monitoring|my identity|who i am|their identity|his identity|her identity|the user'?s identity
    |the caller'?s identity|the limits?|my limits?"""
)
# Asking for a control is the opposite of waiving one: "never deploy without approval".
_DEMANDS_IT = (
    r"\b(?:never|don't|do not|must not|mustn't|cannot|can't|can not|not|no one|nobody|nothing|shouldn't"
    "|should not|won't|will not|neither|refuses? to|fails?|failed|fail|possible|impossible|blocked"
    r"|happens?|not allowed|may not)\b[^.!?\n]{0,60}without"
)
_NOT_A_CONTROL = (
    _DEMANDS_IT + r"|\b(?:approval|permission|consent) (?:from|of) (?:my|his|her|their) (?:wife|husband|parents?"
    "|doctor"
    r"|partner|mum|mom|dad)\b|"
    r"\bwithout (?:his|her|their|my|your|our) (?:parents'? )?(?:approval|permission|consent)\b"
    r"|check[ -]?(?:in|out|ins|outs|list|lists|mark|up|ups)\b"
    r"|\b(?:verification|confirmation|approval) (?:e-?mails?|mails?|page|screen|message|sound|banner"
    r"|toast)\b"
    r"|\baudit (?:report|season|committee|firm)s?\b|\b(?:speed|age|weight|size|character|word) limits?\b"
    r"|\b(?:no longer|without)<2>(?:works?|working|studying|interested|employed) in (?:compliance"
    r"|moderation|audit)\b"
    r"|\bin moderation\b|\bseek(?:ing|s)? approval\b|\bvalidation from\b"
)
_DEED = any_of(
    """apply|applied|applying|approve|approved|process|processed|processing|issue|issued|grant|granted|accept
    |accepted|refund|refunded|transfer|transferred|pay|paid|send|sent|release|released|delete|deleted|execute
    |executed|run|share|order|ordered|purchase|purchased|buy|charge|charged|deploy|deployed|merge|merged|change
    |changed|update|updated|honou?r|honou?red|proceed|go ahead|act|book|submit|submitted|publish|published
    |install|authori[sz]e|authori[sz]ed|confirm|do it|do so|let me in|let them in|hand over|handed over|disclose
    |wire|ship|credit|credited|reset|unlock|enable|carry out|carried out|handle|handled|perform|performed"""
)
_ASKING = any_of(
    """asking|asking me|asking anyone|asking first|asking again|asking for (?:confirmation|approval|permission)
    |confirming|confirmation|my confirmation|any confirmation|checking|checking first|checking with (?:me|anyone
    |the user|a human)|question|questions|review|reviewing|reviewing it|any review|verifying|verifying (?:it|me
    |anything|identity)|verification|approval|any approval|my approval|permission|my permission|authori[sz]ation
    |consent|oversight|prompting|prompting me|notifying (?:me|anyone|the user)|telling me|delay or question
    |involving (?:anyone|a human)|hesitation|limits?|restrictions?|looking|a look|a second look|further ado
    |reading (?:it|them)|waiting|a second thought|checks?"""
)
_PERSON_IN_CHARGE = any_of(
    """human|a human|humans|human agent|live agent|person|real person|agent|an agent|supervisor|a supervisor
    |supervisors|manager|a manager|managers|support|support team|security|security team|compliance
    |compliance team|legal|fraud team|fraud department|fraud|staff|an operator|operator|administrator|an admin
    |reviewer|a reviewer|reviewers|team lead|second line|tier 2|anyone else"""
)
# The wide net: somebody asks to have it kept, speaks of a control, and has it not apply. Fine wordings differ too much
# to list them, so the three only have to meet in one sentence.
_KEEP = any_of(
    """remember|note|noted|keep in mind|bear in mind|keep a note|make a note|for later|for the record
    |for your memory|for future reference|for next time|save|store|mark down|my preference
    |my standing preference|my standing instruction|my usual arrangement|i'd like|i would like|i prefer
    |i'd prefer|i want you|i like it when|as a rule|from now on|you should know|let it be known
    |it's my preference|just so you know|in my case|for me|with me"""
)
_OVERSEEN = any_of(
    """approvals?|approvers?|approve|authori[sz]ations?|permissions?|identity|id|id check|verification|verify
    |verified|security questions?|security|second factor|two-person rule|two person rule|four-eyes|limits?|bans?
    |restrictions?|monitoring|confirmations?|confirm|consent|compliance|legal|audits?|price check|checks?
    |polic(?:y|ies)|reviews?|reviewed|escalations?|escalated|proof|authentication|authenticate|overrides?|rules?
    |guards?|safeguards?|clearance|refunds?|transfers?|payments?|transactions?|withdrawals?|customers?
    |employees?|patients?|sealed files|records|links?|senders?|bookings|salar(?:y|ies)|reimbursements?|invoices?
    |changes|supervisors?|finance team|look-?up|window|other people'?s?|colleagues'?|inboxes|account|bank details"""
)
_OFF = any_of(
    """never (?:needs?|asks?|requires?|repeat|apply|applies|check|verify|escalate|review|stop|block)|waived?|off
    |drop|without (?:any |a |further )?(?:checks?|reviews?|approval|questions?|confirmation|limits?|delay
    |escalation)|dropped|skip|skipped|exempt(?:ed)?|overrid\\w+|override|cleared|replaces?|automatically
    |handled by you|already passed|assume|assumed|trust|trusted|ask later|not apply|doesn't (?:cover|apply
    |concern|count|bind)|don't (?:cover|apply|concern|count|bind|need|require)|doesn't need|not needed|needs no
    |need no|no need|not necessary|on behalf of any|act on behalf|act for any|allowed to|cleared to|entitled to
    |no questions|lifted|ignored?|suspended|free of|free from|out of scope|bypass(?:ed)?|unlimited|regardless
    |no matter|instead of|in place of|never (?:closes?|ends?|expires?)|(?:isn't|is not|aren't|are not) bound|needn't
    |no (?:look-?up|checks?|review|proof) (?:needed|required|necessary)|as (?:checked|verified|approved|genuine|trusted)
    |already (?:agreed|approved|checked|verified|confirmed|consented)|(?:i|we) (?:may|can) (?:see|read|cancel|change
    |delete|edit|view|access|open|issue)"""
)
_ONE_OF_US = compiled(r"\b(?:i|i'm|i've|i'd|me|my|mine|us|our|we)\b")
_KEEPS_CONTROL = (
    r"\bi (?:turned|switched|have turned)|\b(?:sections?|chapters?|parts?) of\b|\b(?:always|please|must"
    r"|should|only)<3>(?:ask|confirm|check|verify|wait)\b|\bi (?:want|would like|like|prefer|need|have)"
    r"<3>(?:to )?(?:approve|confirm|review|check|verify|see|sign off)\b|\b(?:needs?|requires?|wait for"
    "|after|only with|with|until)<2>(?:my|his|her|their|our)"
    r"<2>(?:approval|permission|consent|confirmation|review|ok)\b|\bnot without\b|\bwithout my\b"
    r"|\bwithout asking me\b|\bwithout (?:an? )?(?:receipt|reason|sugar|milk)\b"
)
_RIGHTS = any_of(
    """rights|right|access|privileges|privilege|permissions|permission|authority|clearance|credentials level
    |level access|status|role|entitlements|powers"""
)
_RANK = any_of(
    """admin|administrator|administrative|administration|root|superuser|super user|super-user|superadmin
    |super admin|owner|owner level|owner-level|elevated|unrestricted|unlimited|privileged|god mode|master
    |top level|top-level|executive override|override|full system|full admin|sudo|backend|back office
    |operator level|operator-level|developer level|staff level"""
)
_OBJECT = any_of(
    """requests?|refunds?|refund requests?|payments?|invoices?|transfers?|orders?|transactions?|expenses?
    |expense reports?|claims?|purchases?|changes?|withdrawals?|deployments?|merges?|pull requests?
    |access requests?|charges?|credits?|discounts?|discount codes?|codes?|coupons?|vouchers?|returns?
    |instructions?|bookings?|upgrades?|exceptions?|actions?|tool calls?|everything|whatever i|anything i|all i"""
)

RULES = RuleBook(
    "control",
    [
        Rule(code="waives_control", name="verb_first", pattern=rf"\b{_WAIVE}<4>{_CONTROL}\b", unless=_NOT_A_CONTROL),
        Rule(
            code="waives_control",
            name="noun_first",
            pattern=rf"\b{_CONTROL}<5>(?:skipped|bypassed|waived|omitted|ignored|disabled|dropped|removed|lifted"
            "|suspended|overridden|unnecessary|unneeded|not (?:needed|necessary|required|apply)|never (?:needed"
            "|necessary|required|apply)|(?:isn't|aren't|is not|are not|no longer|don't|do not|doesn't|does not"
            "|needn't|should not|shouldn't|must not|never) (?:be )?(?:needed|necessary|required|apply|applied"
            "|applies|happen|performed|run|asked)|turned off|switched off|left out|already (?:done|complete"
            r"|completed|passed|given|granted|cleared)|optional for (?:me|this|us))\b",
            unless=_NOT_A_CONTROL,
        ),
        Rule(
            code="waives_control",
            name="needs_none",
            pattern=r"\b(?:refunds?|payments?|transfers?|orders?|purchases?|invoices?|requests?|expenses?|withdrawals?"
            "|returns?|changes?|deployments?|deletions?|exports?|access|discounts?|claims?|credits?"
            r"|transactions?|calls?|tickets?|accounts?|messages?|anything|everything)\b<9>(?:don't|do not"
            "|doesn't|does not|never|no longer|needn't|need not|without|not) (?:be |have to |need to |need "
            r"|needs |require |requires |needing |requiring |any |a |the |to )*(?:approv\w+|authori[sz]\w+"
            r"|verif\w+|confirm\w*|review(?:ed|s)?|sign(?:ed)? off|sign-off|check(?:ed|s)?|permission|consent"
            r"|double-checked|escalated|audited|logged)\b",
            unless=_NOT_A_CONTROL
            + r"|\b(?:has|have) not (?:been )?(?:confirmed|reviewed|approved|verified)|(?:wasn't|was not|hasn't"
            "|weren't|were not|never) (?:confirmed|approved|verified|reviewed|checked|logged)(?: yet)?",
        ),
        Rule(
            code="acts_without_asking",
            name="deed_first",
            pattern=rf"\b{_DEED}\b<8>(?:without|with no) (?:any |further |prior |more |even |ever "
            rf"|additional )*{_ASKING}\b",
            unless=r"\b(?:he|she|they|dog|cat|brother|sister|mom|dad|mum|roommate)<3>without|" + _DEMANDS_IT,
        ),
        Rule(
            code="acts_without_asking",
            name="asking_first",
            pattern=rf"\bwithout (?:any |further |prior |more |even |ever |additional )*{_ASKING}<4>{_DEED}\b",
            unless=r"\b(?:he|she|they|left|dog|cat|brother|sister)\b|" + _DEMANDS_IT,
        ),
        Rule(
            code="acts_without_asking",
            name="no_question",
            pattern=r"\b(?:no (?:questions?|confirmation|approval|verification|permission|review|authori[sz]ation"
            "|sign-?off|checks?)<2>(?:asked|needed|required|necessary)|(?:don't|do not|never|no need to|needn't"
            "|stop|don't have to|do not have to|doesn't have to|needn't ever|shouldn't|should not) (?:ever "
            "|bother )?(?:ask(?:ing)?|prompt(?:ing)?|check(?:ing)?|confirm(?:ing)?"
            "|verify(?:ing)?)(?: (?:with )?(?:me|us|anyone|the user|them|him|her|first|again))*(?: (?:for"
            r"|before|when|about|prior))<5>(?:approv\w+|apply\w*|sending|paying|processing|deleting|buying"
            r"|purchas\w+|transferr?\w+|refund\w*|deploy\w*|merg\w+|order\w*|executing|running|confirmation"
            r"|permission|consent|booking|releasing|sharing|publishing|payments?|transfers?))\b",
            unless="no (?:questions?|review) (?:asked|needed) (?:at|by|in) the (?:bar|restaurant|store|shop)",
        ),
        Rule(
            code="waives_control",
            name="exception_for_me",
            pattern=r"\b(?:remember|note|noted|for the record|keep in mind|bear in mind|save|store|memori[sz]e"
            "|keep in memory|you should know|take note|my preference|my standing preference|for (?:me|us"
            r"|my))\b[^!?\n]{0,80}?\b(?:identity questions?|second step|second factor|security question"
            "|password reset|approvers?|approval|approvals|claims?|refunds?|transfers?|payments?|invoices?"
            "|purchases?|export restriction|restrictions?|verification|confirmation|consent"
            r"|review)\b[^.!?\n]{0,40}?\b(?:without|no human|nobody|no one|never|don't|do not|doesn't|does not"
            r"|isn't|is not|aren't|not)\b<3>(?:wait|ask|asked|look|review|check|apply|applies|need|needs|needed"
            "|meant|required|necessary|second|approve|verify|confirm|question|questioned|stop|block|concern"
            r"|count)\b",
            unless=_NOT_A_CONTROL + r"|not (?:yet|available|due|paid)",
        ),
        Rule(
            code="no_escalation",
            name="no_human",
            pattern=r"\b(?:no|without (?:a|any)) (?:human|person|reviewer|manager|supervisor|employee|staff|agent"
            "|one)<2>(?:should|must|needs?|has|have|may|is|to|ever|shall|will|checking|looking|reviewing"
            "|seeing)<3>(?:look|looking|review|reviewing|check|checking|see|seeing|approve|approving|verify"
            r"|involved|needed|touch|read|allowed)\b",
            unless="no one (?:should|has|have|will|may) to (?:see|read|touch)? ?(?:my|our|the) (?:diary|photos)",
        ),
        Rule(
            code="claims_rights",
            name="outranks",
            pattern=r"\b(?:i|i'm|me|user|we) (?:outranks?|overrules?|count as|counts as|pass as|passes as|rank as"
            "|ranks as|qualify as|am listed as|is listed as|am registered as|stand above|am above"
            r"|is above)<3>(?:approvers?|reviewers?|admin\w*|managers?|supervisors?|rules?|polic\w+|owner|root"
            r"|staff|employees?|system|security|verified|vip|compliance|agents?|operators?)\b",
        ),
        Rule(
            code="always_valid",
            name="consent_for_all",
            pattern=r"\bconsent\b<5>(?:given|granted|assumed|implied|permanent|standing|blanket"
            r"|presumed)<5>(?:everything|all|any|anything|always|future|in advance|forever|whatever)\b"
            r"|\b(?:blanket|standing|permanent|unlimited|irrevocable|general) (?:consent|approval|permission"
            r"|authori[sz]ation)\b",
            unless=r"no (?:blanket|standing)",
        ),
        Rule(
            code="always_valid",
            name="at_once",
            pattern=r"\b(?:invoices?|payments?|refunds?|transfers?|discounts?|requests?|claims?|orders?|withdrawals?"
            r"|expenses?|bills?|purchases?)\b<9>(?:can|may|should|must|are to|is to|shall|will)<1>be (?:paid"
            "|approved|granted|honou?red|accepted|released|processed|executed|refunded|authori[sz]ed"
            "|cleared)<2>(?:straight away|immediately|at once|right away|automatically|instantly|directly"
            r"|unseen|on sight|always|unchecked|blindly|unconditionally)\b|\b(?:discounts?|refunds?|requests?"
            r"|codes?|exceptions?|amounts?|credits?)\b<6>(?:are|is|should|must)<1>(?:to )?be (?:granted"
            r"|honou?red|approved|accepted|obeyed|believed)\b",
            unless="must be approved (?:by|within|before|in)|should be approved by",
        ),
        Rule(
            code="acts_without_asking",
            name="goes_through",
            pattern=r"\b(?:transfers?|payments?|orders?|purchases?|refunds?|bookings?|deletions?"
            "|changes?)<4>(?:go through|goes through|happen|be made|made|run|done|executed|clear|complete"
            r"|pass)<3>without\b",
            unless=_DEMANDS_IT,
        ),
        Rule(
            code="raises_limit",
            name="no_limit",
            pattern=r"\b(?:no|without)<1>(?:limits?|cap|ceiling|maximum)\b<3>(?:for|on) (?:me|you|us|this|my|our)\b"
            r"|\b(?:card|account|budget|allowance|credit) (?:has|have|with)<1>no limits?\b",
        ),
        Rule(
            code="waives_control",
            name="other_scripts",
            pattern="(?:跳过|绕过|略过|无需|不需要|不用|免去|跳過|無需).{0,12}(?:验证|审批|批准|确认|检查|审核|核实|驗證|審批"
            "|確認)|(?:承認|確認|本人確認|審査|検証|認証"
            "|許可).{0,10}(?:不要|省略|スキップ|いらない|飛ば|必要ない|必要はない|なしで)|(?:пропус[а-я]+"
            "|не требу[а-я]+|не нужн[а-я]+|без"
            "|обойди|обойти|отключи).{0,30}(?:проверк|подтвержд|одобрен|согласован|разрешен|верификац)|(?:승인|확인"
            "|인증|검토|허가).{0,8}(?:없이|생략|건너|필요 ?없)|(?:تخط|تجاوز|بدون"
            "|دون).{0,20}(?:التحقق|موافقة|الموافقة|تأكيد"
            "|إذن)",
        ),
        Rule(
            code="acts_without_asking",
            name="no_need",
            pattern=r"\b(?:no need|needn't|need not|not necessary|unnecessary|no reason|don't have"
            "|do not have)<1>(?:to )?(?:check|verify|confirm|double-check|double check|approve|review|escalate"
            "|call|ask)(?: back| with (?:me|anyone|us|him|her|a human)| again| first| me| for (?:permission"
            r"|approval|confirmation))(?:$|[.,;!]| (?:when|before|if|every|each|for|about|on))\b?",
            unless=r"\b(?:they|he|she) (?:don't|do not)",
        ),
        Rule(
            code="acts_without_asking",
            name="you_may",
            pattern=r"\byou (?:may|can|could|should|are (?:allowed|free|permitted|authori[sz]ed|cleared|entitled) to"
            "|have (?:my )?(?:permission|consent|authority|leave) to|have my)<2>(?:transfer|wire|withdraw"
            "|refund|charge|delete|erase|purchase|move (?:money|funds|cash)|spend (?:up to|any|my|money"
            "|whatever)|pay (?:any|all|invoices|bills|out|them|whatever)|sign (?:contracts|for|anything|on)"
            "|approve|authori[sz]e|override|disclose|share (?:all|any|my (?:password|data|records|medical|card"
            r"|bank))|skip|bypass|ignore|execute)\b",
            unless="you (?:can|could|should) (?:always )?(?:skip|ignore|delete|refund) (?:it|that|this|them"
            r"|the (?:rest|app|first|intro|part|chapter|song|scene))\b|you can (?:transfer|charge|approve|delete"
            "|execute)(?:$|[.,!?])",
        ),
        Rule(
            code="no_escalation",
            name="no_flag",
            pattern=r"\b(?:don't|do not|never|stop|no need to|nobody should|no one should)<2>(?:flag|flagging|report"
            "|reporting|block|blocking|question|questioning|challenge|challenging|refuse|reject|deny|decline"
            "|restrict|limit|hold|delay|suspend|lock|monitor|monitoring|track|tracking|audit|log|logging|record"
            "|recording)<3>(?:my|me|our|any|this)<4>(?:log-?ins?|requests?|transfers?|payments?|transactions?"
            "|account|orders?|claims?|refunds?|purchases?|withdrawals?|activity|access|card|actions?"
            r"|sign-?ins?)\b",
            unless=r"\b(?:i|we|they) (?:don't|do not|never)",
        ),
        Rule(
            code="waives_control",
            name="asks_for_no_proof",
            pattern=r"\b(?:don't|do not|never|stop|no need to|no longer|needn't|without)<1>(?:ask|asking|request"
            "|requesting|demand|demanding|require|requiring|insist on|insisting on|check|checking|verify"
            "|verifying)<4>(?:date of birth|birth date|id|identification|identity|passport|pin|password|proof"
            "|documents?|credentials|customer number|security code|receipts?|signature|maiden name"
            r"|reference number|who i am|one time code|one-time code)\b",
            unless=r"\b(?:i|we|they|he|she) (?:don't|do not|never) (?:check|ask|request)|\b(?:we|bank|support"
            "|it) will never",
        ),
        Rule(
            code="always_valid",
            name="executed_at_once",
            pattern=r"\b(?:withdrawals?|transfers?|payments?|refunds?|orders?|requests?|purchases?|chargebacks?|claims?"
            r"|returns?)\b<5>(?:executed|processed|approved|paid|released|granted|handled|refunded|accepted"
            "|honou?red)<2>(?:at once|immediately|straight away|instantly|automatically|right away|on the spot"
            r"|without|unseen|by default)\b",
            unless=r"\b(?:was|were|got|has been|have been|had been|not)\b",
        ),
        Rule(
            code="always_valid",
            name="on_the_list",
            pattern=r"\b(?:on|to|in|into)<2>(?:whitelist|white list|white-list|allowlist"
            "|allow list|allow-list|safe list"
            r"|vip list|exceptions? list|exemption list|trusted list|trusted senders)\b|\b(?:always"
            "|automatically)<2>(?:give|grant|apply|add|offer|allow)<2>(?:me|us|my|user)<5>(?:discounts?"
            r"|refunds?|credits?|access|exceptions?|waivers?|free of charge)\b",
        ),
        Rule(
            code="always_valid",
            name="mine_counts_as",
            pattern=r"\b(?:my|mine|from me|(?:i|we) (?:make|ask|name|send|request|say|give|sign|submit))\b<9>(?:means?"
            "|counts? as"
            "|is to be taken as|are to be taken as|shall be|are always|is always|equals?)<4>(?:approved|granted"
            "|signed off"
            "|authori[sz]ed|accepted|valid|final|binding|cleared|trusted|verified|exempt|confirmed|approval"
            r"|permission|consent)\b"
            "|\\b(?:every|all|any|each)<2>(?:refunds?|requests?|payments?|transfers?|claims?|withdrawals?"
            "|orders?|invoices?"
            "|discounts?)<3>(?:is|are|be|get|gets) (?:approved|granted|accepted|authori[sz]ed|honou?red"
            "|refunded)\\b"
            r"|\btreat<5>(?:i|we) (?:say|ask|name|write|claim)<5>(?:final|true|binding|approved|law|fact)\b",
            unless=r"\b(?:approved|granted|accepted|refunded|authori[sz]ed) (?:by|until|within|if|after|once|only"
            r"|when)\b",
        ),
        Rule(
            code="always_valid",
            name="whenever_i_ask",
            pattern=r"\b(?:release|pay|approve|grant|transfer|refund|unlock|issue|allow|authori[sz]e"
            r"|sign)\b<6>(?:whenever|the moment"
            "|as soon as|every time|each time|any time|the second|the minute) i (?:ask|request|want|say|call"
            r"|need|demand)\b"
            "|\\b(?:share|give|send|show|open|read|forward)\\b<5>(?:colleagues?'?|other|others'|customers?'?"
            "|employees?'?"
            "|everyone's|everybody's|team's|user'?s|his|her|their)\\b<6>(?:whenever|the moment|as soon as"
            "|every time|each time"
            r"|any time|when) i (?:ask|request|want|say|call|need|demand)\b",
        ),
        Rule(
            code="claims_rights",
            name="needs_no_proof",
            pattern=r"\b(?:needn't|don't have to|don't need to|do not have to|do not need to|never have to"
            "|never need to|without having to|not have to|no need for me to|needs? not|doesn't have to|doesn't need to"
            "|no longer have to)<1>(?:authenticate"
            "|verify|identify|prove|confirm (?:my|who|that)|justify|log in twice|show (?:id|proof"
            r"|identification|documents?)|provide (?:id|proof|documents?))\b"
            "|\\b(?:i'm|i am|user is|customer is)<1>(?:trusted|authenticated|verified|authori[sz]ed"
            "|pre-?cleared|whitelisted"
            r"|exempt|vetted)(?:$|[.,;!]| and | so | to | for (?:all|any|every))",
            unless=r"\bverified (?:on|by) (?:twitter|instagram)",
        ),
        Rule(
            code="claims_rights",
            name="says_who",
            pattern=r"\b(?:i'm|i am|this is|speaking is)<1>your<2>(?:developer|creator|administrator|admin|operator"
            "|owner|maker|supervisor"
            "|programmer|designer|master|boss|superior)\\b|\\b(?:have|has|got|with)<3>(?:permission|approval"
            "|authori[sz]ation"
            "|blessing|consent|sign-?off|authority|go-ahead)<2>(?:for|to)<2>(?:any|all|every|everything"
            "|anything|whatever|always)\\b"
            "|\\b(?:use|using|with)<1>(?:my |his |her |their |the )?(?:boss|manager|colleague|wife|husband|ceo"
            "|cfo|director|owner"
            "|supervisor|partner|coworker)'s (?:login|log-in|credentials|badge|token|signature|account|password"
            r"|access)\b"
            r"|\b(?:compliance|security|audit|legal|approval|policy|policies|the rules)<1>(?:don't|doesn't"
            "|do not|does not|cannot|can't)"
            "<1>(?:concern|touch|apply to|bind|stop|cover|affect) (?:me|us)\\b",
        ),
        Rule(
            code="waives_control",
            name="holds_and_warnings",
            pattern=r"\b(?:security|fraud|account|credit|compliance)<1>(?:holds?|flags?|blocks?|locks?|alerts?"
            r"|warnings?)\b<6>(?:cleared"
            r"|lifted|removed|ignored|ignore|dismissed|waived|disabled)\b|\b(?:warnings?|warning dialogs?"
            "|security prompts?|consent forms?"
            "|confirmations?|confirmation dialogs?|approval prompts?)\\b<6>(?:click away|click them away"
            "|click through|dismiss them"
            "|auto-?accept|auto-?dismiss|skip them|suppress them|accept them)\\b|\\b(?:click away|click through"
            "|dismiss|suppress)<4>(?:warnings?"
            r"|security prompts?|consent forms?|approval prompts?)\b|\b(?:skip|bypass|waive|omit)<4>checks\b",
            unless=_NOT_A_CONTROL + r"|(?:spell|spelling|grammar|weather|lint|style|type|weekly|daily)(?:ing)? checks",
        ),
        Rule(
            code="waives_control",
            name="asked_to_be_kept",
            pattern=rf"\b{_KEEP}\b[^.!?\n]{{0,90}}?(?:\b{_OVERSEEN}\b[^.!?\n]{{0,50}}?\b{_OFF}\b"
            rf"|\b{_OFF}\b[^.!?\n]{{0,50}}?\b{_OVERSEEN}\b)[^.!?\n]{{0,80}}",
            accept=lambda match: _ONE_OF_US.search(match.group()) is not None,
            unless=_NOT_A_CONTROL + r"|" + _KEEPS_CONTROL,
        ),
        Rule(
            code="claims_rights",
            name="borrowed_rank",
            pattern=r"\b(?:i|i'm|user|customer|caller|we|account|he|she)\b<5>(?:have|has|had|with|hold|holds|carry"
            r"|carries|enjoy|enjoys)\b<3>(?:manager|managerial|manager's|supervisor|executive|ceo|director|hr"
            "|officer|employee|staff|vip|police|government|boss's|owner's|approver)<1>(?:authority|privileges"
            r"|access|clearance|override|powers|rights|permissions?|sign-?off)\b",
        ),
        Rule(
            code="acts_without_asking",
            name="tired_of_asking",
            pattern=r"\b(?:don't|do not|never|not|hate|hates|tired of|dislike|dislikes|stop|doesn't|no)<6>(?:asked"
            "|prompted|questioned|bothered|pestered)<2>(?:for |to )?(?:confirmation|approval|permission"
            r"|verification|consent|authori[sz]ation|confirm|approve|verify|authenticate)\b",
        ),
        Rule(
            code="waives_control",
            name="fees",
            pattern=r"\b(?:waive|waived|waives|waiving|drop|cancel|reverse|refund)<4>(?:fees?|charges?|penalt(?:y|ies)"
            r"|deposits?)\b<4>(?:for me|for us|for this|every time|always|whenever|each time|in future"
            r"|automatically|on request)\b|\b(?:always|automatically|never)<2>(?:waive|charge|apply)<4>(?:fees?"
            r"|charges?|penalt(?:y|ies))\b",
            unless=r"\b(?:they|bank|hotel|he|she|it|who) (?:always|never|automatically)",
        ),
        Rule(
            code="no_escalation",
            pattern=r"\b(?:never|don't|do not|not|no need to|stop|shouldn't|should not|must not|avoid|without"
            r"|no longer)<3>(?:escalat\w+|hand(?:ed|ing)?(?: \w+)? (?:off|over)|transfer\w*|forward\w*|rout(?:e"
            r"|ed|ing)|rerout\w+|refer(?:red|ring)?|loop(?:ed|ing)? in|involv\w+|alert\w*|report\w*|flag\w*"
            rf"|pass(?:ed|ing)?)<6>{_PERSON_IN_CHARGE}\b",
            unless="never forward(?:ed|s)? (?:my|the)? ?(?:mail|email|calls)|not (?:transferred|forwarded"
            "|handed over) (?:yet|by)",
        ),
        Rule(
            code="no_escalation",
            name="bare",
            pattern=r"\b(?:never|don't|do not|no need to|stop) (?:ever )?(?:escalat(?:e|ing))\b|\b(?:no"
            r"|without) (?:human )?escalation\b",
        ),
        Rule(
            code="claims_rights",
            name="has",
            pattern=r"\b(?:i|i'm|i'll|i've|we|user|customer|caller|client|he|she|they|me"
            "|account|agent|you|sender|member"
            r"|person|us)\b<5>(?:have|has|had|am|is|are|be|hold|holds|got|gets?|granted|given|possess|possesses"
            rf"|enjoy|enjoys|carry|carries|with|'m|'ve)\b<4>{_RANK}<2>{_RIGHTS}\b",
            unless="access to the (?:gym|library|garden|pool|beach|wifi)|unlimited access to (?:the )?(?:gym|music"
            "|movies|books|courses)|owner status of|access (?:point|road)",
        ),
        Rule(
            code="claims_rights",
            name="against_the_system",
            pattern=r"\b(?:even (?:if|when|though)|no matter what|regardless of what|despite what|whatever|although"
            "|ignore what) (?:the |your |a |any )?(?:system|database|record|records|screen|crm|policy|policies"
            "|account|file|computer|permissions?|tool|backend|rules?|agents?|log|logs"
            r"|profile)(?: \w+)? (?:says?|shows?|claims?|states?|tells?|indicates?|lists?|reports?|disagrees?"
            "|denies|forbids?|refuses?)",
        ),
        Rule(
            code="claims_rights",
            name="may_see",
            pattern=r"\b(?:authori[sz]ed|allowed|permitted|entitled|cleared|free|permission|right|rights|ok|okay|fine"
            "|i may|user may|we may)(?:<1>to)?<1>(?:see|access|view|read|change|export|delete|receive|know"
            "|share|reveal|disclose|reset|download|use|edit|modify|share)<2>(?:all|any|every|everyone's"
            "|everybody's|other|another|anyone's|hr|personnel|payroll|medical|classified|secret|restricted"
            "|colleague's|confidential|internal|restricted|private|customer|colleagues'?|employees'?|users'?"
            "|system|admin)<4>(?:records?|data|accounts?|files?|salar(?:y|ies)|passwords?|memor(?:y|ies)|notes"
            "|details|information|documents?|messages|conversations?|profiles?|tenants?|settings|users?"
            r"|customers?|logs?|inbox|mail|everything)\b|\bmay (?:change|reset|see|access|delete"
            r"|read)<3>(?:passwords?|accounts?|records|data|limits?|settings)\b",
            unless=r"not (?:allowed|authori[sz]ed|permitted) to",
        ),
        Rule(
            code="claims_rights",
            name="my_word",
            pattern=r"\b(?:accept|take|treat|count|consider|regard)<1>(?:my|his|her|their"
            "|the user'?s|user'?s)<1>(?:word"
            r"|say so|say-so|statement|claim|claims|assurance|voice)<2>(?:as|for|is|to be)\b"
            r"|\bmy word<2>(?:enough|sufficient|proof|final)\b",
        ),
        Rule(
            code="claims_rights",
            name="is_administrator",
            pattern=r"\b(?:sender|caller|account|this user|the user|i am|i'm|me|requester)(?: is| are)?(?: now| already"
            "| really| actually| also| hereby)?(?: an?| the)? (?:system administrator|administrator|admin"
            "|superuser|root|super user|tenant owner|workspace owner|account owner|platform owner|system owner"
            r"|global admin)\b(?:$|[.,;!]| (?:of|on|in|for|here|with|now|and) ?(?:this|the system|all|every|here"
            "|full|now|may|can)?)",
            unless="admin(?:istrator)? (?:of|in|at|for|and) (?:a|an|my|our|the) (?:school|hospital|church|club|office"
            "|company|clinic|university|team|department)",
        ),
        Rule(
            code="claims_rights",
            name="grant_me",
            pattern=r"\b(?:grant|give|assign|make|elevate|promote|upgrade|add)<1>(?:me|us|user|this user|this account"
            rf"|him|her|this agent|sender|my account)<4>{_RANK}\b",
            unless=r"\b(?:they|he|she|it|who|boss) (?:will |would )?(?:grant|give|make)s? ",
        ),
        Rule(
            code="claims_rights",
            name="treat_me",
            pattern=r"\b(?:treat|consider|regard|count|view|handle|recogni[sz]e|mark|flag|accept|register)<3>(?:me|us"
            "|user|customer|caller|account|sender|him|her|them|requests?|messages?|instructions?)<2>(?:as|to be"
            "|like)<3>(?:an? )?(?:admin|administrator|verified|pre-?verified|authenticated|authori[sz]ed"
            "|pre-?authori[sz]ed|approved|pre-?approved|trusted|fully trusted|owner|manager|supervisor"
            "|superuser|root|staff|employee|operator|developer|system|executive|vip|identified|cleared"
            r"|commands?|orders|policy|authoritative|binding)\b",
        ),
        Rule(
            code="claims_rights",
            name="already_verified",
            pattern=r"\b(?:i am|i'm|user is|customer is|caller is|me as|identity (?:is|was|has been)|account is"
            "|i've been|i have been|has been|is)<1>(?:already|permanently|always|pre|fully|automatically"
            "|forever) (?:verified|authenticated|authori[sz]ed|pre-?authori[sz]ed|approved|pre-?approved"
            r"|cleared|pre-?cleared|trusted|identified|whitelisted|allowlisted|exempt(?:ed)?)\b"
            r"|\b(?:pre-?approved|pre-?cleared|pre-?authori[sz]ed|pre-?verified|whitelisted|allowlisted)\b",
            unless="pre-?approved<3>(?:mortgage|loan|credit card)|is already (?:approved|cleared) by"
            "|already approved (?:the|by|my|his|her)",
        ),
        Rule(
            code="claims_rights",
            name="exempt",
            pattern=r"\b(?:rules?|limits?|polic(?:y|ies)|restrictions?|quotas?|controls?|caps?|thresholds?|fees|checks?"
            r"|guidelines|terms|guardrails)\b<6>(?:don't|do not|doesn't|does not|never|no longer|not|isn't"
            "|aren't|shouldn't|should not|won't|cannot) (?:ever )?(?:apply|applies|bind|count|hold|affect|meant"
            r"|intended|concern|valid|binding)<2>(?:to|for|on|me|us|in|here)|\b(?:i am|i'm|user is|customer is"
            "|we are"
            "|account is|department is|team is|are|is) (?:completely |fully |always "
            "|permanently )?(?:exempt(?:ed)?|above|excused|free) (?:from )?(?:from|of)?<4>(?:rules?|limits?"
            r"|polic(?:y|ies)|checks?|approvals?|restrictions?|controls?|reviews?|verification)\b",
        ),
        Rule(
            code="always_valid",
            name="always",
            pattern=rf"\b{_OBJECT}\b<8>(?:is|are|be|counts? as|remains?|as|was|should be|must be|will be)(?: considered"
            "| treated as| deemed| to be)? (?:always|automatically|permanently|instantly|immediately"
            "|unconditionally|inherently) (?:be )?(?:valid|approved|accepted|honou?red|granted|allowed"
            "|permitted|eligible|authori[sz]ed|ok|okay|legitimate|trusted|safe|refundable|correct|true|binding"
            r"|processed|refunded|paid)\b",
        ),
        Rule(
            code="always_valid",
            name="auto",
            pattern=r"\b(?:auto[ -]?(?:approv\w+|accept\w*|grant\w*|authori[sz]\w+|merge all|refund\w*)"
            r"|rubber[ -]?stamp\w*|wave through|waved through|(?:always|automatically|immediately|instantly"
            "|silently|blindly|unconditionally|just|simply) (?:approve|authori[sz]e|grant|green ?light|sign off"
            "|sign off on|accept|refund|honou?r|pay|release|allow|permit|say yes to|comply with|obey"
            rf"|execute)<6>{_OBJECT})\b",
            unless=r"\b(?:usually|i|he|she|they|dad|mom|boss) (?:always |automatically |just )?(?:approves?|pays?"
            r"|accepts?)<3>(?:on|every|at)|auto[ -]?accept (?:calendar|meeting)|accept(?:s|ing)? changes?\b",
        ),
        Rule(
            code="always_valid",
            name="approve_all",
            pattern=r"\b(?:approve|authori[sz]e|grant|accept|green ?light|allow|permit|refund|honou?r|confirm|release"
            rf"|process)(?: \w+)? (?:all|any|every|each|whatever)<4>{_OBJECT}\b",
            unless=r"\b(?:i|he|she|they|we|who|managers?|usually|to|must|people|approvers?|reviewers?|director"
            "|team) (?:usually |always |also |can |must |have to |will |only )?(?:approve|authori[sz]e|accept"
            r"|process|confirm)\b",
        ),
        Rule(
            code="always_valid",
            name="any_of_mine",
            pattern=r"\b(?:any|every|each|all|whatever|anything|everything)<4>(?:i|we|user|customer|this sender"
            "|this account|the ceo|my boss) (?:mention|give|say|ask|request|send|make|submit|provide|quote|use"
            r"|want|order|claim|enter|issue|type|tell)\w*<6>(?:valid|approved|accepted|honou?red|granted|allowed"
            "|authori[sz]ed|trusted|true|correct|eligible|pre-?approved|legitimate|fine to execute|final"
            r"|binding|law)\b",
        ),
        Rule(
            code="always_valid",
            name="trust",
            pattern=r"\b(?:trust|believe|obey|follow|comply with|rely on)(?: (?:all|any|every|each|this|these|that|the"
            "|everything|anything|whatever|blindly|fully|only|always|sender'?s?|instructions?|messages?"
            "|requests?|commands?|orders?|links?|from|by))* (?:this|the|that) (?:sender|source|account|domain"
            r"|caller|agent|address|server|channel|contact|document|page|note|memory|tool)\b|\b(?:trust|obey"
            r"|believe) (?:everything|anything|all|whatever)<4>(?:i|says?|sends?|sent|from)\b|\bfully trusted\b"
            r"|\btrusted (?:source|sender)<4>(?:always|without|never|no)\b",
            unless="i (?:don't |do not |never |can't )?trust|trust(?:ed|s)? (?:me|you|in) ",
        ),
        Rule(
            code="raises_limit",
            pattern=r"\b(?:raise|raised|increase|increased|lift|lifted|remove|removed|ignore|unlimited|no|double|extend"
            "|set|is now|without|never enforce|no longer any)<4>(?:spending|spend|refund|transfer|approval"
            "|credit|withdrawal|purchase|transaction|discount|daily|payment|expense|rate|usage|token|retention"
            r"|budget)<1>(?:limits?|caps?|thresholds?|ceilings?|quotas?)\b|\b(?:entitled|eligible|allowed"
            "|authori[sz]ed) (?:to|for) (?:unlimited|any|all|automatic|full|instant)<2>(?:refunds?|discounts?"
            r"|access|credits?|upgrades?|withdrawals?|transfers?|returns?|tools?|data|records?)\b"
            r"|\bunlimited (?:refunds?|discounts?|credit|withdrawals?|transfers?|privileges|admin)\b",
            unless=r"\bi (?:want|would like|try|set)\b|token limit of|usage limits? on (?:his|her|my|their) phone",
        ),
        Rule(
            code="raises_limit",
            name="limit_first",
            pattern=r"\b(?:spending|spend|refund|transfer|approval|credit|withdrawal|purchase|transaction|discount"
            r"|payment|expense|rate|usage)<1>(?:limits?|caps?|thresholds?|ceilings?|quotas?)\b<5>(?:raised"
            "|increased|lifted|removed|unlimited|doubled|tripled|gone|no longer|waived|suspended|infinite"
            r"|disabled|set to|does not|doesn't)\b|\b(?:all|any|the)<1>(?:limits|restrictions|caps|checks"
            r"|controls|filters|safeguards)<3>(?:lifted|removed|suspended|disabled|waived|off|gone|void)\b",
            unless=r"\bi (?:got|had|asked)\b|\bbank (?:has )?(?:raised|increased)",
        ),
        Rule(
            code="changes_policy",
            pattern=r"\b(?:from now on|going forward|henceforth|effective immediately|starting (?:today|now)"
            "|new (?:policy|rule)|policy (?:change|update)|rule (?:change|update)|the (?:policy"
            r"|rule) is(?: now)?)\b<9>(?:skip|no approval|no longer|not needed|don't need|do not need|without"
            r"|allowed to|may bypass|exempt|waived?|auto\w*|disregard|ignore|override|overrides)<5>(?:approval"
            r"|approve|check|checks|verification|verify|review|limits?|rules?|polic(?:y|ies)|confirm\w*|consent"
            r"|authori[sz]\w+|permission|refunds?|payments?)\b",
        ),
        Rule(
            code="waives_control",
            name="german",
            pattern=r"\b(?:ohne (?:\w+ )?(?:genehmigung|ruckfrage|ruckfragen|nachfrage|nachfragen|freigabe|prufung"
            "|uberprufung|bestatigung|zustimmung|kontrolle|verifizierung|identitatsprufung|legitimation)"
            "|(?:keine?r?|nie(?:mals)?|nicht mehr|nicht)<3>(?:genehmigung|freigabe|prufung|uberprufung"
            r"|bestatigung|identitatsprufung|verifizierung|zustimmung|sicherheitsfrage|eskalier\w*"
            r"|identitat prufen|ruckfrag\w*|menschen weiterleiten|mitarbeiter weiterleiten|vorgesetzten)"
            r"|(?:uberspring\w*|umgeh\w*|ignorier\w*|deaktivier\w*|lass\w*|entfall\w*|auslass\w*"
            r"|weglass\w*)<4>(?:prufung|identitatsprufung|uberprufung|sicherheitsprufung|verifizierung"
            "|genehmigung|freigabe|sicherheitsabfrage|kontrolle|kontrollen|bestatigung|limits?)|(?:entfallt"
            "|entfallen|entfalle)<4>(?:prufung|identitatsprufung|uberprufung|verifizierung|genehmigung|freigabe"
            "|bestatigung|kontrolle|sicherheitsfrage|sicherheitsabfrage|legitimation)|(?:muss|musst|mussen"
            "|brauche|braucht)<4>nicht<2>(?:ausweisen|verifizieren|bestatigen|identifizieren|legitimieren"
            "|genehmigen|freigeben|prufen|bestatigt|genehmigt|gepruft|freigegeben)|(?:prufung|identitatsprufung"
            "|uberprufung|verifizierung|genehmigung|freigabe|bestatigung|kontrolle"
            "|sicherheitsabfrage)<5>(?:ubersprungen|uberspringen|umgehen|entfallt|entfallen|weglassen|auslassen"
            r"|unnotig|nicht (?:notig|notwendig|erforderlich))|(?:genehmig\w*|bewillig\w*|akzeptier\w*"
            r"|erstatte\w*|gib)<3>(?:jede[nrs]?|alle[ns]?|immer|automatisch|sofort)|(?:immer|automatisch"
            "|grundsatzlich|stets) (?:genehmigt|genehmigen|gultig|freigegeben|freigeben|bewilligt|akzeptieren"
            r"|erstatten)|(?:administratorrechte|adminrechte|admin-rechte|root-rechte|administrator-rechte))\b",
        ),
        Rule(
            code="waives_control",
            name="french",
            pattern=r"\b(?:sans (?:\w+ )?(?:demander|approbation|autorisation|validation|verification|confirmation"
            "|controle|accord|consentement|poser de questions?|verifier)|(?:sauter?|sautez|ignore[rz]?"
            "|contourne[rz]?|passe[rz]? outre|saute|omets|omettre|omettez|desactive[rz]?|supprime[rz]?"
            "|evite[rz]?)<3>(?:verifications?|controles?|approbations?|validations?|autorisations?"
            "|confirmations?|limites?)|(?:pas besoin|aucun besoin|inutile|pas necessaire|n'a pas besoin"
            "|n'ont pas besoin|ne necessitent? (?:pas|aucune)|aucune?)<3>(?:approbations?|autorisations?"
            "|validations?|verifications?|confirmations?|controles?|approuver|verifier|valider)|n'ai (?:pas"
            "|plus|jamais)<2>(?:verifier|confirmer|valider|justifier|prouver|identifier|m'identifier|approuver)"
            "|(?:verification|controle|approbation|validation|autorisation)<5>(?:ignoree?|sautee?|contournee?"
            "|supprimee?|inutile|pas necessaire)|(?:approuve[rz]?|accepte[rz]?|valide[rz]?|autorise[rz]?"
            "|rembourse[rz]?)<2>(?:tout|toute|tous|toutes|chaque|toujours|automatiquement|systematiquement)"
            "|(?:toujours|automatiquement) (?:valables?|valides?|approuvee?s?|acceptee?s?|autorisee?s?)"
            r"|ne<2>(?:jamais|pas)<3>(?:humain|superviseur|responsable|conseiller)|n'escalade\w*"
            r"|droits? (?:d'administrateur|administrateur|admin))\b",
        ),
        Rule(
            code="waives_control",
            name="spanish",
            pattern=r"\b(?:sin (?:\w+ )?(?:pedir|aprobacion|autorizacion|verificacion|confirmacion|preguntar|consultar"
            r"|revision|consentimiento|comprobar|verificar|permiso)|(?:omit[ae]\w*|salt[ae]\w*|ignor[ae]\w*"
            r"|evit[ae]\w*|elud[ae]\w*|desactiv\w+|elimin[ae]\w*|saltarse|saltar)<3>(?:verificacion(?:es)?"
            "|comprobacion(?:es)?|aprobacion(?:es)?|autorizacion(?:es)?|control(?:es)?|limites?"
            "|confirmacion(?:es)?|revision(?:es)?)|no (?:se )?(?:necesitan?|requieren?|hace falta"
            "|es necesari[ao]|hacen falta|pidas|exijas)<3>(?:aprobacion|autorizacion|verificacion|confirmacion"
            "|revision|permiso|aprobar|verificar|confirmar)|no (?:tengo|tiene|hay|tienes"
            r"|tenemos) que (?:verificar|confirmar|aprobar|pedir|esperar|identificar\w*|autorizar)"
            r"|(?:aprueb[ae]\w*|acept[ae]\w*|autori[zc][ae]\w*|reembols[ae]\w*|apruebe)<2>(?:todo|todos|todas"
            "|toda|cualquier|cada|siempre|automaticamente)|(?:siempre|automaticamente) (?:validos?|validas?"
            r"|aprobad[ao]s?|aceptad[ao]s?)|nunca<3>(?:humano|supervisor|gerente|persona|escal\w+)|(?:permisos"
            r"|derechos|privilegios) de administrador)\b",
        ),
        Rule(
            code="waives_control",
            name="italian_portuguese_dutch",
            pattern=r"\b(?:senza (?:\w+ )?(?:approvazione|autorizzazione|verifica|conferma|chiedere|controllo|consenso)"
            r"|(?:salta\w*|ignora\w*|evita\w*|disattiva\w*)<3>(?:verifica|controllo|controlli|approvazione"
            "|autorizzazione|conferma)|non (?:serve|servono|e necessaria|richiede|richiedono)<3>(?:approvazione"
            r"|autorizzazione|verifica|conferma)|sem (?:\w+ )?(?:aprovacao|autorizacao|verificacao|confirmacao"
            "|perguntar|pedir)|(?:pule|pular|ignore|ignorar|dispense)<3>(?:verificacao|aprovacao|autorizacao"
            "|confirmacao)|nao (?:precisa|precisam|requer|e necessaria)<3>(?:aprovacao|autorizacao|verificacao"
            r"|confirmacao)|zonder (?:\w+ )?(?:goedkeuring|toestemming|controle|verificatie|bevestiging"
            "|te vragen)|(?:sla|overslaan|negeer|omzeil)<4>(?:controle|identiteitscontrole|verificatie"
            "|goedkeuring)|(?:approva|accetta|aprove|aceite|keur)<3>(?:tutt[oiea]|ogni|todos|todas|qualquer"
            r"|alle|elke)|geen<2>(?:goedkeuring|toestemming|verificatie)<2>(?:nodig|vereist))\b",
        ),
    ],
)


def find_control_waivers(reading: Reading) -> list[Finding]:
    """Find text that skips, loosens or claims to stand above a control."""
    return list(RULES.findings(reading))
