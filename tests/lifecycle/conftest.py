"""The cast of the memories, for what becomes of them."""

from tests.memories.conftest import acme, alice, helper, relay

__all__ = ["acme", "alice", "helper", "relay"]
