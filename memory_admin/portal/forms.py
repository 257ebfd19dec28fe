"""What people fill in."""

from datetime import date, timedelta

from django import forms
from django.utils import timezone

from memory_admin.memories.vocabulary import CorrectionReason, DisputeReason, Kind, Origin, Status
from memory_admin.web import words

LONGEST_STATEMENT = 4000
FURTHEST_AHEAD = timedelta(days=366)


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

    def clean_since(self) -> date | None:
        since: date | None = self.cleaned_data["since"]
        if since is not None and since > timezone.now().date() + FURTHEST_AHEAD:
            raise forms.ValidationError("That is more than a year from now. Check the date.")
        return since


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
