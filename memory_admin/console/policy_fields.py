"""The form of a policy, made from the types of its document: fields out of a content, and the way back. Pure.

A content may be anything that somebody typed as JSON. What does not fit a field is shown empty, and kept where no field
was sent for it; what was sent and is no number stays as it was typed, so that the findings can speak of it.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from memory_admin.web import words
from policies.documents import DOCUMENTS, Family, Part, Range

LABELS = {
    "days": "How long each kind is kept, in days",
    "archive": "What is put to rest",
    "decay": "How guesses fade",
    "consolidation": "When summaries are made",
    "region_limits": "Limits of regions",
    "rules": "Rules",
    "dedupe": "What counts as the same",
    "confidence_caps": "How sure a claim may be",
    "origin_ranks": "Which origin may replace which",
    "rates": "How much is taken",
    "weights": "What a score is made of",
    "k": "Memories in an answer",
    "token_budget": "Tokens in an answer",
    "candidates": "Candidates",
    "source_share": "Largest share of one source",
    "lift": "Turns of one conversation",
    "purposes": "What each purpose needs",
    "other_purposes": "Every other purpose",
    "actions": "What agents may do",
    "staff": "What staff see of other people’s memories",
    "procedures": "Procedures",
    "match": "It applies when all of this holds",
    "id": "Number",
    "unused_days": "After days without use",
    "importance_below": "If its importance is below",
    "confidence_below": "If their confidence is below",
    "floor": "Put to rest at a confidence of",
    "every_days": "Days between two summaries",
    "minimum_episodes": "Episodes a summary takes, at least",
    "maximum_days": "Days, at most",
    "window_seconds": "Seconds of the window",
    "per_subject": "Writes about one subject within it",
    "per_agent": "Writes of one agent within it",
    "exempt_channels": "Not counted, when it comes by",
    "near_identical": "Similarity from which it may be a duplicate",
    "token_overlap": "Share of words they have in common",
    "neighbours": "Memories it is judged against",
    "maximum": "At most",
    "default": "If nothing is asked for",
    "is_test": "Comes with a test key",
    "sensitive": "Is about something sensitive",
    "without_scope": "The key lacks this right",
    "keeps_text": "A refused text may be kept, sealed, for its person",
    "title": "What the person reads",
    "reason": "What the writer reads",
    "hint": "Where it belongs instead",
    "unanswered_days": "Days a proposal waits for an answer",
    "refused_text_days": "Days a refused text is kept, sealed",
    "query_text_days": "Days the text of a question is kept",
    "half_life_days": "Days until it counts half",
    "at_least": "at least",
    "below": "less than",
}
VALUES = {
    **{name: word.text for name, word in words.ORIGINS.items()},
    **words.KINDS,
    "user": "A person",
    "entity": "A thing",
    "team": "A team",
    "policy_change": "Goes to the policy editors",
    "accept": "Is kept and in use at once",
    "propose": "Waits for the person",
    "quarantine": "Waits for a reviewer",
    "refuse": "Is not kept",
    "redact": "Has the words found replaced",
}
ADD = {
    "rules": "Add a rule",
    "actions": "Add a rule about an action",
    "purposes": "Add a purpose",
    "region_limits": "Add a limit of a region",
    "procedures": "Add a procedure",
}
"""What the button under each list says."""
PARTS = "parts"


@dataclass(frozen=True, slots=True)
class Field:
    """One field: `kind` is number, text, long, words, choice or many."""

    path: str
    label: str
    kind: str
    value: Any
    choices: Sequence[tuple[str, str]] = ()
    title: str = ""
    """What it is called where its label alone does not say, such as in a table."""


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list, with its fields when it is open."""

    index: int
    value: Any
    fields: list[Field] | None


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the form: fields, a table of fields, or a list of entries of which one may be open."""

    path: str
    label: str
    fields: list[Field] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
    rows: list[tuple[str, list[Field]]] = field(default_factory=list)
    items: list[Item] | None = None
    add: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    """What an annotation asks for: a kind of field, with what it holds."""

    kind: str
    model: type[Part] | None = None
    values: tuple[Any, ...] = ()
    is_optional: bool = False


def shape_of(annotation: Any) -> Shape:
    """Say what kind of field a type takes."""
    annotation, is_optional = _without_none(_plain(annotation))
    origin = get_origin(annotation)
    if origin is Literal:
        return Shape("choice", values=get_args(annotation), is_optional=is_optional)
    if origin is tuple:
        inner = _plain(get_args(annotation)[0])
        if get_origin(inner) is Literal:
            return Shape("many", values=get_args(inner))
        return Shape(PARTS, model=inner) if _is_part(inner) else Shape("words")
    if _is_part(annotation):
        return Shape("range" if annotation is Range else "part", model=annotation, is_optional=is_optional)
    if annotation is bool:
        return Shape("choice", values=(True, False), is_optional=is_optional)
    return Shape("number" if annotation in (int, float) else "text", is_optional=is_optional)


def _plain(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) not in (Union, types.UnionType):
        return annotation, False
    (inner,) = (one for one in get_args(annotation) if one is not type(None))
    return _plain(inner), True


def _is_part(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Part)


def label(name: str) -> str:
    """Name a field or a section."""
    said = LABELS.get(name) or VALUES.get(name) or name.replace("_", " ")
    return said[0].upper() + said[1:]


# --- out of a content ------------------------------------------------------------------------------------------------


def sections_of(family: Family, content: Any, *, open_item: tuple[str, int] | None = None) -> list[Section]:
    """Make the form of a content, section by section; of its lists one entry may be open."""
    single: list[Field] = []
    sections: list[Section] = []
    for name, held, shape in _held(DOCUMENTS[family], content):
        if shape.kind == PARTS:
            sections.append(_list(name, shape, held, open_item))
        elif shape.kind == "part" and shape.model is not None:
            sections.append(_section(name, shape.model, held))
        else:
            single += _fields(name, name, shape, held)
    return [*sections, Section("other", "Further numbers and choices", single)] if single else sections


def _held(model: type[Part], content: Any) -> Iterator[tuple[str, Any, Shape]]:
    held = content if isinstance(content, dict) else {}
    for name, info in model.model_fields.items():
        if name != "schema_version":
            yield name, held.get(name), shape_of(info.annotation)


def _section(path: str, model: type[Part], content: Any) -> Section:
    inner = list(_held(model, content))
    if all(shape.kind == "part" for _, _, shape in inner):
        rows = [(name, _of_part(f"{path}.{name}", shape.model, held)) for name, held, shape in inner if shape.model]
        head = [one.label for one in rows[0][1]]
        return Section(path, label(path), head=head, rows=[(label(name), _titled(name, found)) for name, found in rows])
    named = "When no rule decides" if path == "default" else label(path)
    return Section(path, named, _of_part(path, model, content))


def _titled(row: str, found: list[Field]) -> list[Field]:
    return [replace(one, title=f"{label(row)}, {one.label}") for one in found]


def _list(path: str, shape: Shape, held: Any, open_item: tuple[str, int] | None) -> Section:
    items = [
        Item(at, one, _of_part(f"{path}.{at}", shape.model, one) if shape.model and open_item == (path, at) else None)
        for at, one in enumerate(held if isinstance(held, list) else [])
    ]
    return Section(path, label(path), items=items, add=ADD[path])


def _of_part(path: str, model: type[Part], content: Any) -> list[Field]:
    return [one for name, held, shape in _held(model, content) for one in _fields(f"{path}.{name}", name, shape, held)]


def _fields(path: str, name: str, shape: Shape, held: Any) -> list[Field]:
    if shape.kind in ("part", "range") and shape.model is not None:
        inner = _of_part(path, shape.model, held)
        if shape.kind == "part":
            return inner
        return [replace(one, label=f"{label(name)} {one.label.lower()}") for one in inner]
    return [Field(path, label(name), _kind(name, shape), _shown(shape, held), _choices(shape))]


def _kind(name: str, shape: Shape) -> str:
    return "long" if shape.kind == "text" and name == "text" else shape.kind


def _shown(shape: Shape, held: Any) -> Any:
    if shape.kind == "many":
        return [str(one) for one in held] if isinstance(held, list) else []
    if shape.kind == "words":
        return ", ".join(map(str, held)) if isinstance(held, list) else ""
    if held is None:
        return ""
    return _code(held) if shape.kind == "choice" else str(held)


def _choices(shape: Shape) -> list[tuple[str, str]]:
    named = [(_code(one), _named(one)) for one in shape.values]
    return [("", "Either"), *named] if shape.is_optional else named


def _code(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _named(value: Any) -> str:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return VALUES.get(str(value)) or str(value).replace("_", " ").capitalize()


# --- back into a content ---------------------------------------------------------------------------------------------

Sent = Mapping[str, Sequence[str]]


def content_of(family: Family, content: Any, sent: Sent, *, open_item: tuple[str, int] | None = None) -> dict[str, Any]:
    """Put what was sent into a content: every field of the form, and of its lists the entry that was open."""
    return _filled(DOCUMENTS[family], content, sent, "", open_item)


def _filled(
    model: type[Part], content: Any, sent: Sent, before: str, open_item: tuple[str, int] | None
) -> dict[str, Any]:
    filled = dict(content) if isinstance(content, dict) else {}
    for name, held, shape in _held(model, content):
        path = f"{before}{name}"
        if shape.kind == PARTS and shape.model is not None:
            if open_item is not None and open_item[0] == path and isinstance(held, list):
                filled[name] = _with_item(shape.model, held, sent, path, open_item[1])
        elif shape.kind in ("part", "range") and shape.model is not None:
            inner = _filled(shape.model, held, sent, f"{path}.", open_item)
            is_none = shape.is_optional and all(one in ("", None) for one in inner.values())
            filled[name] = None if is_none else inner
        elif shape.kind == "many" or path in sent:
            filled[name] = _value(shape, held, list(sent.get(path, [])))
    return filled


def _with_item(model: type[Part], held: list[Any], sent: Sent, path: str, at: int) -> list[Any]:
    return [_filled(model, one, sent, f"{path}.{at}.", None) if index == at else one for index, one in enumerate(held)]


def _value(shape: Shape, held: Any, sent: list[str]) -> Any:
    if shape.kind == "many":
        # The order in which values stand means nothing: it stays as it was.
        return held if isinstance(held, list) and sorted(map(str, held)) == sorted(sent) else sent
    said = sent[0].replace("\r\n", "\n") if sent else ""
    if shape.kind == "words":
        return [one.strip() for one in said.split(",") if one.strip()]
    if said == "" and shape.is_optional:
        return None
    if shape.kind == "choice":
        return next((one for one in shape.values if _code(one) == said), said)
    return number(said) if shape.kind == "number" else said


def number(said: str) -> Any:
    """Read a number; what is none stays as it was typed."""
    said = said.strip()
    for read in (int, float):
        try:
            found = read(said)
        except ValueError:
            continue
        return found if abs(found) < 1e15 else said
    return said


# --- lists -----------------------------------------------------------------------------------------------------------


def changed_list(family: Family, content: dict[str, Any], act: str, path: str, at: int) -> tuple[dict[str, Any], int]:
    """Add to a list, or move or remove an entry of it; give the content, and the place of the entry that was moved."""
    shape = (
        shape_of(DOCUMENTS[family].model_fields[path].annotation) if path in DOCUMENTS[family].model_fields else None
    )
    held = content.get(path, [])
    if shape is None or shape.kind != PARTS or shape.model is None or not isinstance(held, list):
        return content, -1
    items = list(held)
    if act == "add":
        items.append(_blank(shape.model, items, family))
        return {**content, path: items}, len(items) - 1
    if not 0 <= at < len(items):
        return content, -1
    if act == "remove":
        del items[at]
        return {**content, path: items}, -1
    to = at + {"up": -1, "down": 1}.get(act, 0)
    if 0 <= to < len(items):
        items[at], items[to] = items[to], items[at]
        return {**content, path: items}, to
    return content, at


def _blank(model: type[Part], items: list[Any], family: Family) -> dict[str, Any]:
    """Make a new entry with what must stand in it left to be filled in; a rule gets the first number that is free."""
    blank: dict[str, Any] = {}
    for name, info in model.model_fields.items():
        shape = shape_of(info.annotation)
        if name == "id":
            used = {one.get("id") for one in items if isinstance(one, dict)}
            blank[name] = next(one for at in range(1000) if (one := f"{family[0].upper()}-{at:03}") not in used)
        elif shape.kind == "part" and shape.model is not None:
            blank[name] = _blank(shape.model, [], family)
        elif not info.is_required():
            blank[name] = list(info.default) if isinstance(info.default, tuple) else info.default
        elif shape.kind == "choice":
            blank[name] = shape.values[-1]
        else:
            blank[name] = [] if shape.kind in ("many", "words") else ""
    return blank
