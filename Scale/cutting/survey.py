"""What must be known of a whole log before it is cut: the remarks of its chunks put together."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import DataFrame

import names
from chunks import File, Place

SEQUENCE = "sequence-unbroken"
CLOCK = "clock-goes-forward"


@dataclass
class Whole:
    """A log before it is cut. Lines are counted from 1."""

    lines: int = 0
    bytes: int = 0
    events: int = 0
    # The number of lines before each chunk.
    before: dict[Place, int] = field(default_factory=dict)
    # The latest time of recording, in milliseconds.
    latest: int | None = None
    first_event: int | None = None
    # The lines that every part has.
    shared: list[int] = field(default_factory=list)
    # The lines that can't be events.
    unread: set[int] = field(default_factory=set)
    # What joins the lines that name nothing of their own: devices without a name, products.
    joining: list[int] = field(default_factory=list)
    # For rules that need the whole log: how often each was tested, and the lines it must see for
    # each finding that it may have; a finding is on the last of them.
    tested: dict[str, int] = field(default_factory=dict)
    windows: dict[str, list[list[int]]] = field(default_factory=dict)

    def place(self, line: int) -> tuple[Place, int]:
        """The chunk that has a line, and which of its lines that is, from 0."""
        chunk = max((before, place) for place, before in self.before.items() if before < line)
        return chunk[1], line - chunk[0] - 1


def survey(chunks: DataFrame, files: list[File]) -> Whole:
    order = {file.hash: index for index, file in enumerate(files)}
    rows = chunks.select("file", "start", "number", "lines", "size", "remarks")
    ordered = sorted(
        rows.collect(), key=lambda row: (order[row["file"]], row["start"], row["number"])
    )
    whole = Whole()
    parts: list[tuple[int, int, dict[str, Any]]] = []
    positions = 0
    for row in ordered:
        said = json.loads(row["remarks"])
        whole.before[row["file"], row["start"], row["number"]] = whole.lines
        parts.append((whole.lines + 1, positions, said))
        whole.lines += row["lines"]
        whole.bytes += row["size"]
        positions += said["positions"]
    _events(whole, parts)
    _shared(whole, parts)
    _sequence(whole, parts)
    _clock(whole, parts)
    return whole


def _events(whole: Whole, parts: list[tuple[int, int, dict[str, Any]]]) -> None:
    whole.events = sum(said["events"] for _, _, said in parts)
    whole.unread = {start + line for start, _, said in parts for line in said["unread"]}
    whole.latest = max((said["latest"] for _, _, said in parts if said["latest"] is not None),
                       default=None)
    whole.first_event = next(
        (start + said["first"] for start, _, said in parts if said["first"] is not None), None
    )


def _shared(whole: Whole, parts: list[tuple[int, int, dict[str, Any]]]) -> None:
    """The lines of every part, and what joins lines beside their own names."""
    shared = {start + line for start, _, said in parts for line in said["everywhere"]}
    shared.update(
        [start + said["failure"] for start, _, said in parts if said["failure"] is not None][:1]
    )
    answers: dict[str, str] = {}
    for line, product, answer in _each(parts, "answers"):
        if answers.get(product) != answer:
            answers[product] = answer
            shared.add(line)
    joining = _any(parts, "consumed") & _any(parts, "open")
    for key in ("kinds", "groups"):
        stated: dict[str, str] = {}
        for line, product, said in _each(parts, key):
            if product not in stated:
                stated[product] = said
                shared.add(line)
            elif stated[product] != said:
                joining.add(product)
    whole.shared = sorted(shared)
    whole.joining = names.products(sorted(joining)).tolist()
    if any(said["unnamed"] for _, _, said in parts):
        whole.joining.append(names.NOBODY)


def _each(
    parts: list[tuple[int, int, dict[str, Any]]], key: str
) -> Iterable[tuple[int, str, str]]:
    for start, _, said in parts:
        for line, product, text in said[key]:
            yield start + line, product, text


def _any(parts: list[tuple[int, int, dict[str, Any]]], key: str) -> set[str]:
    return {name for _, _, said in parts for name in said[key]}


def _sequence(whole: Whole, parts: list[tuple[int, int, dict[str, Any]]]) -> None:
    """The breaks of `seq`. A rule sees the lines from the event before up to the one that breaks."""
    before, ahead = 0, 0
    windows = []
    tested = 0
    for start, positions, said in parts:
        steps = said["sequence"]
        tested += steps["count"]
        if not steps["count"]:
            continue
        line, value = steps["first"]
        if value - positions != ahead:
            windows.append(list(range(max(before, 1), start + line + 1)))
        windows += [list(range(start + one, start + other + 1)) for one, other in steps["steps"]]
        line, value = steps["last"]
        before, ahead = start + line, value - positions
    whole.tested[SEQUENCE] = tested
    whole.windows[SEQUENCE] = windows


def _clock(whole: Whole, parts: list[tuple[int, int, dict[str, Any]]]) -> None:
    """Where the clock of the device that has no name goes back: the two lines."""
    before: tuple[int, int] | None = None
    windows = []
    tested = 0
    for start, _, said in parts:
        steps = said["clock"]
        tested += steps["count"]
        if not steps["count"]:
            continue
        line, at = steps["first"]
        if before is not None and before[1] - at > 5 * 60 * 1000:
            windows.append([before[0], start + line])
        windows += [[start + one, start + other] for one, other in steps["steps"]]
        line, at = steps["last"]
        before = (start + line, at)
    whole.tested[CLOCK] = tested
    whole.windows[CLOCK] = windows
