"""The tables of the output. Their columns have the names of `replay`'s JSON keys."""

from __future__ import annotations

from collections.abc import Iterable

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from verdicts import Tally

NOTE = "struct<line: bigint, message: string>"

# Findings have a rule; diagnostics of lines that weren't understood have a code.
FINDING = (
    "rule string, diagnostic string, level string, path string, line bigint, byte bigint, "
    f"seq bigint, account string, key string, message string, notes array<{NOTE}>, hint string, "
    "stake map<string, bigint>"
)
VERDICT = "rule string, verdict string, tested bigint, findings bigint, because array<string>"
LOG = "log string, status int, message string"


def write(table: DataFrame, output: str, name: str, form: str) -> None:
    """Writes a table into a folder of the output, as JSON lines or Parquet."""
    table.write.mode("overwrite").format(form).save(f"{output.rstrip('/')}/{name}")


def clear(spark: SparkSession, output: str, form: str) -> None:
    """Takes back the verdicts of a run before, so that a run that fails leaves none."""
    write(spark.createDataFrame([], VERDICT), output, "verdicts", form)


def write_findings(answers: DataFrame, output: str, form: str) -> None:
    """Writes findings: in JSON byte for byte as `replay` printed them."""
    bodies = answers.where("kind = 'findings'")
    if form == "json":
        write_lines(answers, output, "findings")
        return
    lines = bodies.select(F.explode(F.split("body", "\n")).alias("line"))
    columns = lines.select(F.from_json("line", FINDING).alias("found")).select("found.*")
    write(columns, output, "findings", form)


def write_lines(answers: DataFrame, output: str, name: str) -> None:
    """Writes findings, or rows of a projection, as `replay` printed them."""
    texts = answers.where("kind = 'findings'").select(F.col("body").alias("value"))
    write(texts, output, name, "text")


def write_verdicts(answers: DataFrame, tallies: Iterable[Tally], output: str, form: str) -> None:
    rows = [tally.row() for tally in tallies]
    table = answers.sparkSession.createDataFrame(rows, VERDICT).coalesce(1)
    write(table, output, "verdicts", form)
