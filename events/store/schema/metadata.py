"""Holds the collection of all tables, and names the migrations that lead to them."""

from typing import Final

from sqlalchemy import MetaData

REVISIONS: Final = ("0001",)
"""The migrations, in their order; this code was written for the last one."""

metadata = MetaData()
