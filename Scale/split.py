"""One log that is checked in parts: cut, checked, and put together again."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import labels
import lines as log_lines
import parts as log_parts
import pipe
import shared
import tables
import verdicts
import whole as whole_log


class Inconsistent(Exception):
    """What was checked isn't what was given: no verdict is told."""


def check(
    spark: SparkSession, log: str, parts: int, replay: str, output: str, form: str
) -> int:
    """Checks a log in parts, writes findings and verdicts; returns the exit status."""
    rules = pipe.rules(replay)
    lines = log_lines.read(spark, log)
    whole = shared.survey(lines)
    while True:
        labelled = labels.labelled(lines, whole, parts)
        answered = log_parts.check(labelled, whole, parts, replay).persist()
        # Only `replay` knows what it doesn't understand; such a line belongs to every part.
        unknown = _not_understood(answered) - set(whole.shared)
        if not unknown:
            break
        answered.unpersist()
        whole = replace(whole, shared=sorted({*whole.shared, *unknown}))
    _expect_all(answered, whole, parts)
    homes = labelled.where(F.col("number").isin(whole.shared)).select(
        F.col("number").alias("line"), F.col("part").alias("home")
    )
    # A finding on a line that several parts have counts in the part of the line's own names.
    kept = (
        answered.where("kind = 'finding'")
        .join(F.broadcast(homes), "line", "left")
        .where("part = coalesce(home, part)")
        .select(F.from_json("body", tables.FINDING).alias("b"), "body")
        .select("b.*")
    )
    global_findings, global_tests = [], {}
    for rule, query in ((whole_log.SEQUENCE, whole_log.sequence), (whole_log.CLOCK, whole_log.clock)):
        tested, found = query(lines, whole, replay)
        global_tests[rule] = tested
        global_findings += found
    if global_findings:
        texts = spark.createDataFrame([(json.dumps(item),) for item in global_findings], "body string")
        kept = kept.unionByName(
            texts.select(F.from_json("body", tables.FINDING).alias("b")).select("b.*")
        )
    kept = kept.persist()
    tables.write(kept, output, "findings", form)
    merged = verdicts.tallies(rules)
    for row in kept.where("rule is not null").groupBy("rule", "level").count().collect():
        merged[row["rule"]].add_findings(row["level"], row["count"])
    for row in answered.where("kind = 'verdict'").collect():
        said = json.loads(row["body"])
        tally = merged[said["rule"]]
        # What every part has was tested in every part, and counts once.
        tally.tested += said["tested"] * (1 - parts if row["part"] == parts else 1)
        if row["part"] == parts:
            tally.add_reasons(said.get("because", []))
        else:
            tally.add_reasons(_in_whole(text) for text in said.get("because", []))
    for rule, tested in global_tests.items():
        merged[rule].tested += tested
    table = spark.createDataFrame([tally.row() for tally in merged.values()], tables.VERDICT)
    tables.write(table.coalesce(1), output, "verdicts", form)
    return verdicts.status(merged.values(), not _not_understood(answered))


def _not_understood(answered: DataFrame) -> set[int]:
    rows = answered.where("kind = 'finding'").select(
        "line", F.from_json("body", tables.FINDING).alias("b")
    )
    return {row["line"] for row in rows.where("b.diagnostic is not null and b.level = 'error'").collect()}


def _expect_all(answered: DataFrame, whole: shared.Whole, parts: int) -> None:
    """Raises `Inconsistent` unless every line was given to `replay` as often as it should."""
    given = answered.where("kind = 'lines'").agg(F.sum("line")).collect()[0][0] or 0
    expected = whole.lines + len(whole.shared) * parts
    if given != expected:
        raise Inconsistent(f"{given} lines were checked in parts: expected {expected}")


def _in_whole(text: str) -> str:
    """A reason without the number of a line, which is that of a part."""
    return re.sub(r"\bline \d+", "a line", text)
