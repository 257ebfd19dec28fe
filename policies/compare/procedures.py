"""Differences of the procedures in force. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from policies import wording
from policies.compare.change import Change, Direction
from policies.compare.measures import rewritten
from policies.documents import Procedure, ProcedurePolicy


def procedure_changes(before: ProcedurePolicy, after: ProcedurePolicy) -> Iterator[Change]:
    """List every difference: words that agents have not read before loosen, for they will do something else."""
    was, now = ({one.name: one for one in document.procedures} for document in (before, after))
    differing = False
    for name in dict.fromkeys((*was, *now)):
        found = list(_one(name, was.get(name), now.get(name)))
        differing = differing or bool(found)
        yield from found
    if not differing and before.procedures != after.procedures:
        yield rewritten("procedures", list(was), list(now))


def _one(name: str, was: Procedure | None, now: Procedure | None) -> Iterator[Change]:
    path, called = f"procedures[{name}]", f"The procedure {wording.quoted(name)}"
    if was is None and now is not None:
        yield Change(path, f"{called} is new.", "loosens", None, now.model_dump(mode="json"))
    elif was is not None and now is None:
        yield Change(path, f"{called} is gone.", "tightens", was.model_dump(mode="json"), None)
    elif was is not None and now is not None:
        # Agents read the title too.
        if was.title != now.title:
            yield Change(f"{path}.title", f"{called} has another title.", "loosens", was.title, now.title)
        if was.text != now.text:
            yield Change(f"{path}.text", f"{called} says something else.", "loosens", was.text, now.text)
        if was.owner != now.owner:
            sentence = f"{called} belongs to {now.owner} instead of {was.owner}."
            yield Change(f"{path}.owner", sentence, "neutral", was.owner, now.owner)
        if was.agents != now.agents:
            yield _agents(f"{path}.agents", called, was.agents, now.agents)


def _agents(path: str, called: str, was: tuple[str, ...], now: tuple[str, ...]) -> Change:
    if set(was) == set(now):
        return rewritten(path, list(was), list(now))
    direction: Direction = "loosens" if was and (not now or set(now) - set(was)) else "tightens"
    return Change(path, f"{called} is for {_those(now)} instead of {_those(was)}.", direction, list(was), list(now))


def _those(agents: tuple[str, ...]) -> str:
    return wording.together(agents) or "all agents"
