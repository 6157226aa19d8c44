"""This module reads when a hand was played. Its time is local, and needs the zone of the place."""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo

from domain.core.clock import Time
from events.formats.phh.phh_faults import BadHandHistory, UnsupportedHand

ZONES: Final = {
    "UTC": "UTC",
    "GMT": "UTC",
    "ET": "America/New_York",
    "CT": "America/Chicago",
    "MT": "America/Denver",
    "PT": "America/Los_Angeles",
}
"""The zones with daylight saving that an abbreviation names."""

OFFSETS: Final = {"EST": -5, "EDT": -4, "CDT": -5, "MDT": -6, "PDT": -7, "CET": 1, "CEST": 2, "EEST": 3}
"""The hours from UTC that an abbreviation names; those that several zones share, as IST, are left out."""

NOON: Final = time(12)
NO_DAY: Final = "The document has no date. The time of the import is used."
NO_TIME: Final = "The document has a date but no time. Noon is used."
TOO_EARLY: Final = "The hand was played before 1970. The time of the import is used."
CHANGED: Final = "The clocks changed at that time. The time before the change is used."


def read_time(fields: Mapping[str, Any]) -> tuple[Time | None, tuple[str, ...]]:
    """Return when the hand was played, None if that is not known, and in sentences what was assumed.

    Raises `BadHandHistory`, `UnsupportedHand` if the zone is not known.
    """
    day = [fields.get(name) for name in ("year", "month", "day")]
    if None in day:
        return None, (NO_DAY,)
    at = fields.get("time", NOON)
    if not isinstance(at, time):
        raise BadHandHistory("`time` is written as in `time = 18:30:00`, without quotes.")
    try:
        local = datetime.combine(datetime(*day, tzinfo=UTC), at, _zone(fields))  # type: ignore[misc,arg-type]
        seconds = local.timestamp()
    except (TypeError, ValueError, OverflowError) as error:
        raise BadHandHistory(f"There is no day {'-'.join(map(str, day))[:40]}.") from error
    if seconds < 0:
        return None, (TOO_EARLY,)
    notes = [] if "time" in fields else [NO_TIME]
    if local.utcoffset() != local.replace(fold=1).utcoffset():
        notes.append(CHANGED)
    return Time(1000 * int(seconds)), tuple(notes)


def _zone(fields: Mapping[str, Any]) -> tzinfo:
    """Return the zone of the time; a day without a time is one of UTC if no zone is given."""
    name, short = fields.get("time_zone"), fields.get("time_zone_abbreviation")
    if name is not None:
        return _named(name)
    if isinstance(short, str) and short in ZONES:
        return ZoneInfo(ZONES[short])
    if isinstance(short, str) and short in OFFSETS:
        return timezone(timedelta(hours=OFFSETS[short]))
    if short is not None:
        raise UnsupportedHand(f"{short!r:.40} is not the abbreviation of one time zone. {SAY_WHERE}")
    if "time" in fields:
        raise UnsupportedHand(f"`time` is local, but there is no time zone. {SAY_WHERE}")
    return UTC


SAY_WHERE: Final = "Add `time_zone`, such as 'America/New_York' or 'UTC', or leave out `time`."


def _named(name: Any) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (TypeError, ValueError, OSError, KeyError) as error:
        raise UnsupportedHand(f"The time zone {name!r:.40} is not known. {SAY_WHERE}") from error
