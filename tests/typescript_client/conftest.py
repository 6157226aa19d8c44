"""Provides a server for the client in `clients/typescript`."""

from tests.python_client.conftest import base

__all__ = ["base"]
