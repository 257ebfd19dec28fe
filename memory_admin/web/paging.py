"""Pages of a list, by number, with links that keep the filters."""

from typing import TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest

PER_PAGE = 20

Row = TypeVar("Row", bound=Model)


def page_of(rows: QuerySet[Row], request: HttpRequest) -> Page[Row]:
    """Cut the page out of an ordered list that the request asks for; the nearest one if there is no such page."""
    return Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
