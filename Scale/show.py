"""What `replay show` folds of one log in parts: the rows of the parts together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame

import findings
import pipe
from parts import Part, Task

# What a row is of; a row that is of no account is of a transaction.
OWNERS = ("account", "transaction", "original")


class Guests(Part):
    """A part of which it is known whom its guests name: their rows are another part's."""

    def __init__(self, batches: Iterator[pa.RecordBatch]) -> None:
        super().__init__(batches)
        self.named: set[tuple[str, str]] = set()

    def pieces(self) -> Iterator[pa.Buffer]:
        before = 0
        for text in super().pieces():
            numbers = self.numbers[before:]
            before = len(self.numbers)
            if min(numbers) < 0:
                for number, line in zip(numbers, text.to_pybytes().split(b"\n")):
                    if number < 0:
                        self._note(line)
            yield text

    def _note(self, line: bytes) -> None:
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            return
        if isinstance(said, dict):
            self.named.update((key, str(said[key])) for key in OWNERS if key in said)

    def is_at_home(self, row: dict[str, Any]) -> bool:
        owner = next((key for key in OWNERS if key in row), None)
        return owner is None or (owner, str(row[owner])) not in self.named


def answers(
    batches: Iterator[pa.RecordBatch], task: Task, projection: str
) -> Iterator[pa.RecordBatch]:
    """Folds the part that a task has."""
    part = Guests(batches)
    pieces = part.pieces()
    first = next(pieces, None)
    if first is None or part.part >= task.parts:
        return
    arguments = ["show", projection, "--format=json", "--threads=1", *task.options, "-"]
    answer = pipe.run(task.replay, arguments, chain([first], pieces))
    found = findings.Found()
    found.findings = [line for line in answer.lines if part.is_at_home(json.loads(line))]
    yield findings.batch(found.rows({"part": part.part, "lines": len(part.numbers)}))


def rows(pieces: DataFrame, task: Task, projection: str) -> DataFrame:
    """The rows of a projection, as those of `parts.check` are findings."""
    return pieces.mapInArrow(lambda batches: answers(batches, task, projection), findings.ANSWERS)
