"""Taking a part of the audit trail away, with all that is needed to check it elsewhere."""

from io import BytesIO
from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from memory_admin.audit import exporting, queries
from memory_admin.console import rooms
from memory_admin.console.frame import show
from memory_admin.errors import Invalid
from memory_admin.web.access import StaffRequest, staff

ROOM = "audit"
MOST = 2**63 - 1


class ExportForm(forms.Form):
    """Which events are exported."""

    first = forms.IntegerField(label="From event", min_value=1, max_value=MOST)
    last = forms.IntegerField(label="To event", min_value=1, max_value=MOST)
    particulars = forms.BooleanField(label="With their particulars", required=False)


@staff(*rooms.AUDIT)
@require_http_methods(["GET", "HEAD", "POST"])
def export_trail(request: StaffRequest) -> HttpResponse:
    """Ask which events, and give them as one file; that they were taken is recorded."""
    length = queries.length()
    form = ExportForm(request.POST or None, initial={"first": max(1, length - exporting.MOST + 1), "last": length})
    if request.method == "POST" and form.is_valid():
        try:
            return _file(request, **form.cleaned_data)
        except Invalid as refused:
            for name, said in refused.fields.items():
                form.add_error(name, list(said))
    page: dict[str, Any] = {"form": form, "length": length, "most": exporting.MOST}
    return show(request, "console/audit_export.html", ROOM, page, status=422 if form.errors else 200)


def _file(request: StaffRequest, *, first: int, last: int, particulars: bool) -> HttpResponse:
    file = BytesIO()
    exporting.export(first=first, last=last, with_particulars=particulars, by=request.actor, at=timezone.now(), to=file)
    answer = HttpResponse(file.getvalue(), content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="audit-{first}-{last}.zip"'
    return answer
