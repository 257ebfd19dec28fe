"""The only writers of the log: answering a question, counting uses, showing and removing words."""

from memory_admin.retrieval.answers import Answer, Ask, Item
from memory_admin.retrieval.services.log import count_uses, purge_query_texts
from memory_admin.retrieval.services.reveal import Revealed, ViewReason, may_reveal, reveal
from memory_admin.retrieval.services.seal import seal_reads
from memory_admin.retrieval.services.search import MOST_SUBJECTS, prepare, search

__all__ = [
    "MOST_SUBJECTS",
    "Answer",
    "Ask",
    "Item",
    "Revealed",
    "ViewReason",
    "count_uses",
    "may_reveal",
    "prepare",
    "purge_query_texts",
    "reveal",
    "seal_reads",
    "search",
]
