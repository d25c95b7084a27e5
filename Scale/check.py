"""Checks purchase event logs with `replay` on Apache Spark: many logs, or one log in parts."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

from py4j.protocol import Py4JJavaError
from pyspark import SparkConf
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

sys.path.append(str(Path(__file__).parent / "cutting"))

import chunks
import logs
import pipe
import split

USAGE = 64
FAILED = 74
NO_INPUT = 66

SETTINGS = {
    "spark.app.name": "replay check",
    "spark.master": "local[*, 4]",
    "spark.driver.memory": "1g",
    # Most of what Java does here it does once: its second compiler costs more than it gains.
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    # What a task reads of a log at a time, and what is given to Python at a time.
    "spark.sql.files.maxPartitionBytes": str(chunks.BLOCK),
    "spark.sql.files.openCostInBytes": f"{64 << 10}",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "40000",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(chunks.CHUNK),
    # A row is a chunk of a log, so rows are few.
    "spark.sql.inMemoryColumnarStorage.batchSize": "1",
    "spark.sql.shuffle.partitions": "16",
}


class Parser(argparse.ArgumentParser):
    """Ends with the status that `replay` has for wrong arguments."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.format_usage()}{message}\n")


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = Parser(description=__doc__)
    parser.add_argument("--logs", required=True, help="a log, a folder of logs, or a pattern")
    parser.add_argument("--replay", required=True, help="where `replay` is on every machine")
    parser.add_argument("--output", required=True, help="the folder to write tables into")
    parser.add_argument("--format", choices=("json", "parquet"), default="json")
    parser.add_argument("--split", action="store_true", help="cut the one log into parts")
    parser.add_argument("--parts", type=int, default=16, help="how many parts (default: 16)")
    parser.add_argument("--show", help="with --split, fold this projection instead of checking")
    given = parser.parse_args(words)
    if given.parts < 1:
        parser.error(f"--parts={given.parts}: expected at least 1")
    if given.show and not (given.split and given.format == "json"):
        parser.error("--show: expected --split, and JSON lines as the format")
    # A task runs in a folder of its own. A bare name is looked for in PATH.
    if os.sep in given.replay:
        given.replay = os.path.abspath(given.replay)
    return given


def session() -> SparkSession:
    """A session with this folder's modules on every machine. What `spark-submit` says counts;
    alone it runs here, on all cores, and tries a task four times as a cluster does."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = SparkConf()
    for key, value in SETTINGS.items():
        conf.setIfMissing(key, value)
    spark = SparkSession.builder.config(conf=conf).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    for module in Path(__file__).parent.rglob("*.py"):
        spark.sparkContext.addPyFile(str(module))
    return spark


def start_workers(spark: SparkSession) -> None:
    """Starts Spark's Python workers by a job that does nothing, one row for each core."""
    rows = spark.range(spark.sparkContext.defaultParallelism)
    rows.mapInArrow(lambda batches: batches, "id bigint").collect()


def check(spark: SparkSession, given: argparse.Namespace) -> int:
    """Checks what is given; returns the exit status. Where there is no verdict, no table of verdicts
    is left either."""
    try:
        if given.show:
            return split.show(
                spark, given.logs, given.parts, given.replay, given.output, given.show
            )
        if given.split:
            return split.check(
                spark, given.logs, given.parts, given.replay, given.output, given.format
            )
        return logs.check(spark, given.logs, given.replay, given.output, given.format)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return NO_INPUT
    except (pipe.ReplayFailed, split.Inconsistent) as error:
        print(f"no verdict: {error}", file=sys.stderr)
        return FAILED
    except PySparkException as error:
        print(f"no verdict: {_reason(error)}", file=sys.stderr)
        is_missing = error.getCondition() == "PATH_NOT_FOUND"
        return NO_INPUT if is_missing else FAILED
    except Py4JJavaError as error:
        # What Java says of a file that can't be read or unpacked.
        print(f"no verdict: {_first_line(str(error.java_exception.getMessage()))}", file=sys.stderr)
        return FAILED


def _reason(error: PySparkException) -> str:
    """What a task said when it failed; else the first line of Spark's message."""
    text = str(error)
    said = re.findall(r"(?:ReplayFailed|LogChanged): (.*)", text)
    return said[-1] if said else _first_line(text)


def _first_line(message: str) -> str:
    """What Spark and Java say first; traces follow."""
    return message.partition("\n")[0]


def main() -> int:
    given = arguments()
    began = time.monotonic()
    spark = session()
    ready = time.monotonic()
    with ThreadPoolExecutor(max_workers=1) as pool:
        # They start beside the first job here. Where they can't, a job that needs them says so.
        pool.submit(start_workers, spark)
        status = check(spark, given)
    done = time.monotonic()
    spark.stop()
    print(
        f"{given.output}: status {status} after {done - ready:.1f} s "
        f"({ready - began:.1f} s more for Spark to start)",
        file=sys.stderr,
    )
    return status


if __name__ == "__main__":
    sys.exit(main())
