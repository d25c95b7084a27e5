"""One log in chunks of a few megabytes, each with the anchors of its lines and what they join."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import keys as line_keys
import names
import remarks

# Where a chunk is: the hash of its file's path, the start of its block, its number in the block.
Place = tuple[int, int, int]
PLACE = "file bigint, start bigint, number int"
SCHEMA = (
    f"{PLACE}, lines int, text binary, ends binary, anchors binary, pairs binary, loose binary, "
    "remarks string"
)
TYPES = pa.schema(
    [("file", pa.int64()), ("start", pa.int64()), ("number", pa.int32()), ("lines", pa.int32())]
    + [(name, pa.binary()) for name in ("text", "ends", "anchors", "pairs", "loose")]
    + [("remarks", pa.string())]
)
BLANK = b" \t\r\n"
MARK = b"\xef\xbb\xbf"


def read(spark: SparkSession, log: str, unknown: dict[Place, list[int]]) -> DataFrame:
    """The log's chunks. `unknown` are lines of chunks that `replay` doesn't understand."""
    lines = spark.read.option("lineSep", "\n").text(log).select(
        F.concat("value", F.lit("\n")).alias("line"),
        F.xxhash64("_metadata.file_path").alias("file"),
        F.col("_metadata.file_block_start").alias("start"),
    )
    made = lines.mapInArrow(lambda batches: chunks(batches, unknown), SCHEMA)
    return made.persist(StorageLevel.DISK_ONLY)


def files(spark: SparkSession, log: str) -> list[tuple[int, int]]:
    """The hash of the path, and the length, of each file of the log, by path."""
    found = spark.read.format("binaryFile").load(log).select(
        "path", F.xxhash64("_metadata.file_path").alias("file"), "length"
    )
    return [(row["file"], row["length"]) for row in sorted(found.collect())]


def chunks(
    batches: Iterator[pa.RecordBatch], unknown: dict[Place, list[int]]
) -> Iterator[pa.RecordBatch]:
    counts: dict[tuple[int, int], int] = {}
    for batch in batches:
        for lines in _by_block(batch):
            block = (lines["file"][0].as_py(), lines["start"][0].as_py())
            place = (*block, counts.get(block, 0))
            counts[block] = place[2] + 1
            yield _chunk(place, lines["line"], unknown.get(place, []))


def _by_block(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """The batch cut where another block of a file begins."""
    where = np.column_stack([batch["file"].to_numpy(), batch["start"].to_numpy()])
    cuts = np.flatnonzero((where[1:] != where[:-1]).any(axis=1)) + 1
    bounds = [0, *cuts.tolist(), batch.num_rows]
    for start, end in zip(bounds, bounds[1:]):
        if start < end:
            yield batch.slice(start, end - start)


def texts(column: pa.Array) -> tuple[memoryview, Any]:
    """The bytes of a column of texts one after the other, without a copy, and where each ends."""
    _, offsets, data = column.buffers()
    is_large = pa.types.is_large_string(column.type) or pa.types.is_large_binary(column.type)
    places = np.frombuffer(offsets, np.int64 if is_large else np.int32)
    places = places[column.offset : column.offset + len(column) + 1]
    ends = places[1:] - places[0]
    return memoryview(data if data is not None else b"")[places[0] : places[-1]], ends


def _chunk(place: Place, column: pa.Array, unknown: list[int]) -> pa.RecordBatch:
    text, ends = texts(column)
    keys = line_keys.parse(text, ends)
    is_unknown = np.zeros(len(ends), bool)
    is_unknown[unknown] = True
    is_blank = ~keys["type"].is_valid().to_numpy()
    for line in np.flatnonzero(is_blank):
        start = ends[line - 1] if line else 0
        is_blank[line] = not bytes(text[start : ends[line]]).removeprefix(MARK).strip(BLANK)
    lines = remarks.Stretch(keys, is_blank, is_unknown)
    anchors, found = names.of_lines(keys)
    joins = lines.joins
    own = [names.pairs(anchors[joins], some[joins]) for some in found] + [names.selves(anchors)]
    # What joins only in logs that have a device without a name, or by some products.
    lacks = np.where(lines.has("device"), 0, names.NOBODY)
    products = names.hashed(keys["product"], "product")
    loose = [names.pairs(anchors[joins], some[joins]) for some in (lacks, products)]
    values = [
        *place, len(ends), bytes(text), ends.astype(np.int64).tobytes(), anchors.tobytes(),
        np.concatenate(own).tobytes(), np.concatenate(loose).tobytes(),
        json.dumps(remarks.remarks(lines)),
    ]
    arrays = [pa.array([value], field.type) for value, field in zip(values, TYPES)]
    return pa.RecordBatch.from_arrays(arrays, schema=TYPES)
