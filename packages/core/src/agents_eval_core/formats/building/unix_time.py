"""Points in time, and the nanoseconds since 1970 that sources have in their place."""

from datetime import UTC, datetime, timedelta
from typing import Final

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)


def moment(nanoseconds: int | None) -> datetime | None:
    """Return a point in time, to the microsecond.

    >>> moment(1_500_000_000).isoformat()
    '1970-01-01T00:00:01.500000+00:00'
    """
    if nanoseconds is None:
        return None
    try:
        # two small numbers: timedelta takes twice as long over one large one, and each span has two times
        return EPOCH + timedelta(seconds=nanoseconds // 10**9, microseconds=nanoseconds // 1000 % 10**6)
    except OverflowError:
        return None


def nanoseconds_of(at: datetime) -> int:
    """Return the nanoseconds from 1970 to a point in time.

    >>> nanoseconds_of(moment(1_500_000_000))
    1500000000
    """
    return (at - EPOCH) // MICROSECOND * 1000
