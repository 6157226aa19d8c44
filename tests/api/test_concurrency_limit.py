"""Slots for work that takes long are given in order of arrival, one for each caller."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic, sleep

from api.http.concurrency_limit import PART_WAITING, ConcurrencyLimit

LONG = 60.0
MOST_WAITING = 4
THREADS = MOST_WAITING * PART_WAITING


def waits(limit: ConcurrencyLimit, pool: ThreadPoolExecutor, who: str) -> Future[bool]:
    """Let a caller wait for a slot; return once it does."""
    taken = pool.submit(limit.take, who, LONG)
    until(lambda: who in limit._waiting)
    return taken


def until(holds: Callable[[], bool]) -> None:
    end = monotonic() + LONG
    while not holds():
        assert monotonic() < end
        sleep(0.001)


def test_caller_holds_one_slot_at_most():
    limit = ConcurrencyLimit(2, THREADS)
    assert (limit.take("ann"), limit.take("ann"), limit.take("ben"), limit.take("cem")) == (True, False, True, False)
    limit.leave("ann")
    assert limit.take("cem")


def test_free_slot_goes_to_the_caller_who_waited_longest():
    """Otherwise callers with one request after the other would leave none to a caller with a single one."""
    limit = ConcurrencyLimit(1, THREADS)
    assert limit.take("ann")
    with ThreadPoolExecutor() as pool:
        ben, cem = waits(limit, pool, "ben"), waits(limit, pool, "cem")
        limit.leave("ann")
        again = waits(limit, pool, "ann")
        assert ben.result(LONG)
        assert not cem.done()
        limit.leave("ben")
        assert cem.result(LONG)
        limit.leave("cem")
        assert again.result(LONG)


def test_caller_without_a_slot_gives_up_in_time_and_leaves_the_queue():
    limit = ConcurrencyLimit(1, THREADS)
    assert limit.take("ann")
    assert not limit.take("ben", 0.01)
    limit.leave("ann")
    assert limit.take("cem")


def test_number_of_waiting_callers_is_limited():
    limit = ConcurrencyLimit(1, THREADS)
    assert limit.take("ann")
    with ThreadPoolExecutor() as pool:
        waiting = [waits(limit, pool, f"caller {n}") for n in range(MOST_WAITING)]
        began = monotonic()
        assert not limit.take("ben", LONG)
        assert not limit.take("caller 0", LONG)
        assert monotonic() - began < LONG / 2
        for holder in ["ann", *(f"caller {n}" for n in range(MOST_WAITING))]:
            limit.leave(holder)
            if waiting:
                assert waiting.pop(0).result(LONG)


def test_no_caller_waits_if_the_server_has_few_threads():
    limit = ConcurrencyLimit(1, PART_WAITING - 1)
    assert limit.take("ann")
    began = monotonic()
    assert not limit.take("ben", LONG)
    assert monotonic() - began < LONG / 2
    limit.leave("ann")
    assert limit.take("ben", LONG)
