"""What agents asked within two weeks, by agent, subject and purpose. Pure."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import cycle
from typing import Any

from memory_admin.demo.cast import DESK, HOUSE, SUPPORT, TRAVEL
from memory_admin.demo.events import Asked
from memory_admin.demo.story import JONAS, MIA

DAYS = 14
#: How many questions came on each day, today first.
BY_DAY = (13, 17, 19, 15, 14, 6, 5, 16, 18, 17, 14, 15, 7, 5)
WORKING_HOURS = 10.0

#: The same question comes again after so many others.
_ASKED: dict[tuple[str, str, str], tuple[str, ...]] = {
    (TRAVEL, MIA, "planning_a_trip"): (
        "hotel and trains for four days in Lisbon with Jonas",
        "which seat does she want on the train?",
        "hotel near the station",
        "how long does she need to change trains?",
        "does she bring luggage or a bicycle?",
        "night train or flight for a long journey",
        "connections through Copenhagen in the evening",
        "what does she eat on the way?",
        "who else comes along to Lisbon?",
        "quiet carriage",
        "where does the trip start, and in which time zone?",
        "has anything gone wrong with a hotel before?",
        "plans for the summer",
        "seat on a short flight",
        "which hotel in Lisbon did she like?",
        "missed connections and what was done about them",
        "room on the courtyard or on the street",
        "free cancellation",
        "when does she like to plan?",
    ),
    (TRAVEL, MIA, "action"): (
        "book a window seat on the train",
        "book a hotel with free cancellation",
        "reserve a table without peanuts",
        "send the booking confirmation to her brother",
        "send the boarding pass",
        "book the night train to Trondheim",
    ),
    (SUPPORT, MIA, "answering_a_question"): (
        "which language does she want answers in?",
        "when does she read messages?",
        "was the refund for the delayed night train paid?",
        "does she hold a card of the night train?",
        "who approves her business trips?",
        "did she manage to change the Oslo booking?",
        "trouble with the booking page on a telephone",
        "rail pass for a family",
        "where does she live?",
        "how does she want to hear of a delay?",
        "receipts of a month",
        "may her brother see the bookings?",
        "which offers does she want?",
        "parking at the airport",
    ),
    (SUPPORT, MIA, "writing_a_message"): (
        "how should a message be written and sent?",
        "boarding passes by e-mail or in an app",
        "what went well on the last trip?",
        "short or long messages",
        "what is open from the weekend in Oslo?",
    ),
    (TRAVEL, JONAS, "planning_a_trip"): (
        "how many seats does he need?",
        "night train or flight",
        "which evenings are taken?",
        "does the cello come along?",
        "who does he travel with?",
        "seat next to Mia",
        "vegetarian food",
    ),
    (TRAVEL, JONAS, "action"): (
        "book a second seat for the cello",
        "book something on Thursday evening",
    ),
    (SUPPORT, JONAS, "answering_a_question"): (
        "cancellation fee for Malmö",
        "how does he want to be told?",
        "orchestra trips",
        "where does he work?",
    ),
    (SUPPORT, DESK, "answering_a_question"): (
        "how soon is a complaint answered?",
        "who plans the northern routes?",
        "when does the desk meet?",
    ),
    (TRAVEL, HOUSE, "planning_a_trip"): (
        "rooms on the ground floor and lift",
        "until when is a booking kept?",
        "late check-out on a Sunday",
        "when does breakfast begin?",
    ),
}

#: How often each kind of question comes, as a round that repeats: planning is most of the work.
_GROUPS = tuple(_ASKED)
_ORDER = (0, 2, 0, 4, 1, 0, 3, 2, 8, 0, 2, 5, 0, 6, 3, 0, 2, 7, 4, 0, 1, 2)

#: How much they ask for, in turn: mostly the five best, at times fewer words, the profile too, or only what is close.
_LIMITS: tuple[dict[str, Any], ...] = (
    {"k": 5},
    {"k": 5, "min_score": 0.5},
    {"k": 3},
    {"k": 5, "min_score": 0.5},
    {"k": 5, "include_profile": True},
    {"min_score": 0.4},
    {"k": 5, "token_budget": 40},
    {"k": 5, "min_score": 0.5},
    {"k": 5, "min_score": 0.7},
)


def questions() -> Iterator[Asked]:
    """Tell the questions of two weeks, the newest first; each day's come within ten hours."""
    turns = {group: cycle(_ASKED[group]) for group in _GROUPS}
    groups, limits = cycle(_ORDER), cycle(_LIMITS)
    for day, count in enumerate(BY_DAY):
        for place in range(count):
            agent, about, purpose = _GROUPS[next(groups)]
            query = next(turns[agent, about, purpose])
            hours = 0.4 + place * WORKING_HOURS / count + (place * place % 7) * 0.06
            yield Asked(timedelta(days=day, hours=hours), agent, about, query, purpose, next(limits))
