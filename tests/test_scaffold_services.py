"""Tests every way to a real server: the machine's own servers and those that we start; nothing is left behind."""

from contextlib import AbstractContextManager
from pathlib import Path

import psycopg
import pytest
import redis
from kombu import Connection

from tests import services


def test_application_role_owns_and_creates_nothing(postgres: services.Database) -> None:
    fresh = postgres.new_database()
    with services.connect(fresh.owner_url) as owner:
        owner.execute("CREATE TABLE thing (id int)")
    with services.connect(fresh.app_url) as app:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute("CREATE TABLE other (id int)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute("SELECT * FROM thing")


@pytest.mark.long
def test_databases_and_roles_are_removed(postgres: services.Database) -> None:
    with services.database_on(postgres.server.admin) as database:
        database.new_database()
        run = database.server.run
    with services.connect(postgres.admin_url) as admin:
        query = "SELECT datname FROM pg_database UNION ALL SELECT rolname FROM pg_roles"
        assert not [name for (name,) in admin.execute(query).fetchall() if name.startswith(run)]


@pytest.mark.long
@pytest.mark.parametrize("programs", services.postgres_programs(), ids=lambda path: path.parent.name)
def test_private_postgres_starts_from_any_installation(programs: Path) -> None:
    with services.own_postgres(programs) as database, services.connect(database.owner_url) as owner:
        assert owner.execute("SELECT current_user").fetchone() == (database.server.owner,)
    with pytest.raises(psycopg.OperationalError):
        services.connect(database.owner_url)


def another(redis_url: str) -> AbstractContextManager[str]:
    """Return a second run's database on the same server."""
    return services.keys_on(redis_url.rpartition("/")[0])


def test_two_runs_get_different_redis_databases(redis_url: str) -> None:
    with another(redis_url) as other:
        assert other != redis_url
        redis.Redis.from_url(other).set("key", "value")
    assert redis.Redis.from_url(other).dbsize() == 0


def test_redis_database_left_by_a_killed_run_is_reused(redis_url: str) -> None:
    with another(redis_url) as other:
        client = redis.Redis.from_url(other)
        client.set("left", "over")
        assert not services.claim(other)
        client.delete(services.CLAIM)
        assert services.claim(other)
        assert not client.exists("left")


def test_redis_database_of_another_program_is_never_used(redis_url: str) -> None:
    with another(redis_url) as other:
        client = redis.Redis.from_url(other)
        client.delete(services.CLAIM, services.OURS)
        client.set("somebody's", "value")
        assert not services.claim(other)
        assert client.get("somebody's") == b"value"


@pytest.mark.long
def test_copied_programs_run_if_the_originals_are_unreadable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    programs = services.postgres_programs()[-1]

    def copied(programs: Path, folder: Path, user: object) -> Path:
        return services.copy_of(programs, folder / "copy")

    monkeypatch.setattr(services, "runnable", copied)
    with services.own_postgres(programs) as database:
        services.connect(database.app_url).close()


@pytest.mark.parametrize("program", services.redis_programs(), ids=lambda path: path.parent.name)
def test_private_redis_starts_from_any_installation(program: Path) -> None:
    with services.own_redis(program) as url:
        assert redis.Redis.from_url(url).ping()
    with pytest.raises(redis.ConnectionError):
        redis.Redis.from_url(url).ping()


@pytest.mark.long  # the tool that makes and deletes it takes seconds
def test_virtual_host_is_created_and_removed(rabbitmq_url: str) -> None:
    with services.rabbitmq_url() as url:
        assert url != rabbitmq_url
        with Connection(url) as connection:
            connection.SimpleQueue("q").put({"a": 1})
    with pytest.raises(services.UnavailableError):
        services.check_amqp(url)


def test_unavailable_service_reports_the_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    port = services.free_port()
    monkeypatch.setenv("TEST_DATABASE_URL", f"postgresql://postgres@127.0.0.1:{port}/postgres")
    monkeypatch.setenv("TEST_REDIS_URL", f"redis://127.0.0.1:{port}")
    monkeypatch.setenv("TEST_AMQP_URL", f"amqp://guest:guest@127.0.0.1:{port}//")
    for service in (services.postgres(), services.redis_url(), services.rabbitmq_url()):
        with pytest.raises(services.UnavailableError, match=str(port)), service:
            pass
