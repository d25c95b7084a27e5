"""The keys of a log's lines that cutting a log needs; everything else is `replay`'s business."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.json as pj

TEXTS = (
    "at", "type", "id", "source", "account", "device", "transaction", "original", "payment",
    "receipt", "notification", "product", "from", "kind", "group",
)
NUMBERS = ("seq", "level")
FLAGS = ("hosted",)
SCHEMA = pa.schema(
    [(key, pa.string()) for key in TEXTS]
    + [(key, pa.int64()) for key in NUMBERS]
    + [(key, pa.bool_()) for key in FLAGS]
)

OPENING_BRACE = ord("{")
# So few lines are read one by one where one of them can't be read.
FEW = 16


def parse(text: memoryview, ends: np.ndarray[Any, Any]) -> pa.Table:
    """The keys of the lines, a row a line: null where a line lacks the key or is no object.

    `ends` holds where each line ends, its newline included.
    """
    if len(ends) == 0:
        return SCHEMA.empty_table()
    starts = np.concatenate(([0], ends[:-1]))
    # Lines that begin an object hold at least one, so as many rows as lines means a row a line.
    if (np.frombuffer(text, np.uint8)[starts] == OPENING_BRACE).all():
        try:
            table = pj.read_json(
                pa.BufferReader(pa.py_buffer(text)),
                read_options=pj.ReadOptions(use_threads=False, block_size=len(text) + 1),
                parse_options=pj.ParseOptions(
                    explicit_schema=SCHEMA, unexpected_field_behavior="ignore"
                ),
            )
            if table.num_rows == len(ends):
                return table
        except pa.ArrowInvalid:
            pass
    if len(ends) <= FEW:
        rows = [_object(bytes(text[start:end])) for start, end in zip(starts, ends)]
        return pa.Table.from_pylist(rows, SCHEMA)
    half = len(ends) // 2
    cut = int(ends[half - 1])
    return pa.concat_tables(
        [parse(text[:cut], ends[:half]), parse(text[cut:], ends[half:] - cut)]
    )


def _object(line: bytes) -> dict[str, Any]:
    """The keys of one line that have values of their type."""
    try:
        found = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {key: value for key in SCHEMA.names if _fits(key, value := found.get(key))}


def _fits(key: str, value: Any) -> bool:
    if key in FLAGS:
        return isinstance(value, bool)
    if key in NUMBERS:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63
    # Half a surrogate pair is no text.
    return isinstance(value, str) and value.encode(errors="ignore").decode() == value
