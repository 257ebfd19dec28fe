"""Help in plain words: what the words mean, how things are done, whom to ask."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memory_admin.web import words

#: What each origin tells, beside its line.
ORIGINS = {
    "stated": "You said it to an agent, or wrote it here. It ranks above everything an agent thinks.",
    "verified_outcome": "A piece of work that was finished and checked, such as a refund that was paid.",
    "observed": "Seen from what you did. You did not say it in words.",
    "inferred": "An agent concluded it. It may be wrong, so it waits for your answer before any agent uses it.",
    "imported": "Brought over from another system.",
}

STATUSES = {
    "active": "Agents may use it.",
    "proposed": "It waits for your answer. No agent uses it until then.",
    "quarantined": "Somebody looks at it first, because a rule says so. No agent uses it.",
    "disputed": "You said that it is wrong. No agent uses it while it is checked.",
    "superseded": "Something newer took its place. It stays in the history.",
    "archived": "It was not used for long. You can bring it back.",
    "expired": "Its time is over. No agent uses it.",
    "rejected": "You or a reviewer said no to it. No agent uses it or asks again.",
    "erasing": "You deleted it. No agent uses it, and its text is about to go.",
    "erased": "The text is gone. What is left is a record that it was deleted.",
}


@require_safe
def show_help(request: HttpRequest) -> HttpResponse:
    """Explain the product, also to somebody who cannot sign in."""
    origins = [(key, word, ORIGINS[key]) for key, word in words.ORIGINS.items()]
    statuses = [(key, STATUSES[key]) for key in words.STATUSES]
    return render(request, "help.html", {"origins": origins, "statuses": statuses})
