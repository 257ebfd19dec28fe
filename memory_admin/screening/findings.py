"""What screening reports: findings, and the whole reading of one text."""

from dataclasses import dataclass
from typing import Literal

Group = Literal["secret", "personal", "sensitive", "control", "attack", "hidden", "task", "blank"]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing noticed in a text; it says who should look, never whether the text is safe.

    `code` is documented in `codes.py`; `category` is set for sensitive findings only; `span` counts characters
    of the text as it was given (end exclusive) and is None where the finding is about the whole text; `rule`
    names the pattern that matched, for whoever tunes it, and holds no words of the text.
    """

    code: str
    group: Group
    category: str | None
    span: Span | None
    rule: str


@dataclass(frozen=True, slots=True)
class Screening:
    """Everything noticed in one text, with the two other forms of it that later steps need.

    `redacted` is the text with personal data replaced by typed placeholders (equal to the text if there is none);
    `normalised` is how a reader would see it: hidden characters resolved, look-alikes folded. `language` is a
    cheap guess (ISO 639-1, or "und").
    """

    findings: tuple[Finding, ...]
    categories: tuple[str, ...]
    redacted: str
    normalised: str
    is_blank: bool
    language: str

    def has(self, group: Group) -> bool:
        """Tell whether anything of this group was found."""
        return any(finding.group == group for finding in self.findings)

    @property
    def codes(self) -> tuple[str, ...]:
        """The distinct codes found, in alphabetical order."""
        return tuple(sorted({finding.code for finding in self.findings}))
