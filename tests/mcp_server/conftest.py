"""Provides a server of Dealt for the tools of language models."""

from tests.python_client.conftest import ann, base

__all__ = ["ann", "base"]
