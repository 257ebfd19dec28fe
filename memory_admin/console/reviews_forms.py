"""What reviewers fill in."""

from __future__ import annotations

from typing import Any

from django import forms

from memory_admin.console.forms import Choice
from memory_admin.memories.vocabulary import DisputeResult, Remedy, ReviewResult

LONGEST_STATEMENT = 4000
LONGEST_ANSWER = 2000

HARMLESS, HARMFUL = "harmless", "harmful"
STAYS = DisputeResult.NOT_UPHELD.value


class DecisionField(forms.ChoiceField):
    """What is to happen: one of a few, each with its effect."""

    def __init__(self, **field: Any) -> None:
        said = "Choose what is to happen."
        super().__init__(
            label="What is to happen?",
            widget=forms.RadioSelect,
            error_messages={"required": said, "invalid_choice": said},
            **field,
        )


class AnswerField(forms.CharField):
    """What the person reads as the answer."""

    def __init__(self, **field: Any) -> None:
        super().__init__(
            label="What to tell the person",
            required=False,
            max_length=LONGEST_ANSWER,
            widget=forms.Textarea(attrs={"rows": 3}),
            **field,
        )


class RefusalForm(forms.Form):
    """The answer to somebody who asked to look at a refusal again."""

    decision = DecisionField(
        choices=[
            (
                ReviewResult.LET_IN,
                Choice(
                    "Let it in",
                    "It is kept as the person’s own word, where the rules allow that. Your name is recorded.",
                ),
            ),
            (ReviewResult.KEPT_OUT, Choice("Keep it refused", "The person reads your reason.")),
        ],
    )
    answer = AnswerField(help_text="Needed if it stays refused.")

    def clean(self) -> dict[str, Any]:
        """Ask for a reason where it stays refused."""
        decision = self.cleaned_data.get("decision")
        if decision == ReviewResult.KEPT_OUT and not self.cleaned_data.get("answer") and "answer" not in self.errors:
            self.add_error("answer", "Say in words why it stays refused.")
        return self.cleaned_data


class HeldForm(forms.Form):
    """What a reviewer says of something that was held for a check."""

    decision = DecisionField(
        choices=[
            (HARMLESS, Choice("Ask the person", "It is harmless. No agent uses it until the person has said yes.")),
            (HARMFUL, Choice("Keep it out", "No agent uses it, and none learns the same words again.")),
        ],
    )
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**31 - 1)


class AnswerForm(forms.Form):
    """The answer to a dispute: the memory is put right in one of three ways, or stays with a reason."""

    decision = DecisionField(
        choices=[
            (Remedy.ERASED, Choice("Erase it", "It goes everywhere at once, and no agent learns it again.")),
            (
                Remedy.CORRECTED,
                Choice("Correct it", "It says the text below from now on. The old words stay in the person’s history."),
            ),
            (
                Remedy.RETIRED,
                Choice("End it", "It was right until now. No agent uses it again; it stays in the person’s history."),
            ),
            (
                STAYS,
                Choice(
                    "Leave it as it is",
                    "The person reads your reason now. Agents use it again after seven days, unless they act.",
                ),
            ),
        ],
    )
    statement = forms.CharField(
        label="If you correct it: how should it read?",
        required=False,
        max_length=LONGEST_STATEMENT,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Your words, not the person’s: it will count as brought in by your organisation.",
    )
    answer = AnswerField(help_text="Needed if it stays as it is. It is not kept if you erase the memory.")
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**31 - 1)

    def clean(self) -> dict[str, Any]:
        """Ask for the words that the decision needs."""
        decision = self.cleaned_data.get("decision")
        if decision == Remedy.CORRECTED and not self.cleaned_data.get("statement") and "statement" not in self.errors:
            self.add_error("statement", "Write how it should read.")
        if decision == STAYS and not self.cleaned_data.get("answer") and "answer" not in self.errors:
            self.add_error("answer", "Say in words why it stays as it is.")
        return self.cleaned_data
