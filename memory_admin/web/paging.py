"""Pages of a list, by number, with links that keep the filters."""

from typing import Any, TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest

PER_PAGE = 20

Row = TypeVar("Row")


def page_of(
    rows: QuerySet[Model, Row], request: HttpRequest, *, count: int | None = None, name: str = "page"
) -> Page[Row]:
    """Cut the page out of an ordered list that the request asks for; the nearest one if there is no such page.

    :param count: how many rows there are, where that is known already
    :param name: what the address calls the number of the page, where there is more than one list
    """
    pages = Paginator(rows, PER_PAGE)
    if count is not None:
        pages.count = count
    return pages.get_page(request.GET.get(name))


def links(page: Page[Any], request: HttpRequest, *, name: str = "page") -> dict[str, str]:
    """Name the addresses of the pages before and after, `newer` and `older`, with the filters of this one."""
    found = {}
    if page.has_previous():
        found["newer"] = _address(request, name, page.previous_page_number())
    if page.has_next():
        found["older"] = _address(request, name, page.next_page_number())
    return found


def _address(request: HttpRequest, name: str, number: int) -> str:
    query = request.GET.copy()
    query[name] = str(number)
    return f"?{query.urlencode()}"
