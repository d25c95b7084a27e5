"""What a stretch of a log tells about the whole log, before anything is cut."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

Mask = np.ndarray[Any, np.dtype[np.bool_]]

# Events of a device: where they name none, they are of the one device that has no name.
OF_DEVICES = (
    "app.", "restore.", "queue.observed", "queue.unobserved", "payment.restricted",
    "payment.allowed",
)
# Events that every part has, and that join nothing.
EVERYWHERE = ("log.", "content.published")
STATEMENTS = ("receipt.listed", "renewal.started", "renewal.renewed")
MOST_BACK = 5 * 60 * 1000  # milliseconds


class Stretch:
    """Some lines that follow one another. Lines are counted from 0."""

    def __init__(self, keys: pa.Table, is_blank: Mask, is_unknown: Mask) -> None:
        self.keys = keys
        types = keys["type"].combine_chunks().dictionary_encode()
        self._types = [*types.dictionary.to_pylist(), ""]
        self._of_lines = types.indices.fill_null(len(self._types) - 1).to_numpy()
        # What is not understood tells nothing. The rest is an event, as far as is known by now.
        self.is_event = self.has("type") & ~is_unknown
        self.is_blank = is_blank
        self.joins = self.is_event & ~self.begins(*EVERYWHERE)

    def has(self, key: str) -> Mask:
        return self.keys[key].is_valid().to_numpy()

    def begins(self, *prefixes: str) -> Mask:
        """Whether the type of each line begins in one of these ways."""
        return np.array([name.startswith(prefixes) for name in self._types])[self._of_lines]

    def rows(self, mask: Mask, *columns: str) -> list[tuple[Any, ...]]:
        """The lines of a mask: which they are, and their keys."""
        found = np.flatnonzero(mask)
        some = self.keys.select(columns).take(pa.array(found))
        return list(zip(found.tolist(), *(column.to_pylist() for column in some.columns)))

    def products(self, mask: Mask) -> list[str]:
        return self.keys["product"].filter(pa.array(mask)).unique().drop_null().to_pylist()


def remarks(lines: Stretch) -> dict[str, Any]:
    """What `survey` puts together of the stretches of a log."""
    event = lines.is_event
    lacks_device = event & ~lines.has("device")
    at = milliseconds(lines.keys["at"])
    failures = event & lines.begins("queue.finished") & lines.has("payment")
    latest = at[event & (at != NO_TIME)]
    return {
        "positions": int((~lines.is_blank).sum()),
        "events": int(event.sum()),
        "first": int(event.argmax()) if event.any() else None,
        "latest": int(latest.max()) if len(latest) else None,
        "everywhere": np.flatnonzero(~lines.joins & ~lines.is_blank).tolist(),
        "unread": np.flatnonzero(~event & ~lines.is_blank).tolist(),
        "failure": int(failures.argmax()) if failures.any() else None,
        "unnamed": bool((lacks_device & lines.begins(*OF_DEVICES)).any()),
        "consumed": lines.products(event & lines.begins("delivery.consumed")),
        "open": lines.products(event & ~lines.has("account") & ~lines.begins("catalog.")),
        "answers": _answers(lines),
        "kinds": _statements(lines, "kind"),
        "groups": _statements(lines, "group"),
        "sequence": _sequence(lines),
        "clock": _clock(lacks_device, at),
    }


def _answers(lines: Stretch) -> list[tuple[int, str, str]]:
    """The catalogue's answers that don't repeat the product's answer before."""
    columns = ("product", "type", "kind", "group", "level", "hosted")
    mask = lines.is_event & lines.begins("catalog.listed", "catalog.invalid")
    latest: dict[str, str] = {}
    found = []
    for line, product, *said in lines.rows(mask, *columns):
        answer = repr(said)
        if product is not None and latest.get(product) != answer:
            latest[product] = answer
            found.append((line, product, answer))
    return found


def _statements(lines: Stretch, key: str) -> list[tuple[int, str, str]]:
    """The first line that states each kind, or group, of a product."""
    mask = lines.is_event & lines.begins(*STATEMENTS)
    found: dict[tuple[str, str], int] = {}
    for line, type_, product, said in lines.rows(mask, "type", "product", key):
        if key == "kind" and type_ != "receipt.listed":
            said = "autoRenewable"
        if product is not None and said is not None:
            found.setdefault((product, said), line)
    return [(line, product, said) for (product, said), line in found.items()]


def _sequence(lines: Stretch) -> dict[str, Any]:
    """Where `seq` less the line's position changes, blank lines having no position."""
    numbered = np.flatnonzero(lines.is_event & lines.has("seq"))
    seqs = lines.keys["seq"].fill_null(0).to_numpy()[numbered]
    ahead = seqs - np.cumsum(~lines.is_blank)[numbered]
    return _steps(numbered, ahead, np.flatnonzero(ahead[1:] != ahead[:-1]) + 1)


def _clock(lacks_device: Mask, at: Any) -> dict[str, Any]:
    """Where the clock of the device that has no name goes back."""
    unnamed = np.flatnonzero(lacks_device & (at != NO_TIME))
    at = at[unnamed]
    return _steps(unnamed, at, np.flatnonzero(at[:-1] - at[1:] > MOST_BACK) + 1)


def _steps(lines: Any, values: Any, steps: Any) -> dict[str, Any]:
    """How many lines were compared, the first and the last with their values, and the steps that
    a rule must see: from which line to which."""
    if len(lines) == 0:
        return {"count": 0}
    return {
        "count": len(lines),
        "first": (int(lines[0]), int(values[0])),
        "last": (int(lines[-1]), int(values[-1])),
        "steps": np.column_stack([lines[steps - 1], lines[steps]]).tolist(),
    }


NO_TIME = np.iinfo(np.int64).min


def milliseconds(column: pa.ChunkedArray) -> Any:
    """Times as milliseconds; `NO_TIME` where there is none."""
    try:
        times = pc.divide(column.cast(pa.timestamp("us", "UTC")).cast(pa.int64()), 1000)
    except pa.ArrowInvalid:
        times = pa.chunked_array([pa.array([_time(text) for text in column.to_pylist()], pa.int64())])
    return times.fill_null(NO_TIME).to_numpy()


def _time(text: str | None) -> int | None:
    """One time that may have 0 to 9 decimals, any offset, and a second 60."""
    found = re.fullmatch(r"(.{16}:)(\d\d)(\.\d+)?(.+)", text or "")
    if found is None:
        return None
    minute, second, decimals, offset = found.groups()
    try:
        start = datetime.fromisoformat(f"{minute}00{offset.upper()}")
    except ValueError:
        return None
    if start.tzinfo is None:
        return None
    past = start - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return past // timedelta(milliseconds=1) + int(second) * 1000 + int(f"{decimals or '.'}000"[1:4])
