"""The only writers of answers: to disputes, to those who ask to look at a refusal again, and to what is held."""

from memory_admin.reviews.services.disputes import lift_restriction, read_dispute, turn_down, uphold
from memory_admin.reviews.services.held import check_held, read_held
from memory_admin.reviews.services.refusals import ask_for_review, keep_out, let_in, read_review
from memory_admin.reviews.services.remind import remind

__all__ = [
    "ask_for_review",
    "check_held",
    "keep_out",
    "let_in",
    "lift_restriction",
    "read_dispute",
    "read_held",
    "read_review",
    "remind",
    "turn_down",
    "uphold",
]
