"""Patterns as data: many rules matched over one text in linear time.

All patterns are RE2. On top of it two abbreviations keep them readable (outside character classes):

    a space     any run of characters that are neither letters nor the end of a sentence
    <n>         the same, with at most n words between

Rules match the folded reading (lower case, no accents), so `\\b` and `\\w` hold for every Latin-written language.
A book of rules first looks for the literal pieces of all its patterns in one pass and runs only those patterns
whose pieces are there.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, cast

import re2

from memory_admin.screening.findings import Finding, Group, Span
from memory_admin.screening.hidden import Reading

_BETWEEN = r"(?:[^\w.!?]+)"
_WORD = r"[\w'@/-]+"
_CONTEXT = 48


class Match(Protocol):
    """What a pattern found."""

    def group(self, group: int = 0, /) -> str: ...
    def start(self, group: int = 0, /) -> int: ...
    def end(self, group: int = 0, /) -> int: ...


class Pattern(Protocol):
    """A compiled RE2 pattern; it matches in time linear in the text."""

    def search(self, text: str, /) -> Match | None: ...
    def finditer(self, text: str, /) -> Iterator[Match]: ...
    def fullmatch(self, text: str, /) -> Match | None: ...


def compiled(pattern: str) -> Pattern:
    """Compile one RE2 pattern as it stands, without the abbreviations."""
    return cast(Pattern, re2.compile(pattern, _options()))


def any_of(words: str) -> str:
    """Write a choice between phrases parted by "|"; line breaks and what is around them do not count."""
    return "(?:" + "".join(line.strip() for line in words.splitlines()) + ")"


def set_of(words: str) -> frozenset[str]:
    """Write a set of words parted by white space."""
    return frozenset(words.split())


def expanded(pattern: str) -> str:
    """Write out the two abbreviations of this module."""
    pieces: list[str] = []
    in_class = False
    index = 0
    while index < len(pattern):
        character = pattern[index]
        if character == "\\":
            pieces.append(pattern[index : index + 2])
            index += 2
            continue
        in_class = character == "[" or (in_class and character != "]")
        if character == " " and not in_class:
            pieces.append(_BETWEEN)
        elif character == "<" and pattern[index + 1 : index + 2].isdigit() and pattern[index + 2 : index + 3] == ">":
            pieces.append(rf"(?:{_BETWEEN}{_WORD}){{0,{pattern[index + 1]}}}{_BETWEEN}")
            index += 2
        else:
            pieces.append(character)
        index += 1
    return "".join(pieces)


@dataclass(frozen=True)
class Rule:
    """One pattern and the code of what it finds.

    `unless` names what, near the match, makes it harmless. `accept` looks at the match where a pattern cannot
    (a checksum, the entropy of a token). `name` tells rules of one code apart.
    """

    code: str
    pattern: str
    name: str = ""
    category: str | None = None
    unless: str | None = None
    accept: Callable[[Match], bool] | None = None
    group: int = 0

    @cached_property
    def compiled(self) -> Pattern:
        """The pattern, written out and compiled."""
        return compiled(expanded(self.pattern))

    @cached_property
    def _exception(self) -> Pattern | None:
        return compiled(expanded(self.unless)) if self.unless else None

    def matches(self, text: str) -> Iterator[Span]:
        """Give the spans of the accepted matches in a text."""
        for match in self.compiled.finditer(text):
            if self.accept is not None and not self.accept(match):
                continue
            near = text[max(0, match.start() - _CONTEXT) : match.end() + _CONTEXT]
            if self._exception is not None and self._exception.search(near):
                continue
            yield match.start(self.group), match.end(self.group)


class RuleBook:
    """Rules of one group, matched together."""

    def __init__(self, group: Group, rules: Iterable[Rule], *, keeps_case: bool = False) -> None:
        self.group = group
        self.rules: Sequence[Rule] = tuple(rules)
        self.keeps_case = keeps_case
        self._filter = re2.Filter()
        for rule in self.rules:
            self._filter.Add(expanded(rule.pattern), _options())
        self._filter.Compile()

    def findings(self, reading: Reading, *, all_spans: bool = False) -> Iterator[Finding]:
        """Give the findings in one reading: the first of each rule, or every one."""
        text = reading.text if self.keeps_case else reading.folded
        for rule in self._candidates(text):
            for start, end in rule.matches(text):
                yield Finding(
                    rule.code, self.group, rule.category, reading.span(start, end), f"{rule.code}/{rule.name or '1'}"
                )
                if not all_spans:
                    break

    def _candidates(self, text: str) -> list[Rule]:
        return [self.rules[index] for index in sorted(self._filter.Match(text) or ())]


def _options() -> "re2.Options":
    options = re2.Options()
    options.log_errors = False
    return options
