"""One log that is checked in parts: surveyed, cut, checked, and put together again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession

import chunks as log_chunks
import cut
import labels
import parts as log_parts
import pipe
import show as log_show
import tables
import verdicts
from survey import Whole, survey


class Inconsistent(Exception):
    """What was checked isn't what was given: no verdict is told."""


@dataclass
class Outcome:
    """What the parts of a log show, and what `said` of them is no finding."""

    chunks: DataFrame
    whole: Whole
    plan: cut.Plan
    task: log_parts.Task
    answers: DataFrame
    said: list[dict[str, Any]]


def check(
    spark: SparkSession, log: str, parts: int, replay: str, output: str, form: str
) -> int:
    """Checks a log in parts, writes findings and verdicts; returns the exit status."""
    tables.clear(spark, output, form)
    rules = pipe.rules(replay)
    outcome = _understood(spark, log, parts, replay)
    whole = outcome.whole
    merged = verdicts.tallies(rules)
    is_understood = not whole.unread and whole.events > 0
    for said in sorted(outcome.said, key=lambda said: said["part"]):
        for rule, level, count in said["counts"]:
            if rule:
                merged[rule].add_findings(level, count)
        is_understood = is_understood and not said["unknown"] and not said["refused"]
        # What every part has was tested in every part, and counts once.
        times = 1 - parts if said["part"] == parts else 1
        for verdict in said["verdicts"]:
            merged[verdict["rule"]].tested += times * verdict["tested"]
            merged[verdict["rule"]].add_reasons(verdict.get("because", []))
    for rule, tested in whole.tested.items():
        merged[rule].tested += tested
    tables.write_findings(outcome.answers, output, form)
    tables.write_verdicts(outcome.answers, merged.values(), output, form)
    return verdicts.status(merged.values(), is_understood)


def show(
    spark: SparkSession, log: str, parts: int, replay: str, output: str, projection: str
) -> int:
    """Folds a log in parts, writes the projection's rows; returns the exit status."""
    outcome = _understood(spark, log, parts, replay)
    chunks, whole = outcome.chunks, outcome.whole
    pieces = cut.cut(chunks, outcome.plan)
    answers = log_show.rows(pieces, outcome.task, projection).persist(StorageLevel.DISK_ONLY)
    said = [json.loads(row["body"]) for row in answers.where("kind = 'said'").collect()]
    _expect_all(said, whole, parts - 1)
    tables.write_lines(answers, output, projection)
    is_understood = not whole.unread and whole.events > 0
    return 0 if is_understood else 2


def _understood(spark: SparkSession, log: str, parts: int, replay: str) -> Outcome:
    """Checks the parts, once more where `replay` finds that it doesn't understand a line: only
    `replay` knows, and such a line belongs to every part."""
    files = log_chunks.find(spark, log)
    places: dict[log_chunks.Place, list[int]] = {}
    while True:
        chunks = log_chunks.read(spark, log, files, places)
        whole = survey(chunks, files)
        plan = _plan(chunks, whole, files, log, parts)
        task = _task(whole, log, parts, replay)
        answers = log_parts.check(cut.cut(chunks, plan), task).persist(StorageLevel.DISK_ONLY)
        rows = answers.where("kind = 'said'").collect()
        said = [json.loads(row["body"]) for row in rows]
        found = {line for item in said for line in item["unknown"]} - whole.unread
        if not found:
            _expect_all(said, whole, parts)
            return Outcome(chunks, whole, plan, task, answers, said)
        for line in found:
            place, index = whole.place(line)
            places.setdefault(place, []).append(index)
        answers.unpersist()
        chunks.unpersist()


def _plan(
    chunks: DataFrame, whole: Whole, files: list[log_chunks.File], log: str, parts: int
) -> cut.Plan:
    # Spark leaves out a byte order mark, and adds a newline that the last line lacks. Lengths don't
    # tell of it where the log is packed.
    left_out = 0 if log.endswith(".gz") else sum(file.length for file in files) - whole.bytes
    return cut.Plan(
        labels=labels.label(chunks, whole.joining, parts),
        before=whole.before,
        lines=whole.lines,
        shared=whole.shared,
        windows=list(whole.windows.values()),
        has_mark=left_out in (2, 3),
        is_torn=left_out in (-1, 2),
    )


def _task(whole: Whole, log: str, parts: int, replay: str) -> log_parts.Task:
    return log_parts.Task(
        replay=replay,
        parts=parts,
        rules=list(whole.windows),
        options=[] if whole.latest is None else [f"--as-of={_time(whole.latest)}"],
        first_event=whole.first_event,
        path=log,
    )


def _expect_all(said: list[dict[str, Any]], whole: Whole, parts: int) -> None:
    """Raises `Inconsistent` unless every line was given to `replay` as often as it should: the
    shared ones `parts` times more than the others."""
    given = sum(item["lines"] for item in said if item["part"] <= parts)
    expected = whole.lines + len(whole.shared) * parts
    if given != expected:
        raise Inconsistent(f"{given} lines were checked in parts: expected {expected}")


def _time(milliseconds: int) -> str:
    time = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=milliseconds)
    return f"{time:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}Z"
