"""Tests that an unwritable database logs one line, and recovers automatically."""

import logging
from contextlib import closing

import pytest
from sqlalchemy import make_url

from events.errors import Unavailable
from events.store.migrate import make_private
from events.store.opening import open_store
from events.store.postgres import LIMITS, OPTIONS, connect_args
from events.store.records import DueRow
from events.store.tables import pending_rows, stream_rows
from tests.services import Database, connect
from tests.store.commits import begin, commit
from tests.store.test_failures import hang_up

TIMES = 5


def refuses_until_mended(store, caplog, break_it, mend_it):
    """Check that writing is refused during the fault, reading is not, and everything is logged once."""
    head = begin(store, due=[DueRow("bot", 0)])
    assert store.ready()
    store.writing._worked = None
    caplog.set_level(logging.WARNING)
    break_it()
    for _ in range(TIMES):
        with pytest.raises(Unavailable):
            store.append(head.match_no, commit(3))
        with pytest.raises(Unavailable):
            pending_rows.claim_due(store, 1, 1)
        assert not store.ready()
    assert stream_rows.head(store, head.match_id) == head
    mend_it()
    assert store.ready()
    assert store.append(head.match_no, commit(3)).status == "ok"
    assert len([one for one in caplog.records if one.name == "events.store.engine"]) == 2, caplog.text


def test_full_disk_makes_the_store_unavailable(empty_sqlite, sqlite_path):
    with closing(open_store(empty_sqlite(sqlite_path))) as store:
        with store.engine.connect() as one:  # the pool gives the same connection again
            one.exec_driver_sql("PRAGMA max_page_count=1")
        head = begin(store)
        with pytest.raises(Unavailable, match="full"):
            store.append(head.match_no, commit(3, mark="x" * 10**6))
        with store.engine.connect() as one:
            one.exec_driver_sql("PRAGMA max_page_count=1000000")
        assert store.append(head.match_no, commit(3, mark="x" * 10**6)).status == "ok"


def test_read_only_folder_makes_the_store_unavailable(empty_sqlite, sqlite_path, caplog):
    with closing(open_store(empty_sqlite(sqlite_path))) as store:

        def read_only(value):
            with store.engine.connect() as one:
                one.exec_driver_sql(f"PRAGMA query_only={value}")

        refuses_until_mended(store, caplog, lambda: read_only(1), lambda: read_only(0))


def test_demoted_primary_makes_the_store_unavailable(database: Database, caplog):
    app = make_url(database.app_url).username

    def read_only(value: str) -> None:
        with connect(database.admin_url) as admin:
            admin.execute(
                f"ALTER ROLE {app} IN DATABASE {admin.info.dbname} SET default_transaction_read_only = {value}"
            )
            hang_up(database)

    try:
        with closing(open_store(database.app_url)) as store:
            refuses_until_mended(store, caplog, lambda: read_only("on"), lambda: read_only("off"))
    finally:
        read_only("off")


def test_silent_host_times_out_and_url_parameters_override_the_default():
    assert connect_args("postgresql+psycopg://db/dealt") == {**LIMITS, "options": OPTIONS}
    given = connect_args("postgresql+psycopg://db/dealt?tcp_user_timeout=1&options=-c%20statement_timeout%3D99s")
    assert "tcp_user_timeout" not in given
    assert given["options"].endswith("-c statement_timeout=99s")
    assert given["connect_timeout"] == LIMITS["connect_timeout"]


def test_folder_named_as_the_database_keeps_its_permissions(tmp_path):
    tmp_path.chmod(0o755)
    make_private(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o755
