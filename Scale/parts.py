"""Checks the parts of a log: each is a task that gives its lines to `replay check --part`."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import pyarrow as pa
from pyspark.sql import DataFrame

import findings
import pipe

# What `replay` says of an input in which it finds no log.
REFUSAL = re.compile(r"replay: - ((?!is empty|holds nothing).*)")


@dataclass(frozen=True)
class Task:
    """What every part is checked with."""

    replay: str
    # How many parts there are; the parts after them are of shared lines, and of windows.
    parts: int
    # The rules that windows are for.
    rules: list[str]
    options: list[str]
    first_event: int | None
    path: str


class Part:
    """A part's lines: what is read of them, and what is kept to number findings."""

    def __init__(self, batches: Iterator[pa.RecordBatch]) -> None:
        self.batches = batches
        self.numbers = array("q")
        self.part = -1

    def pieces(self) -> Iterator[pa.Buffer]:
        for batch in self.batches:
            for part, numbers, text in zip(batch["part"], batch["numbers"], batch["text"]):
                self.part = part.as_py()
                self.numbers.frombytes(numbers.as_buffer())
                yield text.as_buffer()

    def number(self, line: int) -> int:
        return self.numbers[line - 1]


def answers(batches: Iterator[pa.RecordBatch], task: Task) -> Iterator[pa.RecordBatch]:
    """Checks the part that a task has."""
    part = Part(batches)
    pieces = part.pieces()
    first = next(pieces, None)
    if first is None:
        return
    window = part.part - task.parts - 1
    if window >= 0:
        options = [f"--rule={task.rules[window]}"]
    else:
        options = ["--part", *task.options]
    answer = pipe.run(task.replay, [*pipe.CHECK, *options, "-"], chain([first], pieces))

    def is_kept(name: str, line: int) -> bool:
        if window >= 0:
            return line > 0 and name == task.rules[window]
        # A part starts in the middle where the log does.
        return line > 0 and (name != "not-opened" or line == task.first_event)

    found = findings.Found()
    path = json.dumps(task.path, ensure_ascii=False)[1:-1].encode()
    found.take(answer.lines, lambda _: path, part.number, is_kept)
    if window >= 0:
        found.verdicts = []
    # What was checked must be what was given: a part that is cut short answers too well.
    refused = [match[1] for match in map(REFUSAL.fullmatch, answer.remarks) if match]
    said = {"part": part.part, "lines": len(part.numbers), "refused": refused}
    yield findings.batch(found.rows(said))


def check(pieces: DataFrame, task: Task) -> DataFrame:
    """What the parts of a log show."""
    return pieces.mapInArrow(lambda batches: answers(batches, task), findings.ANSWERS)
