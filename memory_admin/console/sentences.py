"""Policies in plain words: rules as sentences, numbers in tables. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory_admin.web import words
from policies.documents import (
    KINDS,
    ORIGINS,
    AccessPolicy,
    AccessRule,
    ActionRule,
    Part,
    PolicyDocument,
    ProcedurePolicy,
    Purpose,
    Range,
    RetentionPolicy,
    RetrievalPolicy,
    WritePolicy,
    WriteRule,
)

OUTCOMES = {
    "accept": "it is kept and in use at once",
    "propose": "it waits for the person",
    "quarantine": "it waits for a reviewer",
    "refuse": "it is not kept",
    "redact": "the words found are replaced by placeholders, and the next rules decide",
    "policy_change": "it is not kept, and the wish goes to the policy editors",
}
FINDINGS = {
    "secret": "holds a password, key or code",
    "blank": "is blank",
    "personal": "holds numbers or addresses of a person",
    "attack": "reads like an order planted for agents",
    "control": "asks to waive a control",
    "hidden": "holds hidden characters",
    "trait_inferred": "infers a sensitive trait",
    "task": "is about the task at hand",
}
CHANNELS = {
    "portal": "from the person’s own page",
    "user_message": "in the person’s own words to an agent",
    "import": "by an import",
    "consolidation": "by summing memories up",
    "agent": "from an agent",
    "tool": "from a tool",
    "document": "from a document",
    "peer_agent": "from another agent",
}
ORIGIN_WORDS = {
    "stated": "stated",
    "verified_outcome": "a verified outcome",
    "observed": "observed",
    "inferred": "inferred",
    "imported": "imported",
}
SUBJECTS = {"user": "a person", "entity": "a thing", "team": "a team"}
SIGHT = {
    "nothing": "nothing of it",
    "masked": "it masked",
    "queue": "only what waits for them",
    "content": "the texts, each look recorded",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule as a sentence, and what it tells whom."""

    id: str
    sentence: str
    title: str


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers of a policy."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""

    @property
    def labelled(self) -> list[list[tuple[str, str]]]:
        """Give each cell with the head of its column, for tables that become cards."""
        return [list(zip(self.head, row, strict=True)) for row in self.rows]


ANSWERS = {"allow": "Allowed", "deny": "Denied", "ask_person": "After asking the person"}
"""What is said of an action."""


def rules_of(document: PolicyDocument) -> list[Rule]:
    """Say each rule of a document in one sentence, in the order in which they are tried."""
    if isinstance(document, WritePolicy):
        default = document.default
        last = Rule(default.id, f"In every other case {OUTCOMES[default.outcome]}.", default.title)
        return [*(Rule(rule.id, _write_sentence(rule), rule.title) for rule in document.rules), last]
    if isinstance(document, AccessPolicy):
        return [Rule(rule.id, _access_sentence(rule), rule.title) for rule in (*document.rules, document.default)]
    return []


def sentence_of(rule: Part) -> str:
    """Say one rule of a policy in one sentence."""
    if isinstance(rule, WriteRule):
        return _write_sentence(rule)
    assert isinstance(rule, AccessRule)
    return _access_sentence(rule)


def tables_of(document: PolicyDocument) -> list[Table]:
    """Put the numbers of a document into tables."""
    match document:
        case WritePolicy():
            return list(_write_tables(document))
        case RetentionPolicy():
            return list(_retention_tables(document))
        case RetrievalPolicy():
            return list(_retrieval_tables(document))
        case AccessPolicy():
            return list(_access_tables(document))
        case ProcedurePolicy():
            return list(_procedure_tables(document))


def _write_sentence(rule: WriteRule) -> str:
    then = OUTCOMES[rule.outcome]
    if not rule.keeps_text:
        then += ", and its words are stored nowhere"
    return _sentence(_conditions(rule.match), then)


def _access_sentence(rule: AccessRule) -> str:
    then = "an agent may read it" if rule.decision == "allow" else "it is closed to the agent"
    return _sentence(_conditions(rule.match), then)


def _sentence(conditions: Iterable[str], then: str) -> str:
    told = list(conditions)
    return f"If it {_and(told)}, {then}." if told else f"In every other case {then}."


def _conditions(match: Part) -> Iterable[str]:
    for name, wanted in match:
        if wanted is None or wanted == ():
            continue
        match name:
            case "findings":
                yield _or([FINDINGS.get(one, f"holds what is found as {one}") for one in wanted])
            case "channels":
                yield f"comes {_or([CHANNELS[one] for one in wanted])}"
            case "origins":
                yield f"is {_or([ORIGIN_WORDS[one] for one in wanted])}"
            case "kinds":
                yield f"is {_or([_a(words.KINDS[one].lower()) for one in wanted])}"
            case "categories":
                yield f"is about {_or([one.replace('_', ' ') for one in wanted])}"
            case "sensitive":
                yield "is about something sensitive" if wanted else "is about nothing sensitive"
            case "agents":
                yield f"concerns the agent {_or(list(wanted))}"
            case "subject_kinds":
                yield f"is about {_or([SUBJECTS[one] for one in wanted])}"
            case "purposes":
                yield f"is asked for the purpose {_or(list(wanted))}"
            case "without_scope":
                yield f"is asked for with a key that lacks the right {wanted}"
            case "is_test":
                yield "comes with a test key" if wanted else "comes with a key that is no test key"
            case "length":
                yield f"has {_range(wanted).replace('less', 'fewer')} characters"
            case _:
                yield f"has {_a(name.replace('_', ' '))} of {_range(wanted)}"


def _range(wanted: Range) -> str:
    ends = [f"at least {wanted.at_least:g}"] if wanted.at_least is not None else []
    ends += [f"less than {wanted.below:g}"] if wanted.below is not None else []
    return " and ".join(ends)


def _write_tables(policy: WritePolicy) -> Iterable[Table]:
    window = _lasting(policy.rates.window_seconds)
    yield Table(
        "How sure a claim may be",
        ("Origin", "Highest confidence", "Rank"),
        [
            (_origin(one), f"{getattr(policy.confidence_caps, one):g}", str(getattr(policy.origin_ranks, one)))
            for one in ORIGINS
        ],
        "A newer claim takes the place of an older one only if its origin ranks at least as high.",
    )
    yield Table(
        "Numbers",
        ("What", "Value"),
        [
            ("A refused text is kept, sealed, for its person alone", days(policy.refused_text_days)),
            ("Writes about one subject, at most", f"{policy.rates.per_subject:,} in {window}"),
            ("Writes of one agent, at most", f"{policy.rates.per_agent:,} in {window}"),
            ("Similarity from which a rewording may be a duplicate", f"{policy.dedupe.near_identical:g}"),
            ("Share of words two such wordings have in common", _share(policy.dedupe.token_overlap)),
        ],
    )
    yield _sensitive(policy.sensitive_categories)


def _retention_tables(policy: RetentionPolicy) -> Iterable[Table]:
    yield Table(
        "How long each kind is kept",
        ("Kind", *(_origin(one) for one in ORIGINS)),
        [(words.KINDS[kind], *(days(getattr(getattr(policy.days, kind), one)) for one in ORIGINS)) for kind in KINDS],
        "Counted from the day it was recorded. A sooner end asked for by the person or the writer wins.",
    )
    decay = policy.decay
    yield Table(
        "Numbers",
        ("What", "Value"),
        [
            ("Put to rest when it was not used for", days(policy.archive.unused_days)),
            ("… and its importance is below", f"{policy.archive.importance_below:g}"),
            ("Confidence fades for", _or([_origin(one).lower() for one in decay.origins])),
            ("… when it is below", f"{decay.confidence_below:g}"),
            ("… by half every", days(decay.half_life_days)),
            ("… until it is put to rest at", f"{decay.floor:g}"),
            ("Related episodes are summed up every", days(policy.consolidation.every_days)),
            ("A proposal waits for an answer", days(policy.unanswered_days)),
            *((f"Longest time in the region {one.region}", days(one.maximum_days)) for one in policy.region_limits),
        ],
    )


def _retrieval_tables(policy: RetrievalPolicy) -> Iterable[Table]:
    yield Table(
        "What a score is made of",
        ("Part", "Weight"),
        [(name.capitalize(), f"{weight:g}") for name, weight in policy.weights],
    )
    budget = policy.token_budget
    yield Table(
        "Numbers",
        ("What", "Value"),
        [
            ("Lowest score that is handed out", f"{policy.minimum_score:g}"),
            ("Memories in an answer", f"{policy.k.default}, at most {policy.k.maximum}"),
            ("Tokens in an answer", f"{budget.default:,}, at most {budget.maximum:,}"),
            ("Share of the tokens for the profile", _share(policy.profile_share)),
            ("Largest share of one source", _share(policy.source_share.maximum)),
            ("“Recent” counts half after", days(policy.half_life_days)),
            ("The text of a question is kept", days(policy.query_text_days)),
        ],
    )
    yield Table(
        "What each purpose needs",
        ("Purpose", "Origins", "Confidence at least", "A confirmation suffices"),
        [_purpose(one) for one in (*policy.purposes, policy.other_purposes)],
    )


def _access_tables(policy: AccessPolicy) -> Iterable[Table]:
    yield Table(
        "What staff see of other people’s memories",
        ("Role", "Sees"),
        [(words.ROLES[role], SIGHT[sight]) for role, sight in policy.staff],
    )
    if policy.actions:
        yield Table(
            "What agents may do",
            ("Action", "Memories", "Answer", "Reason", "Rule"),
            [_action(rule, before=policy.actions[:at]) for at, rule in enumerate(policy.actions)],
            "What is not listed is denied.",
        )
    yield _sensitive(policy.sensitive_categories)


def _action(rule: ActionRule, *, before: Sequence[ActionRule]) -> tuple[str, ...]:
    others = "All others" if any(one.action == rule.action for one in before) else "All"
    conditions = list(_conditions(rule.match))
    about = f"If it {_and(conditions)}" if conditions else others
    return rule.action.replace("_", " ").capitalize(), about, ANSWERS[rule.decision], rule.title, rule.id


def _procedure_tables(policy: ProcedurePolicy) -> Iterable[Table]:
    if policy.procedures:
        yield Table(
            "Procedures",
            ("Name", "What it is", "Owner", "For"),
            [(one.name, one.title, one.owner, ", ".join(one.agents) or "all agents") for one in policy.procedures],
        )


def _sensitive(categories: Sequence[str]) -> Table:
    return Table("What is sensitive", ("Category",), [(one.replace("_", " ").capitalize(),) for one in categories])


def _purpose(purpose: Purpose) -> tuple[str, ...]:
    origins = "all" if set(purpose.origins) == set(ORIGINS) else _or([_origin(one).lower() for one in purpose.origins])
    confirmed = "yes" if purpose.confirmed_suffices else "no"
    name = "Every other" if purpose.name == "other" else purpose.name.capitalize()
    return name, origins, f"{purpose.minimum_confidence:g}", confirmed


def _origin(origin: str) -> str:
    return words.ORIGINS[origin].text


def days(number: int | None) -> str:
    """Say how long so many days are: “120 days”, “2 years”; None is without a limit."""
    if number is None:
        return "No limit"
    return f"{number // 365} years" if number >= 730 and number % 365 == 0 else words.several(number, "day", "days")


def _share(share: float) -> str:
    return f"{share * 100:g} %"


def _lasting(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return words.several(seconds, "second", "seconds") if rest else words.several(minutes, "minute", "minutes")


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _or(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"
