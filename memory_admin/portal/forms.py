"""What people fill in."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, ClassVar

from django import forms
from django.utils import timezone

from memory_admin.memories.vocabulary import GONE, CorrectionReason, DisputeReason, Kind, Origin, PauseMode, Status
from memory_admin.web import words

LONGEST_STATEMENT = 4000
FIRST_DAY = date(1000, 1, 1)
FURTHEST_AHEAD = timedelta(days=366)
LONGEST_PAUSE = timedelta(days=3653)

MODE_ON = "on"


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice with the line that explains it."""

    label: str
    hint: str

    def __str__(self) -> str:
        return self.label


class ExplainedChoices(forms.RadioSelect):
    """Choices of which each is described by its hint, also to who only hears it."""

    def create_option(self, name: str, value: Any, label: Any, *args: Any, **more: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, label, *args, **more)
        if isinstance(label, Choice):
            option["attrs"]["aria-describedby"] = f"{option['attrs']['id']}_hint"
        return option


def _choices(any_label: str, labels: dict[str, str]) -> list[tuple[str, str]]:
    return [("", any_label), *labels.items()]


#: A status of the list that no memory has: it is out of use by a pause.
PAUSED = "paused"

SORTS = {
    "newest": "Newest first",
    "used": "Most used first",
    "unused": "Never used first",
    "expiring": "Expiring soonest",
}


class FilterForm(forms.Form):
    """What the list is narrowed to, and its order; a value it does not know changes nothing."""

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
            "Any status",
            {key: words.STATUSES[key].text for key in Status.values if key not in GONE} | {PAUSED: "Paused"},
        ),
    )
    kind = forms.ChoiceField(
        required=False, choices=_choices("Any kind", {key: words.KINDS[key] for key in Kind.values})
    )
    category = forms.ChoiceField(required=False)
    agent = forms.ChoiceField(required=False)
    used = forms.ChoiceField(
        required=False,
        choices=_choices("Used or not", {"week": "Used in 7 days", "month": "Used in 30 days", "never": "Never used"}),
    )
    sort = forms.ChoiceField(required=False, choices=list(SORTS.items()))

    NARROWING = ("q", "origin", "status", "kind", "category", "agent", "used")

    def __init__(self, asked: Any, *, agents: list[tuple[str, str]], categories: list[tuple[str, str]]) -> None:
        super().__init__(asked)
        for name, any_label, choices in (("agent", "Any agent", agents), ("category", "Any category", categories)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", any_label), *choices]

    @property
    def narrows(self) -> dict[str, str]:
        """Give the filters that are set."""
        return {name: self.cleaned_data[name] for name in self.NARROWING if self.cleaned_data.get(name)}

    @property
    def has_more(self) -> bool:
        """Tell whether one of the filters is set that are not shown at first."""
        asked = {name: self.cleaned_data.get(name) for name in ("category", "agent", "used", "sort")}
        return any(value and value != "newest" for value in asked.values())


class LinesField(forms.CharField):
    """A few lines of text. What is too long is told and stays as it was typed; no browser cuts it off."""

    widget = forms.Textarea
    default_error_messages: ClassVar = {
        "max_length": "Keep it to %(limit_value)d characters: these are %(show_value)d.",
        "null_characters_not_allowed": "It holds a character that cannot be kept. Write it anew.",
    }

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {"rows": 3}

    def to_python(self, value: Any) -> str | None:
        text = super().to_python(value)
        return text and text.replace("\r\n", "\n")


def _statement(label: str) -> LinesField:
    return LinesField(
        label=label,
        max_length=LONGEST_STATEMENT,
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


class AnswerForm(forms.Form):
    """Which version of a memory the person had before them when they said that it is right."""

    version = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)


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
    consent = forms.BooleanField(label="Keep it, and let agents use it that may read such things", required=False)

    def clean_since(self) -> date | None:
        since: date | None = self.cleaned_data["since"]
        if since is not None and since > timezone.localdate() + FURTHEST_AHEAD:
            raise forms.ValidationError("That is more than a year from now. Check the date.")
        if since is not None and since < FIRST_DAY:
            raise forms.ValidationError("Choose a day in the year 1000 or later.")
        return since


class WordsField(LinesField):
    """A few lines of the person's own, or nothing."""

    def __init__(self, **field: Any) -> None:
        super().__init__(required=False, max_length=2000, **field)


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
    words = WordsField(label="Anything that helps to check it", help_text="You can leave this empty.")


class ReviewForm(forms.Form):
    """Why somebody should look at a refusal again."""

    words = WordsField(label="Why should it be kept?", help_text="You can leave this empty.")


class StatementForm(forms.Form):
    """What the person puts beside a memory that stays as it is."""

    statement = WordsField(
        label="What do you say about it?",
        help_text="It stands beside the memory wherever people read it. Leave it empty to take it away.",
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
        widget=ExplainedChoices,
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


#: From how many memories on a deletion is answered by typing their number.
TYPED_FROM = 25


class KeepsOutField(forms.BooleanField):
    """Whether what is deleted is also kept from being learned again."""

    def __init__(self, **field: Any) -> None:
        super().__init__(
            required=False,
            initial=True,
            label="Do not learn this again",
            help_text=(
                "We keep a fingerprint that cannot be read back. You can allow it again under “Do not remember”."
            ),
            **field,
        )


class DeleteForm(forms.Form):
    """The answer to the question whether to delete a memory."""

    keeps_out = KeepsOutField()


class EraseEverythingForm(forms.Form):
    """The answer to the question whether to erase everything: a word that nobody types by mistake."""

    WORD = "erase"

    typed = forms.CharField(
        max_length=12,
        label=f"To go on, type {WORD}",
        error_messages={"required": f"Type {WORD}, or keep everything."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "class": "few"}),
    )

    def clean_typed(self) -> str:
        """Refuse another word."""
        typed: str = self.cleaned_data["typed"].strip().casefold()
        if typed != self.WORD:
            raise forms.ValidationError(f"Type {self.WORD}, or keep everything.")
        return typed


class ManyForm(forms.Form):
    """The answer to a question about many memories: it counts for those alone that were shown."""

    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    typed = forms.CharField(
        required=False,
        max_length=12,
        label="To go on, type how many",
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "class": "few"}),
    )

    def __init__(self, *form: Any, seen: str, count: int) -> None:
        super().__init__(*form)
        self.shown, self.count = seen, count
        self.is_outdated = False
        if count < TYPED_FROM:
            del self.fields["typed"]

    def clean(self) -> None:
        """Refuse an answer that was given to another selection."""
        self.is_outdated = self.cleaned_data.get("seen") != self.shown
        if self.is_outdated:
            raise forms.ValidationError("The list has changed since you opened this page. This is how it is now.")

    def clean_typed(self) -> str:
        """Refuse another number."""
        typed: str = self.cleaned_data["typed"].strip()
        if typed != str(self.count):
            raise forms.ValidationError(f"Type {self.count}, or keep them.")
        return typed


class DeleteManyForm(ManyForm):
    """The answer to the question whether to delete many memories."""

    keeps_out = KeepsOutField()


class PauseManyForm(ManyForm):
    """How long many memories are out of use."""

    until = UntilField(label="Bring them back on", help_text="Leave it empty to bring them back yourself.")

    def __init__(self, *form: Any, seen: str) -> None:
        super().__init__(*form, seen=seen, count=0)


def until_of(form: forms.Form) -> datetime | None:
    """Take the first instant of the day that was chosen as the end of a pause."""
    chosen = form.cleaned_data["until"]
    return timezone.make_aware(datetime.combine(chosen, time())) if chosen else None
