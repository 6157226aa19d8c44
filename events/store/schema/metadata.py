"""This module has the collection of all tables, and the migration that they were written for."""

from typing import Final

from sqlalchemy import MetaData

REVISION: Final = "2026_11_24"
"""The migration that this code was written for."""

metadata = MetaData()
