"""What only all lines of a log can tell, by queries of the script's own: the sequence of `seq`, and
the clock of the device that has no name.

A query finds the few pairs of lines that break a rule; `replay` words the findings.
"""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

import pipe
from shared import Whole

CLOCK = "clock-goes-forward"
SEQUENCE = "sequence-unbroken"
MOST_BACK = 5 * 60 * 1000  # milliseconds


def previous(lines: DataFrame, columns: list[str]) -> DataFrame:
    """The lines with some columns of the line before, as `before`. Lines are compared within
    ranges of a million, and the last line of each range with the first of the next, so that no
    task has them all."""
    ranged = lines.withColumn("range", F.floor(F.col("number") / 1_000_000))
    kept = F.struct("number", *columns)
    window = Window.partitionBy("range").orderBy("number")
    inside = ranged.withColumn("before", F.lag(kept).over(window))
    last = ranged.groupBy("range").agg(F.max(kept).alias("last"))
    latest = F.last("last").over(
        Window.orderBy("range").rowsBetween(Window.unboundedPreceding, -1)
    )
    earlier = last.select("range", latest.alias("earlier"))
    return inside.join(F.broadcast(earlier), "range").withColumn(
        "before", F.coalesce("before", "earlier")
    )


def sequence(lines: DataFrame, whole: Whole, replay: str) -> tuple[int, list[dict[str, Any]]]:
    """How often `seq` was tested, and where it breaks.

    Where each line's `seq` is its number, there is nothing to look for. Else `replay` reads, for
    each place where `seq` less its position changes, the lines from the event before up to it.
    """
    if whole.is_counted:
        return whole.lines, []
    events = lines.where("key.seq is not null").select("number", F.col("key.seq").alias("seq"))
    pairs = previous(events, ["seq"])
    breaks = pairs.where(
        "before is null or seq - number != before.seq - before.number"
    ).select("number", F.coalesce("before.number", F.lit(0)).alias("start"))
    return events.count(), _worded(lines, breaks, SEQUENCE, replay)


def clock(lines: DataFrame, whole: Whole, replay: str) -> tuple[int, list[dict[str, Any]]]:
    """How often the clock of the unnamed device was tested, and where it goes back."""
    if not whole.lacks_devices:
        return 0, []
    unnamed = lines.where("key.type is not null and key.device is null").select(
        "number", F.unix_millis(F.to_timestamp("key.at")).alias("at")
    )
    back = previous(unnamed, ["at"]).where(f"before.at - at > {MOST_BACK}").select(
        "number", F.col("before.number").alias("start")
    )
    return unnamed.count(), _worded(lines.where("key.device is null"), back, CLOCK, replay)


def _worded(
    lines: DataFrame, breaks: DataFrame, rule: str, replay: str
) -> list[dict[str, Any]]:
    """What `replay` finds by a rule at some breaks: `number`, and `start`, a line before from which
    on the rule must see the lines."""
    ends = breaks.persist()
    wanted = ends.select("number", F.explode(F.sequence("start", "number")).alias("line"))
    rows = (
        wanted.join(lines.select(F.col("number").alias("line"), "value"), "line")
        .orderBy("number", "line").select("number", "line", "value").collect()
    )
    ends.unpersist()
    if not rows:
        return []
    log = (row["value"].encode() + b"\n" for row in rows)
    found = []
    for item in pipe.check(replay, log, f"--rule={rule}").objects:
        # What the first line of one break shows beside the last line of another is no finding.
        row = rows[item["line"] - 1] if item.get("rule") == rule and "line" in item else None
        if row is None or row["line"] != row["number"]:
            continue
        item["line"] = row["line"]
        for note in item.get("notes", []):
            note["line"] = rows[note["line"] - 1]["line"]
        item.pop("path", None)
        found.append(item)
    return found
