"""Many logs: each is checked whole, and what they show is put together."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import files
import findings
import pipe
import tables
import verdicts

# One run of `replay` has so many logs at most, and so many bytes unless one log has more.
MOST_LOGS = 200
MOST_BYTES = 32 << 20
# What `replay` says of a file that is no log.
REFUSAL = re.compile(r"replay: (\./log-\d+\.jsonl) (.*)")


def read(spark: SparkSession, logs: str) -> DataFrame:
    """The files that a folder or a pattern names, with their contents. Files of a machine come
    without: they are at the same path on every machine, and needn't go through Java."""
    reader = spark.read.format("binaryFile")
    if not (any(letter in logs for letter in "*?[{") or logs.endswith((".jsonl", ".gz"))):
        reader = reader.option("pathGlobFilter", "*.jsonl{,.gz}")
    found = reader.load(logs)
    is_local = all(map(files.is_local, found.inputFiles()))
    content = F.lit(None).cast("binary").alias("content") if is_local else F.col("content")
    return found.select("path", content)


class Batch:
    """Logs in files of a folder that one run of `replay` checks."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.logs: list[str] = []
        # What is wrong with logs that can't be read.
        self.refused: dict[str, str] = {}
        self.size = 0

    @property
    def is_full(self) -> bool:
        return len(self.logs) >= MOST_LOGS or self.size >= MOST_BYTES

    def add(self, path: str, content: pa.Buffer | None) -> None:
        """Adds a log; without a content, the file at the path. One that is gzip is unpacked."""
        file = self.folder / f"log-{len(self.logs)}.jsonl"
        try:
            with pa.OSFile(path) if content is None else pa.BufferReader(content) as source:
                if source.read(2) == b"\x1f\x8b":
                    source.seek(0)
                    with gzip.GzipFile(fileobj=source) as packed, file.open("wb") as out:
                        shutil.copyfileobj(packed, out)
                elif content is None:
                    file.symlink_to(path)
                else:
                    file.write_bytes(content)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            file.unlink()
            self.refused[path] = f"cannot be unpacked: {error}"
            return
        self.size += file.stat().st_size
        self.logs.append(path)

    def rows(self, replay: str) -> list[tuple[str, str]]:
        """What `replay` shows of the logs, and a row about each of them."""
        found = findings.Found()
        statuses = [0] * len(self.logs)
        if self.logs:
            # In a folder each log is one by itself: none continues the one before.
            answer = pipe.run(replay, [*pipe.CHECK, "."], folder=str(self.folder))
            for said in filter(None, map(REFUSAL.fullmatch, answer.remarks)):
                self.refused[self.logs[_index(said[1].encode())]] = said[2]
            for line in answer.lines:
                self._grade(line, statuses)
            texts = [json.dumps(path, ensure_ascii=False)[1:-1].encode() for path in self.logs]
            found.take(answer.lines, lambda path: texts[_index(path)])
        about = [
            {"log": path, "status": status}
            for path, status in zip(self.logs, statuses) if path not in self.refused
        ] + [
            {"log": path, "status": 2, "message": message}
            for path, message in self.refused.items()
        ]
        return [*found.rows(), *(("log", json.dumps(item)) for item in about)]

    @staticmethod
    def _grade(line: bytes, statuses: list[int]) -> None:
        """Notes an error of a log: 1 if a rule finds one, else 2 if a line isn't understood."""
        head, path = findings.HEAD.match(line), findings.PATH.search(line)
        if head is None or path is None or head[4] != b"error":
            return
        index = _index(path[1])
        if head[1] == b"rule":
            statuses[index] = 1
        elif statuses[index] == 0:
            statuses[index] = 2


def _index(path: bytes) -> int:
    """Which of its batch a log is, by the path that it has there."""
    return int(path.removeprefix(b"./log-").removesuffix(b".jsonl"))


def answers(batches: Iterator[pa.RecordBatch], replay: str) -> Iterator[pa.RecordBatch]:
    """Checks the logs of a task."""
    logs = (
        (path.as_py(), content.as_buffer())
        for batch in batches for path, content in zip(batch["path"], batch["content"])
    )
    log = next(logs, None)
    while log is not None:
        with tempfile.TemporaryDirectory() as folder:
            batch = Batch(folder)
            while log is not None and not batch.is_full:
                batch.add(files.plain(log[0]), log[1])
                log = next(logs, None)
            yield findings.batch(batch.rows(replay))


def check(spark: SparkSession, logs: str, replay: str, output: str, form: str) -> int:
    """Checks all logs, writes findings, verdicts and logs; returns the exit status."""
    tables.clear(spark, output, form)
    rules = pipe.rules(replay)
    found = read(spark, logs)
    answered = (
        found.mapInArrow(lambda batches: answers(batches, replay), findings.ANSWERS)
        .persist(StorageLevel.DISK_ONLY)
    )
    merged = verdicts.tallies(rules)
    is_understood = True
    about = []
    for row in answered.where("kind != 'findings'").collect():
        item = json.loads(row["body"])
        if row["kind"] == "log":
            about.append((item["log"], item["status"], item.get("message")))
            is_understood = is_understood and item["status"] != 2
            continue
        for rule, level, count in item["counts"]:
            if rule:
                merged[rule].add_findings(level, count)
            elif level == "error":
                is_understood = False
        for said in item["verdicts"]:
            merged[said["rule"]].tested += said["tested"]
            merged[said["rule"]].add_reasons(said.get("because", []))
    # Spark leaves out empty files.
    named = {files.plain(unquote(path)) for path in found.inputFiles()}
    for log in sorted(named - {log for log, _, _ in about}):
        about.append((log, 2, "is empty: expected a log, whose first line is log.opened"))
        is_understood = False
    if not about:
        raise FileNotFoundError(f"no log is named by {logs}")
    tables.write_findings(answered, output, form)
    table = spark.createDataFrame(sorted(about), tables.LOG).coalesce(1)
    tables.write(table, output, "logs", form)
    tables.write_verdicts(answered, merged.values(), output, form)
    return verdicts.status(merged.values(), is_understood)
