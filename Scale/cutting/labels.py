"""Which lines belong together: the components of anchors that share names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from names import Numbers

PAIRS = pa.schema([("anchor", pa.int64()), ("name", pa.int64())])


@dataclass(frozen=True)
class Labels:
    """The parts of lines by their anchors."""

    parts: int
    # The anchors that belong to another one, in order, and the labels that they have by it.
    anchors: Numbers
    labels: Numbers

    def of(self, anchors: Numbers) -> Numbers:
        """The part of each anchor."""
        labels = anchors
        if len(self.anchors):
            places = np.searchsorted(self.anchors, anchors)
            places[places == len(self.anchors)] = 0
            labels = np.where(self.anchors[places] == anchors, self.labels[places], anchors)
        return (labels.view(np.uint64) % np.uint64(self.parts)).astype(np.int64)


def label(chunks: DataFrame, joining: list[int], parts: int) -> Labels:
    """Finds the components. What the driver holds are the anchors that share a name with another,
    and those names, 50 bytes each."""
    pairs = chunks.select("pairs", "loose").mapInArrow(
        lambda batches: _pairs(batches, np.array(joining, np.int64)), "anchor bigint, name bigint"
    )
    # A name that one anchor alone has joins nothing. Each anchor has its own name too.
    hubs = pairs.groupBy("name").agg(F.min("anchor").alias("least"), F.max("anchor").alias("most"))
    shared = hubs.where("least != most").select("name")
    edges = pairs.join(shared, "name").select("anchor", "name").distinct()
    found = edges.toArrow()
    ones, others = (found[column].to_numpy() for column in ("anchor", "name"))
    ids, places = np.unique(np.concatenate([ones, others]), return_inverse=True)
    roots = _roots(len(ids), places[: len(ones)], places[len(ones) :])
    is_other = roots != np.arange(len(ids))
    return Labels(parts, ids[is_other], ids[roots[is_other]])


def _pairs(batches: Iterator[pa.RecordBatch], joining: Numbers) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for own, loose in zip(batch["pairs"], batch["loose"]):
            some = np.frombuffer(loose.as_buffer(), np.int64).reshape(-1, 2)
            both = np.concatenate([
                np.frombuffer(own.as_buffer(), np.int64).reshape(-1, 2),
                some[np.isin(some[:, 1], joining)],
            ])
            columns = [pa.array(np.ascontiguousarray(both[:, index])) for index in (0, 1)]
            yield pa.RecordBatch.from_arrays(columns, schema=PAIRS)


def _roots(count: int, ones: Any, others: Any) -> Any:
    """The least member of each one's component, joined edge by edge."""
    roots = np.arange(count)
    while True:
        least = np.minimum(roots[ones], roots[others])
        if (roots[ones] == roots[others]).all():
            return roots
        before = roots.copy()
        np.minimum.at(roots, before[ones], least)
        np.minimum.at(roots, before[others], least)
        while (roots[roots] != roots).any():
            roots = roots[roots]
