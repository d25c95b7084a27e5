"""What lines name, as numbers: names are hashed, so that no table holds texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

# What lines share if they must be checked together: the kind of name of each key that holds one.
# The first name that a line has is its anchor.
KINDS = {
    "account": "account", "from": "account", "device": "device", "transaction": "transaction",
    "original": "transaction", "payment": "payment", "receipt": "receipt",
    "notification": "notification", "source": "notification", "id": "id",
}

Numbers = np.ndarray[Any, np.dtype[np.int64]]


def _number(text: bytes) -> int:
    return int(pd.util.hash_array(np.array([text], dtype=object), categorize=False).view("i8")[0])


# The name that joins lines which lack one.
NOBODY = _number(b"nobody")


def hashed(column: pa.ChunkedArray, kind: str) -> Numbers:
    """The names of a column; 0 where it has none. That two names have one hash is so rare, and only
    makes a part larger."""
    encoded = column.combine_chunks().cast(pa.binary()).dictionary_encode()
    texts = np.array([*encoded.dictionary.to_pylist(), None], dtype=object)[:-1]
    numbers = pd.util.hash_array(texts, categorize=False).view("i8") ^ _number(kind.encode())
    numbers[numbers == 0] = 1
    return np.append(numbers, 0)[encoded.indices.fill_null(len(numbers)).to_numpy()]


def products(names: list[str]) -> Numbers:
    return hashed(pa.chunked_array([pa.array(names, pa.string())]), "product")


def of_lines(keys: pa.Table) -> tuple[Numbers, list[Numbers]]:
    """The lines' anchors (`NOBODY` where a line names nothing), and all names by key."""
    found = [hashed(keys[key], kind) for key, kind in KINDS.items()]
    anchors = np.zeros(len(keys), np.int64)
    for names in found:
        anchors = np.where(anchors == 0, names, anchors)
    return np.where(anchors == 0, NOBODY, anchors), found


def pairs(anchors: Numbers, names: Numbers) -> Numbers:
    """Each anchor with another name that lines have beside it, once; two columns."""
    kept = (names != 0) & (names != anchors)
    both = np.column_stack([anchors[kept], names[kept]])
    # One number stands for a pair: sorting numbers is faster than sorting pairs.
    mixed = both[:, 0] * np.int64(0x9E3779B97F4A7C1) ^ both[:, 1]
    return both[np.unique(mixed, return_index=True)[1]]


def selves(anchors: Numbers) -> Numbers:
    """Each anchor as a name of its own, once; two columns, as `pairs` has them."""
    return np.repeat(np.unique(anchors), 2).reshape(-1, 2)
