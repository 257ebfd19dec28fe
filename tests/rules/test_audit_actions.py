"""Every state change has its event: no name is kept for show."""

from typing import Any

import pytest

from memory_admin.audit.actions import Action


@pytest.mark.parametrize("action", Action, ids=str)
def test_an_action_is_recorded_somewhere(action: Action, product: list[Any]) -> None:
    recording = [source for source in product if source.module != "memory_admin.audit.actions"]

    assert any(f"Action.{action.name}" in source.text for source in recording)


@pytest.mark.parametrize("action", Action, ids=str)
def test_an_action_is_named_in_a_test(action: Action, tests: list[Any]) -> None:
    words = (f"Action.{action.name}", f'"{action.value}"')
    # The tests of the chain record whatever comes to hand; what counts is a test of the service that records it.
    ours = [source for source in tests if "tests/audit/" not in source.name or action is Action.PAYLOAD_ERASED]

    assert any(word in source.text for source in ours for word in words)


def test_an_action_is_named_as_what_happened() -> None:
    assert all(action.name == action.value.replace(".", "_").upper() for action in Action)
