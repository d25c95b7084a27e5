"""Cuts a log's chunks: which lines each part gets."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame

from chunks import Place
from files import Extent
from labels import Labels
from names import Numbers

# A piece of a part: the lines of one chunk, and their numbers in the log. The number of a line that
# is only a guest in the part, because every part has the line, is negative.
SCHEMA = "part int, start bigint, numbers binary, text binary"
TYPES = pa.schema(
    [("part", pa.int32()), ("start", pa.int64()), ("numbers", pa.binary()), ("text", pa.binary())]
)


@dataclass(frozen=True)
class Plan:
    """Where each line goes. Part `labels.parts` has the shared lines alone, and the parts after it
    have the windows of the rules that need the whole log."""

    labels: Labels
    before: dict[Place, int]
    lines: int
    shared: list[int]
    windows: list[list[list[int]]]
    # Whether the log begins with a byte order mark, and whether its last line has no newline.
    has_mark: bool
    is_torn: bool

    @property
    def count(self) -> int:
        return self.labels.parts + 1 + len(self.windows)


def cut(chunks: DataFrame, plan: Plan) -> DataFrame:
    """The parts: as many partitions, each with its pieces in order."""
    columns = ("file", "start", "number", "lines", "text", "extent", "ends", "anchors")
    pieces = chunks.select(*columns).mapInArrow(lambda batches: _pieces(batches, plan), SCHEMA)
    return pieces.repartitionById(plan.count, "part").sortWithinPartitions("start")


def _pieces(batches: Iterator[pa.RecordBatch], plan: Plan) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for index in range(batch.num_rows):
            row = {name: batch[name][index] for name in batch.schema.names}
            place = (row["file"].as_py(), row["start"].as_py(), row["number"].as_py())
            chunk = _Chunk(row, plan, plan.before[place])
            found = [(part, *chunk.piece(lines, home)) for part, lines, home in chunk.parts()]
            for number, windows in enumerate(plan.windows, plan.labels.parts + 1):
                lines, is_end = chunk.seen(windows)
                if len(lines):
                    found.append((number, *chunk.piece(lines, is_end)))
            if found:
                parts, numbers, texts = zip(*found)
                starts = [plan.before[place]] * len(parts)
                arrays = [
                    pa.array(column, field.type)
                    for column, field in zip((parts, starts, numbers, texts), TYPES)
                ]
                yield pa.RecordBatch.from_arrays(arrays, schema=TYPES)


class _Chunk:
    """A chunk that is cut. Its lines are counted from 0."""

    def __init__(self, row: dict[str, Any], plan: Plan, before: int) -> None:
        ends = np.frombuffer(row["ends"].as_buffer(), np.int64)
        text = row["text"].as_buffer()
        if text is None:
            text = pa.py_buffer(Extent(**row["extent"].as_py()).read())
        if plan.has_mark and before == 0:
            text, ends = pa.py_buffer(b"\xef\xbb\xbf" + text.to_pybytes()), ends + 3
        offsets = pa.py_buffer(np.concatenate(([0], ends)))
        self.texts = pa.LargeBinaryArray.from_buffers(
            pa.large_binary(), len(ends), [None, offsets, text]
        )
        self.plan = plan
        self.before = before
        self.count = len(ends)
        self.of_lines = plan.labels.of(np.frombuffer(row["anchors"].as_buffer(), np.int64))
        first = bisect_left(plan.shared, before + 1)
        last = bisect_left(plan.shared, before + 1 + self.count)
        self.shared = np.array(plan.shared[first:last], np.int64) - before - 1

    def parts(self) -> Iterator[tuple[int, Numbers, Any]]:
        """The lines of each part, and whether each is at home there."""
        order = np.argsort(self.of_lines, kind="stable")
        bounds = np.searchsorted(self.of_lines[order], np.arange(self.plan.labels.parts + 1))
        for part, (start, end) in enumerate(zip(bounds, bounds[1:])):
            lines = order[start:end]
            if len(self.shared):
                lines = np.union1d(lines, self.shared)
            if len(lines):
                yield part, lines, self.of_lines[lines] == part
        if len(self.shared):
            yield self.plan.labels.parts, self.shared, np.zeros(len(self.shared), bool)

    def seen(self, windows: list[list[int]]) -> tuple[Numbers, Any]:
        """The lines of windows, and whether each is the last of its window."""
        lines: list[int] = []
        is_end: list[bool] = []
        for window in windows[bisect_left(windows, self.before + 1, key=lambda one: one[-1]) :]:
            if window[0] > self.before + self.count:
                break
            inside = [n for n in window if self.before < n <= self.before + self.count]
            lines += [number - self.before - 1 for number in inside]
            is_end += [number == window[-1] for number in inside]
        return np.array(lines, np.int64), np.array(is_end, bool)

    def piece(self, lines: Numbers, is_home: Any) -> tuple[bytes, bytes]:
        """The numbers and the text of some lines."""
        numbers = lines + self.before + 1
        _, offsets, text = self.texts.take(pa.array(lines)).buffers()
        size = int(np.frombuffer(offsets, np.int64)[len(lines)])
        if self.plan.is_torn and numbers[-1] == self.plan.lines:
            size -= 1
        return np.where(is_home, numbers, -numbers).tobytes(), text.slice(0, size).to_pybytes()
