"""What staff fill in about a version of a policy."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

from django import forms
from django.utils import timezone

from accounts.models import Agent, User
from memory_admin.web import words
from policies.digests import Terms
from policies.documents import FAMILIES
from policies.queries import surroundings
from policies.services import TITLES

REASON = forms.Textarea(attrs={"rows": 3})
LONGEST_JSON = 100_000


class ReasonForm(forms.Form):
    """Why somebody does what many others will ask about."""

    reason = forms.CharField(
        label="Why?",
        widget=REASON,
        help_text="At least ten characters. It stays in the record.",
        error_messages={"required": "Say why."},
    )


class ReadForm(forms.Form):
    """What the reviewer had read, as its digest and, for telling what has changed since, its text."""

    read = forms.CharField(widget=forms.HiddenInput)
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)
    content = forms.CharField(widget=forms.HiddenInput, required=False)


class ApproveForm(ReadForm):
    comment = forms.CharField(label="A remark, if you like", required=False, widget=REASON)


class ObjectForm(ReadForm):
    comment = forms.CharField(
        label="What is to change, and why?",
        widget=REASON,
        help_text="At least ten characters. Its editors read it.",
        error_messages={"required": "Say what is to change."},
    )


class RejectForm(ReadForm):
    comment = forms.CharField(
        label="Why is it rejected?",
        widget=REASON,
        help_text="At least ten characters. Its editors read it.",
        error_messages={"required": "Say why it is rejected."},
    )


class RemarkForm(ReadForm):
    comment = forms.CharField(
        label="Your remark",
        widget=REASON,
        help_text="At least ten characters. It decides nothing.",
        error_messages={"required": "Write a remark."},
    )


class DismissForm(ReasonForm):
    decision = forms.UUIDField(widget=forms.HiddenInput)


class ReviewersForm(forms.Form):
    """Whom to ask; nobody means everybody who may."""

    reviewers = forms.TypedMultipleChoiceField(
        label="Whom do you ask?",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="If you choose nobody, everybody who may approve it is told.",
    )

    def __init__(self, *args: Any, able: list[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast(forms.TypedMultipleChoiceField, self.fields["reviewers"])
        field.choices = [(str(one.id), one.name or one.email) for one in able]
        field.coerce = {str(one.id): one.id for one in able}.__getitem__


class TermsForm(forms.Form):
    """For whom, how, and from when until when a version is used."""

    region = forms.ChoiceField(label="Where", required=False)
    agent = forms.ChoiceField(label="For which agent", required=False)
    mode = forms.ChoiceField(
        label="How",
        choices=[
            ("enforce", "It decides"),
            ("warn", "It is watched, and its decision told to the writer"),
            ("shadow", "It is watched, and its decision only recorded"),
        ],
    )
    starts = forms.DateTimeField(label="From", required=False, widget=forms.DateTimeInput)
    ends = forms.DateTimeField(label="Until", required=False, widget=forms.DateTimeInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        agents = Agent.objects.exclude(status="retired").order_by("name").values_list("id", "name")
        self._choose("region", "Everywhere", [(one, f"Region {one}") for one in sorted(surroundings().regions)])
        self._choose("agent", "Every agent", [(str(id_), name) for id_, name in agents])
        zone = timezone.get_current_timezone_name()
        for name, without in (("starts", "when it is released"), ("ends", "until something replaces it")):
            self.fields[name].widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
            self.fields[name].help_text = f"In the time zone {zone}. Empty means {without}."

    def _choose(self, name: str, every: str, choices: list[tuple[str, str]]) -> None:
        held = str(self.initial.get(name) or "")
        known = [("", every), *choices]
        # What is stored may name an agent that has retired since.
        known += [(held, held)] if held not in {value for value, _ in known} else []
        cast(forms.ChoiceField, self.fields[name]).choices = known

    @property
    def terms(self) -> Terms:
        asked = self.cleaned_data
        mode = asked["mode"]
        agents = {str(id_): id_ for id_ in Agent.objects.values_list("id", flat=True)}
        return Terms(
            region=asked["region"] or None,
            agent_id=agents.get(asked["agent"]),
            lane="enforce" if mode == "enforce" else "shadow",
            mode=mode,
            effective_from=asked["starts"],
            effective_until=asked["ends"],
        )

    @staticmethod
    def initial_of(terms: Terms) -> dict[str, Any]:
        """Give what the form says of terms that were chosen before."""
        return {
            "region": terms.region or "",
            "agent": str(terms.agent_id or ""),
            "mode": terms.mode,
            "starts": terms.effective_from,
            "ends": terms.effective_until,
        }


class BeginForm(forms.Form):
    """What a new version is about."""

    family = forms.ChoiceField(label="Which policy?", choices=[(one, TITLES[one][0]) for one in FAMILIES])
    title = forms.CharField(
        label="What changes, in one line?",
        max_length=200,
        help_text="Such as: Keep guesses for 90 days instead of 180.",
        error_messages={"required": "Say in one line what changes."},
    )
    reason = forms.CharField(label="Why?", widget=REASON, required=False, max_length=4000)
    source = forms.UUIDField(widget=forms.HiddenInput, required=False)


class RevokeForm(ReasonForm):
    """What takes the place of a version that is taken out of force."""

    use = forms.UUIDField(widget=forms.HiddenInput)
    fallback = forms.ChoiceField(
        label="What decides instead?",
        widget=forms.RadioSelect,
        initial="previous",
        choices=[
            ("previous", "What decided before it"),
            ("baseline", "Baseline 1, as the product came"),
            ("wider", "What decides in the wider scope"),
        ],
    )
    field_order = ("use", "fallback", "reason")


class AgreeForm(forms.Form):
    """Whether a revocation that allows more is carried out."""

    revocation = forms.UUIDField(widget=forms.HiddenInput)
    answer = forms.ChoiceField(
        label="Do you agree?",
        widget=forms.RadioSelect,
        choices=[("agree", "Yes, revoke it"), ("decline", "No, it stays in force")],
        error_messages={"required": "Choose one of the two."},
    )


class RestrictForm(ReasonForm):
    """What is closed to agents at once."""

    target = forms.ChoiceField(
        label="What do you close to agents?",
        widget=forms.RadioSelect,
        choices=[
            ("everything", "Every memory, to every agent"),
            ("agent", "Every memory, to one agent"),
            ("category", "One category, to every agent"),
        ],
        error_messages={"required": "Choose what to close."},
    )
    agent = forms.ChoiceField(label="Which agent?", required=False)
    category = forms.CharField(label="Which category?", required=False, max_length=64, help_text="Such as health.")
    field_order = ("target", "agent", "category", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        agents = Agent.objects.order_by("name").values_list("id", "name")
        field = cast(forms.ChoiceField, self.fields["agent"])
        field.choices = [("", "Choose an agent"), *((str(id_), name) for id_, name in agents)]

    def clean(self) -> dict[str, Any]:
        asked = super().clean() or {}
        if asked.get("target") == "agent" and not asked.get("agent"):
            self.add_error("agent", "Choose an agent.")
        return asked


class FreezeForm(ReasonForm):
    """From when until when no policy takes effect."""

    begins_at = forms.DateTimeField(label="From", error_messages={"required": "Say from when."})
    ends_at = forms.DateTimeField(label="Until", error_messages={"required": "Say until when."})
    field_order = ("begins_at", "ends_at", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("begins_at", "ends_at"):
            self.fields[name].widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
            self.fields[name].help_text = f"In the time zone {timezone.get_current_timezone_name()}."


class TypedJson(forms.CharField):
    """A JSON object that a person typed; what is wrong with it is told with its line and column."""

    widget = forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "class": "mono"})

    def clean(self, value: Any) -> dict[str, Any]:
        return read_json(super().clean(value))


class CaseForm(forms.Form):
    """One test: facts, and what is expected of them."""

    name = forms.CharField(
        label="What does it hold?",
        max_length=200,
        help_text="Such as: Guesses about preferences live 90 days.",
        error_messages={"required": "Give the test a name."},
    )
    given = TypedJson(label="Given, as JSON")
    expect = TypedJson(label="Expected, as JSON")
    added_for = forms.CharField(label="What was it added for?", required=False, max_length=200)


class SimulateForm(forms.Form):
    """On what a version is tried."""

    days = forms.TypedChoiceField(
        label="On what happened in",
        coerce=int,
        initial=7,
        choices=[(1, "the last day"), (7, "the last week"), (30, "the last 30 days"), (90, "the last 90 days")],
        help_text="About a thousand events take a second.",
    )
    agent = forms.ChoiceField(label="By which agent", required=False)
    maximum_events = forms.IntegerField(label="At most so many events", initial=5_000, min_value=1, max_value=100_000)
    seed = forms.IntegerField(label="Seed of the sample", initial=0, min_value=0, max_value=2**31)

    def __init__(self, *args: Any, events: Callable[[int], int], **kwargs: Any) -> None:
        """Make the form.

        :param events: counts what happened within so many days
        """
        super().__init__(*args, **kwargs)
        days = cast(forms.ChoiceField, self.fields["days"])
        days.choices = [
            (value, f"{said}: {words.several(events(int(value)), 'event', 'events')}")
            for value, said in cast(list[tuple[int, str]], days.choices)
        ]
        agents = Agent.objects.order_by("name").values_list("id", "name")
        field = cast(forms.ChoiceField, self.fields["agent"])
        field.choices = [("", "Every agent"), *((str(id_), name) for id_, name in agents)]


def read_json(text: str) -> dict[str, Any]:
    """Read a JSON object that a person typed.

    :raises django.forms.ValidationError: it is none; the message names line and column
    """
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        said = f"This is no JSON: line {error.lineno}, column {error.colno}: {error.msg}."
        raise forms.ValidationError(said) from error
    except RecursionError as error:
        raise forms.ValidationError("This is nested too deeply.") from error
    if not isinstance(value, dict):
        raise forms.ValidationError("This must be an object in braces.")
    return value
