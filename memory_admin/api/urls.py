"""Every operation of the agent API and where it is reached."""

from django.urls import include, path

from memory_admin.api import (
    changing,
    decisions,
    erasing,
    health,
    procedures,
    profile,
    reading,
    retrievals,
    schema,
    search,
    subjects,
    whoami,
    writing,
)
from memory_admin.api.routing import operations, unknown

version_1 = [
    path("livez", operations(get=health.Livez)),
    path("readyz", operations(get=health.Readyz)),
    path("whoami", operations(get=whoami.WhoAmI)),
    path("memories", operations(get=reading.ListMemories, post=writing.StoreMemory)),
    path("memories/batch", operations(post=writing.StoreMemories)),
    path("memories/check", operations(post=writing.CheckMemory)),
    path("memories/search", operations(post=search.SearchMemories)),
    path(
        "memories/<uuid:memory_id>",
        operations(get=reading.ReadMemory, patch=changing.CorrectMemory, delete=erasing.EraseMemory),
    ),
    path("memories/<uuid:memory_id>/history", operations(get=reading.ReadHistory)),
    path("memories/<uuid:memory_id>/uses", operations(get=retrievals.ListUses)),
    path("memories/<uuid:memory_id>/links", operations(get=reading.ReadLinks)),
    path("memories/<uuid:memory_id>/confirm", operations(post=changing.ConfirmMemory)),
    path("memories/<uuid:memory_id>/dispute", operations(post=changing.DisputeMemory)),
    path("memories/<uuid:memory_id>/supersede", operations(post=changing.SupersedeMemory)),
    path("retrievals", operations(get=retrievals.ListRetrievals)),
    path("retrievals/<uuid:retrieval_id>", operations(get=retrievals.ReadRetrieval)),
    path("subjects/<str:ref>", operations(get=subjects.ReadSubject, delete=erasing.EraseSubject)),
    path("subjects/<str:ref>/profile", operations(get=profile.ReadProfile)),
    path(
        "subjects/<str:ref>/profile/<str:key>",
        operations(get=profile.ReadProfileEntry, put=profile.PutProfileEntry, delete=profile.EraseProfileEntry),
    ),
    path("erasures", operations(post=erasing.Erase)),
    path("erasures/<uuid:erasure_id>", operations(get=erasing.ReadErasure)),
    path("procedures", operations(get=procedures.ListProcedures)),
    path("procedures/<str:name>", operations(get=procedures.ReadProcedure)),
    path("decisions", operations(post=decisions.DecideAction)),
    path("decisions/<uuid:decision_id>", operations(get=decisions.ReadDecision)),
]

urlpatterns = [
    path("v1/", include(version_1)),
    path("schema/", operations(get=schema.Schema), name="schema"),
    path("docs/", schema.docs, name="docs"),
    path("", unknown),
    path("<path:rest>", unknown),
]
