"""Many logs: each is checked whole, and what they show is put together."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from typing import Any

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

import pipe
import tables
import verdicts

PIECE = 1 << 20
ANSWERS = "log string, kind string, status int, body string"


def pieces(content: bytes) -> Iterator[bytes]:
    """The log's bytes piece by piece, unpacked if they are a gzip file."""
    stream: Any = io.BytesIO(content)
    if content[:2] == b"\x1f\x8b":
        stream = gzip.GzipFile(fileobj=stream)
    while piece := stream.read(PIECE):
        yield piece


def read(spark: SparkSession, logs: str) -> DataFrame:
    """The files that a folder or a pattern names, with their contents."""
    reader = spark.read.format("binaryFile")
    if any(letter in logs for letter in "*?[{") or logs.endswith((".jsonl", ".gz")):
        return reader.load(logs)
    return reader.option("pathGlobFilter", "*.jsonl{,.gz}").load(logs)


def answers(rows: Iterator[Row], replay: str) -> Iterator[tuple[str, str, int, str]]:
    """Checks each log of a task: its findings, its verdicts and one row about the log."""
    for row in rows:
        try:
            answer = pipe.check(replay, pieces(row.content))
        except (gzip.BadGzipFile, EOFError, OSError) as error:
            yield row.path, "log", pipe.NO_INPUT, f"cannot be unpacked: {error}"
            continue
        for item in answer.objects:
            kind = "verdict" if "verdict" in item else "finding"
            yield row.path, kind, answer.status, json.dumps(item)
        yield row.path, "log", answer.status, answer.remarks.splitlines()[-1]


def check(spark: SparkSession, logs: str, replay: str, output: str, form: str) -> int:
    """Checks all logs, writes findings, verdicts and logs; returns the exit status."""
    rules = pipe.rules(replay)
    found = read(spark, logs)
    count = found.count()
    if count == 0:
        raise FileNotFoundError(f"no log is named by {logs}")
    tasks = min(count, spark.sparkContext.defaultParallelism * 4)
    rows = found.select("path", "content").repartition(tasks).rdd.mapPartitions(
        lambda part: answers(part, replay)
    )
    answered = spark.createDataFrame(rows, ANSWERS).persist()
    bodies = answered.where("kind = 'finding'")
    findings = bodies.select("log", F.from_json("body", tables.FINDING).alias("b")).select(
        "log", "b.*"
    )
    tables.write(findings, output, "findings", form)
    tables.write(
        answered.where("kind = 'log'").selectExpr("log", "status", "body as message"),
        output, "logs", form,
    )
    merged = verdicts.tallies(rules)
    for row in findings.where("rule is not null").groupBy("rule", "level").count().collect():
        merged[row["rule"]].add_findings(row["level"], row["count"])
    said = answered.where("kind = 'verdict'").select(
        "log", F.from_json("body", tables.VERDICT).alias("v")
    )
    for row in said.groupBy("v.rule").agg(
        F.sum("v.tested").alias("tested"),
        F.collect_list(
            F.when(F.size("v.because") > 0, F.struct("log", F.col("v.because").alias("because")))
        ).alias("open"),
    ).collect():
        merged[row["rule"]].tested = row["tested"]
        for item in sorted(row["open"]):
            merged[row["rule"]].add_reasons(f"{item['log']}: {text}" for text in item["because"])
    table = spark.createDataFrame([tally.row() for tally in merged.values()], tables.VERDICT)
    tables.write(table.coalesce(1), output, "verdicts", form)
    is_understood = answered.where("kind = 'log' and status not in (0, 1)").isEmpty()
    is_whole = findings.where("diagnostic is not null and level = 'error'").isEmpty()
    return verdicts.status(merged.values(), is_understood and is_whole)
