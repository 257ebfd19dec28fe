"""What administrators fill in about members."""

from collections.abc import Iterable
from typing import Any

from django import forms

from accounts.vocabulary import GUARDED, Role
from memory_admin.console.forms import Choice
from memory_admin.console.labels import ROLE_HINTS
from memory_admin.web import words


def role_choices(roles: Iterable[Role]) -> list[tuple[str, Choice]]:
    """Offer roles with what each is for."""
    return [(role, Choice(words.ROLES[role], ROLE_HINTS[role])) for role in roles]


class MemberFilterForm(forms.Form):
    """What the list of members is narrowed to."""

    q = forms.CharField(
        label="Name or e-mail",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "Part of either"}),
    )
    role = forms.ChoiceField(
        label="Role", required=False, choices=[("", "Any role"), *((role, words.ROLES[role]) for role in Role)]
    )
    status = forms.ChoiceField(
        label="Status",
        required=False,
        choices=[("", "Any status"), ("active", "Active"), ("ended", "Deactivated")],
    )


class InviteForm(forms.Form):
    """Whom to invite, and as what."""

    email = forms.CharField(
        label="E-mail",
        max_length=254,
        widget=forms.TextInput(attrs={"type": "email", "autocomplete": "off"}),
        help_text="The invitation works for this address alone, once, for seven days.",
        error_messages={"required": "Write the address of whom you invite."},
    )
    roles = forms.MultipleChoiceField(
        label="Roles",
        widget=forms.CheckboxSelectMultiple,
        initial=[Role.PERSON],
        choices=role_choices(role for role in Role if role not in GUARDED),
        error_messages={"required": "Choose at least one role."},
    )
    subject = forms.CharField(
        label="Whose memories do they see as their own?",
        max_length=200,
        required=False,
        help_text="The reference that agents use for this person, such as user:mia. "
        "Leave it empty if nothing is remembered about them; you can link it later.",
    )


class RolesForm(forms.Form):
    """The roles of a member, and those they had when the page was opened."""

    roles = forms.MultipleChoiceField(
        label="What may they do?", widget=forms.CheckboxSelectMultiple, required=False, choices=role_choices(Role)
    )
    read = forms.MultipleChoiceField(
        widget=forms.MultipleHiddenInput, required=False, choices=[(role, role) for role in Role]
    )

    @property
    def wanted(self) -> list[Role]:
        return [Role(role) for role in self.cleaned_data["roles"]]

    @property
    def were(self) -> list[Role]:
        return [Role(role) for role in self.cleaned_data["read"]]


class SubjectRefForm(forms.Form):
    """A subject, by its reference."""

    subject = forms.CharField(
        label="Reference", max_length=200, error_messages={"required": "Write a reference, such as user:mia."}
    )

    def __init__(self, *args: Any, help_text: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["subject"].help_text = help_text
