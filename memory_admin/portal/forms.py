"""What people fill in."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django import forms
from django.utils import timezone

from memory_admin.memories.vocabulary import CorrectionReason, DisputeReason, Kind, Origin, PauseMode, Status
from memory_admin.web import words

LONGEST_STATEMENT = 4000
LONGEST_PAUSE = timedelta(days=3653)

MODE_ON = "on"


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice with the line that explains it."""

    label: str
    hint: str

    def __str__(self) -> str:
        return self.label


def _choices(any_label: str, labels: dict[str, str]) -> list[tuple[str, str]]:
    return [("", any_label), *labels.items()]


class FilterForm(forms.Form):
    """What the list is narrowed to; a value it does not know narrows nothing."""

    q = forms.CharField(
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "Search my memories"}),
    )
    origin = forms.ChoiceField(
        required=False,
        choices=_choices("Any origin", {key: words.ORIGINS[key].text for key in Origin.values}),
    )
    status = forms.ChoiceField(
        required=False,
        choices=_choices(
            "Any status", {key: words.STATUSES[key].text for key in Status.values if key != Status.ERASED}
        ),
    )
    kind = forms.ChoiceField(
        required=False, choices=_choices("Any kind", {key: words.KINDS[key] for key in Kind.values})
    )


def _statement(label: str) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=LONGEST_STATEMENT,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One or two sentences that can be understood on their own.",
        error_messages={"required": "Write what it should say."},
    )


class AddForm(forms.Form):
    """Something new that agents should know."""

    statement = _statement("What should they know?")
    kind = forms.ChoiceField(
        label="What kind of thing is it?",
        initial=Kind.PREFERENCE,
        choices=[(key, words.KINDS[key]) for key in (Kind.PREFERENCE, Kind.FACT, Kind.RELATIONSHIP, Kind.INSTRUCTION)],
    )


class CorrectForm(forms.Form):
    """How a memory should read, and why it did not."""

    reason = forms.ChoiceField(
        label="What is not right?",
        widget=forms.RadioSelect,
        choices=[
            (CorrectionReason.WRONG, "It was never right"),
            (CorrectionReason.CHANGED, "It was right, and has changed"),
            (CorrectionReason.NEEDS_CONTEXT, "It is right, but something is missing"),
        ],
        error_messages={"required": "Choose what is not right."},
    )
    statement = _statement("How should it read?")
    since = forms.DateField(
        label="If it has changed: since when?",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="Leave it empty for now.",
        error_messages={"invalid": "Write the date as year-month-day, like 2026-03-31."},
    )
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**31 - 1)


class DisputeForm(forms.Form):
    """Why a memory should be checked."""

    reason = forms.ChoiceField(
        label="Reason",
        widget=forms.RadioSelect,
        choices=[
            (DisputeReason.WRONG, "It is wrong about me"),
            (DisputeReason.SOMEONE_ELSE, "It is about somebody else"),
            (DisputeReason.TOO_PRIVATE, "It is too private"),
            (DisputeReason.OUT_OF_DATE, "It is out of date"),
            (DisputeReason.OTHER, "Something else"),
        ],
        error_messages={"required": "Choose a reason."},
    )
    words = forms.CharField(
        label="Anything that helps to check it",
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="You can leave this empty.",
    )


class UntilField(forms.DateField):
    """The day on which a pause ends by itself; none until it is ended by hand."""

    def __init__(self, **field: Any) -> None:
        super().__init__(
            required=False,
            widget=forms.DateInput(attrs={"type": "date"}),
            error_messages={"invalid": "Write the date as year-month-day, like 2026-03-31."},
            **{"label": "Until", "help_text": "Leave it empty to decide later.", **field},
        )

    def validate(self, value: date | None) -> None:
        super().validate(value)
        today = timezone.localdate()
        if value is not None and not today < value <= today + LONGEST_PAUSE:
            raise forms.ValidationError("Choose a day that is still to come, within ten years.")


class PauseForm(forms.Form):
    """How long one memory is out of use."""

    until = UntilField(label="Bring it back on", help_text="Leave it empty to bring it back yourself.")


class ModeForm(forms.Form):
    """What all agents may do with the memory."""

    mode = forms.ChoiceField(
        label="How memory works for you",
        widget=forms.RadioSelect,
        choices=[
            (MODE_ON, Choice("On", "Agents use what they remember and save new things.")),
            (PauseMode.SAVE, Choice("Use, but save nothing new", "What is remembered stays in use.")),
            (
                PauseMode.USE,
                Choice("Save, but use nothing", "You can look through new memories before you turn it on."),
            ),
            (PauseMode.BOTH, Choice("Paused", "Everything is kept, nothing is used, nothing is saved.")),
        ],
        error_messages={"required": "Choose how memory works for you."},
    )
    until = UntilField(help_text="Then it is on again. Leave it empty to turn it on yourself.")


class SwitchForm(forms.Form):
    """Switches as they are now (`on`) and as the page had shown them (`was`): what was not touched stays as it is."""

    until = UntilField(label="Keep off until", help_text="For those you turn off now. Leave it empty to decide later.")

    def __init__(self, *form: Any, names: dict[str, str], **more: Any) -> None:
        super().__init__(*form, **more)
        for field in ("on", "was"):
            self.fields[field] = forms.MultipleChoiceField(
                required=False,
                choices=list(names.items()),
                error_messages={"invalid_choice": "This page was out of date. Look again, then save."},
            )

    @property
    def turned_off(self) -> list[str]:
        """Name what was on when the page was made and is not any more."""
        return [key for key in self.cleaned_data["was"] if key not in self.cleaned_data["on"]]

    @property
    def turned_on(self) -> list[str]:
        """Name what was off when the page was made and is on now."""
        return [key for key in self.cleaned_data["on"] if key not in self.cleaned_data["was"]]
