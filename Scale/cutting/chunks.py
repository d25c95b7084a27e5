"""One log in chunks of a few megabytes, each with the anchors of its lines and what they join."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import files
import keys as line_keys
import names
import remarks

# How much of a file a task reads, and of that how much at a time.
BLOCK = 64 << 20
CHUNK = 8 << 20

# Where a chunk is: the hash of its file's path, the start of its block, its number in the block.
Place = tuple[int, int, int]
# A chunk of a file of a machine has an extent, and no text.
SCHEMA = (
    "file bigint, start bigint, number int, lines int, size int, text binary, "
    "extent struct<path: string, start: bigint, end: bigint, sum: bigint>, ends binary, "
    "anchors binary, pairs binary, loose binary, remarks string"
)
EXTENT = pa.struct(
    [("path", pa.string())] + [(name, pa.int64()) for name in ("start", "end", "sum")]
)
TYPES = pa.schema(
    [(name, pa.int64()) for name in ("file", "start")]
    + [(name, pa.int32()) for name in ("number", "lines", "size")]
    + [("text", pa.binary()), ("extent", EXTENT)]
    + [(name, pa.binary()) for name in ("ends", "anchors", "pairs", "loose")]
    + [("remarks", pa.string())]
)
BLANK = b" \t\r\n"
NEWLINE = ord("\n")

Unknown = dict[Place, list[int]]
Ends = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class File:
    """A file of a log."""

    name: str
    hash: int
    length: int


def find(spark: SparkSession, log: str) -> list[File]:
    """The files of a log, by name."""
    found = spark.read.format("binaryFile").load(log).select(
        "path", F.xxhash64("_metadata.file_path").alias("file"), "length"
    )
    return [File(row["path"], row["file"], row["length"]) for row in sorted(found.collect())]


def read(spark: SparkSession, log: str, found: list[File], unknown: Unknown) -> DataFrame:
    """The log's chunks. `unknown` are lines of chunks that `replay` doesn't understand."""
    if all(files.is_local(file.name) and not file.name.endswith(files.PACKED) for file in found):
        blocks = [
            (file, start, min(start + BLOCK, file.length))
            for file in found for start in range(0, file.length, BLOCK)
        ]
        size = CHUNK
        made = spark.range(0, len(blocks), 1, max(1, len(blocks))).mapInArrow(
            lambda batches: _of_files(batches, blocks, size, unknown), SCHEMA
        )
        return made.persist(StorageLevel.DISK_ONLY)
    lines = spark.read.option("lineSep", "\n").text(log).select(
        F.concat("value", F.lit("\n")).alias("line"),
        F.xxhash64("_metadata.file_path").alias("file"),
        F.col("_metadata.file_block_start").alias("start"),
    )
    made = lines.mapInArrow(lambda batches: _of_lines(batches, unknown), SCHEMA)
    return made.persist(StorageLevel.DISK_ONLY)


def _of_files(
    batches: Iterator[pa.RecordBatch], blocks: list[tuple[File, int, int]], size: int,
    unknown: Unknown,
) -> Iterator[pa.RecordBatch]:
    """The chunks of blocks of files of this machine."""
    for batch in batches:
        for block in batch["id"].to_pylist():
            file, start, end = blocks[block]
            found = files.extents(files.plain(file.name), start, end, size)
            for number, (extent, text) in enumerate(found):
                ends = np.flatnonzero(np.frombuffer(text, np.uint8) == NEWLINE) + 1
                place = (file.hash, start, number)
                yield _chunk(place, memoryview(text), ends, extent, unknown.get(place, []))


def _of_lines(
    batches: Iterator[pa.RecordBatch], unknown: Unknown
) -> Iterator[pa.RecordBatch]:
    """The chunks of lines that Spark has read."""
    counts: dict[tuple[int, int], int] = {}
    for batch in batches:
        for lines in _by_block(batch):
            block = (lines["file"][0].as_py(), lines["start"][0].as_py())
            place = (*block, counts.get(block, 0))
            counts[block] = place[2] + 1
            text, ends = texts(lines["line"])
            yield _chunk(place, text, ends, None, unknown.get(place, []))


def _by_block(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """The batch cut where another block of a file begins."""
    where = np.column_stack([batch["file"].to_numpy(), batch["start"].to_numpy()])
    cuts = np.flatnonzero((where[1:] != where[:-1]).any(axis=1)) + 1
    bounds = [0, *cuts.tolist(), batch.num_rows]
    for start, end in zip(bounds, bounds[1:]):
        if start < end:
            yield batch.slice(start, end - start)


def texts(column: pa.Array) -> tuple[memoryview, Ends]:
    """The bytes of a column of texts one after the other, without a copy, and where each ends."""
    _, offsets, data = column.buffers()
    is_large = pa.types.is_large_string(column.type) or pa.types.is_large_binary(column.type)
    places = np.frombuffer(offsets, np.int64 if is_large else np.int32)
    places = places[column.offset : column.offset + len(column) + 1]
    ends = (places[1:] - places[0]).astype(np.int64)
    return memoryview(data if data is not None else b"")[places[0] : places[-1]], ends


def _chunk(
    place: Place, text: memoryview, ends: Ends, extent: files.Extent | None, unknown: list[int]
) -> pa.RecordBatch:
    keys = line_keys.parse(text, ends)
    is_unknown = np.zeros(len(ends), bool)
    is_unknown[unknown] = True
    is_blank = ~keys["type"].is_valid().to_numpy()
    for line in np.flatnonzero(is_blank):
        start = ends[line - 1] if line else 0
        is_blank[line] = not bytes(text[start : ends[line]]).removeprefix(files.MARK).strip(BLANK)
    lines = remarks.Stretch(keys, is_blank, is_unknown)
    anchors, found = names.of_lines(keys)
    joins = lines.joins
    own = [names.pairs(anchors[joins], some[joins]) for some in found] + [names.selves(anchors)]
    # What joins only in logs that have a device without a name, or by some products.
    lacks = np.where(lines.has("device"), 0, names.NOBODY)
    products = names.hashed(keys["product"], "product")
    loose = [names.pairs(anchors[joins], some[joins]) for some in (lacks, products)]
    values = [
        *place, len(ends), len(text), bytes(text) if extent is None else None,
        None if extent is None else asdict(extent), ends.tobytes(), anchors.tobytes(),
        np.concatenate(own).tobytes(), np.concatenate(loose).tobytes(),
        json.dumps(remarks.remarks(lines)),
    ]
    arrays = [pa.array([value], field.type) for value, field in zip(values, TYPES)]
    return pa.RecordBatch.from_arrays(arrays, schema=TYPES)
