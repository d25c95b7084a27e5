"""One log in parts: each part is a task that gives its lines to `replay check --part`."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

import pipe
from shared import Whole

ANSWERS = "part int, kind string, line bigint, body string"


def text(column: pa.Array) -> memoryview:
    """The bytes of a column of texts, one after the other, without a copy."""
    _, offsets, data = column.buffers()
    width = "q" if pa.types.is_large_string(column.type) else "i"
    places = memoryview(offsets).cast(width)
    first, last = places[column.offset], places[column.offset + len(column)]
    return memoryview(data)[first:last] if data is not None else memoryview(b"")


class Part:
    """A part's lines: what is read of them, and what is kept to number findings."""

    def __init__(self, batches: Iterator[pa.RecordBatch]) -> None:
        self.batches = batches
        self.numbers = array("q")
        self.part = -1

    def pieces(self) -> Iterator[memoryview]:
        for batch in self.batches:
            if batch.num_rows == 0:
                continue
            self.part = batch.column("part")[0].as_py()
            numbers = batch.column("number").cast(pa.int64())
            self.numbers.extend(numbers.to_pylist())
            yield text(batch.column("line"))

    def numbered(self, item: dict[str, Any]) -> dict[str, Any]:
        """A finding with the line numbers of the whole log."""
        item["line"] = self.numbers[item["line"] - 1]
        for note in item.get("notes", []):
            note["line"] = self.numbers[note["line"] - 1]
        item.pop("path", None)
        return item


def answers(
    batches: Iterator[pa.RecordBatch], replay: str, options: list[str]
) -> Iterator[pa.RecordBatch]:
    """Checks the part that a task has; yields its findings and verdicts."""
    part = Part(batches)
    pieces = part.pieces()
    first = next(pieces, None)
    if first is None:
        return
    answer = pipe.check(replay, chain([first], pieces), "--part", *options)
    rows: list[tuple[int, str, int, str]] = []
    for item in answer.objects:
        if "verdict" in item:
            rows.append((part.part, "verdict", 0, json.dumps(item)))
        else:
            item = part.numbered(item)
            rows.append((part.part, "finding", item["line"], json.dumps(item)))
    # What was counted must be what was given: a part that is cut short answers too well.
    rows.append((part.part, "lines", len(part.numbers), ""))
    columns = list(zip(*rows))
    yield pa.RecordBatch.from_arrays(
        [
            pa.array(columns[0], pa.int32()), pa.array(columns[1]),
            pa.array(columns[2], pa.int64()), pa.array(columns[3]),
        ],
        names=["part", "kind", "line", "body"],
    )


def check(lines: DataFrame, whole: Whole, parts: int, replay: str) -> DataFrame:
    """What the parts of a log show. Part `parts`, one more than there are, has what is in every
    part and nothing else: how often that was tested is no part's own."""
    is_shared = F.col("number").isin(whole.shared)
    everywhere = lines.where(is_shared).drop("part").crossJoin(
        lines.sparkSession.range(parts + 1).select(F.col("id").cast("int").alias("part"))
    )
    given = lines.where(~is_shared).unionByName(everywhere)
    options = [f"--as-of={whole.greatest_at}"] if whole.greatest_at else []
    return (
        given.select(F.concat("value", F.lit("\n")).alias("line"), "number", "part")
        .repartitionById(parts + 1, "part")
        .sortWithinPartitions("number")
        .mapInArrow(lambda batches: answers(batches, replay, options), ANSWERS)
    )
