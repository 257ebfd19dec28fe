"""What staff fill in."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from accounts.vocabulary import Channel, MemoryMode, Scope
from memory_admin.console.labels import CHANNEL_HINTS, CHANNELS, SCOPES
from memory_admin.retrieval.services import ViewReason

USUAL = (Scope.MEMORIES_READ, Scope.MEMORIES_WRITE, Scope.PROFILE_READ, Scope.CONTEXT_READ)


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice with what it means."""

    label: str
    hint: str


class LastDayField(forms.DateField):
    """The last day on which a key works; none for a key without an end."""

    def __init__(self, *, label: str) -> None:
        super().__init__(
            label=label,
            required=False,
            validators=[MaxValueValidator(date(2999, 12, 31), "Choose a day before the year 3000.")],
            widget=forms.DateInput(attrs={"type": "date"}),
            help_text="It works until the end of this day. Leave it empty for no end.",
            error_messages={"invalid": "Write the date as year-month-day, like 2027-03-31."},
        )


class AgentForm(forms.Form):
    """A program that will read or write memories."""

    name = forms.CharField(
        label="Name",
        max_length=200,
        help_text="People read it beside each memory it wrote.",
        error_messages={"required": "Give the agent a name."},
    )
    purpose = forms.CharField(
        label="What it is for",
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="One sentence in plain words.",
    )


class KeyForm(forms.Form):
    """What a new key may do."""

    channel = forms.ChoiceField(
        label="Whose words does it bring?",
        widget=forms.RadioSelect,
        initial=Channel.AGENT,
        choices=[(key, Choice(CHANNELS[key], hint)) for key, hint in CHANNEL_HINTS.items()],
        error_messages={"required": "Choose whose words it brings."},
    )
    scopes = forms.MultipleChoiceField(
        label="What may it do?",
        widget=forms.CheckboxSelectMultiple,
        initial=USUAL,
        choices=list(SCOPES.items()),
        error_messages={"required": "Choose at least one thing that it may do."},
    )
    subject = forms.CharField(
        label="Only about one subject",
        max_length=200,
        required=False,
        help_text="A reference such as user:mia. Leave it empty for everybody.",
    )
    expires = LastDayField(label="Last day")
    is_test = forms.BooleanField(label="A test key: it sees test subjects only", required=False)
    key_id = forms.UUIDField(widget=forms.HiddenInput)


class RotateForm(forms.Form):
    """How long the old key goes on beside its successor."""

    overlap = forms.TypedChoiceField(
        label="How long does the old key go on working?",
        widget=forms.RadioSelect,
        coerce=int,
        initial=24,
        choices=[(0, "Not at all"), (1, "One hour"), (24, "One day"), (168, "One week")],
        error_messages={"required": "Choose how long the old key goes on."},
    )
    expires = LastDayField(label="Last day of the new key")
    key_id = forms.UUIDField(widget=forms.HiddenInput)


#: Years a filter by day may name: outside them there is nothing.
DAYS = [MinValueValidator(date(2000, 1, 1)), MaxValueValidator(date(2999, 12, 31))]


class AuditForm(forms.Form):
    """What the audit trail is narrowed to; a value it does not know narrows nothing."""

    action = forms.ChoiceField(label="What", required=False)
    actor = forms.ChoiceField(label="Who", required=False)
    since = forms.DateField(
        label="From", required=False, validators=DAYS, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label="Until", required=False, validators=DAYS, widget=forms.DateInput(attrs={"type": "date"})
    )
    object = forms.UUIDField(
        label="Number of the object",
        required=False,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    policy = forms.CharField(
        label="Policy version",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "Such as write/1"}),
    )
    request = forms.CharField(
        label="Request", required=False, max_length=200, widget=forms.TextInput(attrs={"type": "search"})
    )

    def __init__(self, *args: Any, actors: list[tuple[str, str]], actions: dict[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, choices in (("actor", actors), ("action", [(key, did.capitalize()) for key, did in actions.items()])):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", f"Any{'body' if name == 'actor' else 'thing'}"), *choices]


class LogForm(forms.Form):
    """What the retrieval log is narrowed to."""

    agent = forms.ChoiceField(label="Agent", required=False)
    subject = forms.CharField(
        label="About",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "Such as user:mia"}),
    )

    def __init__(self, *args: Any, agents: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["agent"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "Any agent"), *agents]


class ViewForm(forms.Form):
    """Why somebody looks at the words of other people's memories."""

    reason = forms.ChoiceField(
        label="Why do you need the texts?",
        help_text="They are masked. Each look is recorded with its reason, for each person they are about.",
        choices=[
            ("", "Choose a reason"),
            (ViewReason.REQUEST, "To answer a request of the person"),
            (ViewReason.COMPLAINT, "To check a complaint"),
            (ViewReason.INCIDENT, "To look into an incident"),
            (ViewReason.FAULT, "To find a fault"),
        ],
        error_messages={"required": "Choose why you need the texts."},
    )


class SubjectForm(forms.Form):
    """What the list of subjects is narrowed to."""

    q = forms.CharField(
        label="Reference",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "Part of a reference"}),
    )
    mode = forms.ChoiceField(
        label="Memory",
        required=False,
        choices=[
            ("", "Any setting"),
            (MemoryMode.ON, "On"),
            (MemoryMode.PAUSED, "Paused"),
            (MemoryMode.SAVE_ONLY, "Saves, is not used"),
            (MemoryMode.USE_ONLY, "Used, saves nothing"),
        ],
    )


class RequestForm(forms.Form):
    """What the queue of wishes is narrowed to."""

    status = forms.ChoiceField(
        label="Status",
        required=False,
        choices=[("", "Any status"), ("open", "Open"), ("drafted", "Drafted"), ("dismissed", "Dismissed")],
    )
