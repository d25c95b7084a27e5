"""The tables of the output and their columns, which have the names of `replay`'s JSON keys."""

from __future__ import annotations

from pyspark.sql import DataFrame

NOTE = "struct<line: bigint, message: string>"

# Findings have a rule; diagnostics of lines that weren't understood have a code.
FINDING = (
    "rule string, diagnostic string, level string, line bigint, byte bigint, seq bigint, "
    f"account string, key string, message string, notes array<{NOTE}>, hint string, "
    "stake map<string, bigint>"
)

VERDICT = "rule string, verdict string, tested bigint, findings bigint, because array<string>"

LOG = "log string, status int, message string"


def write(table: DataFrame, output: str, name: str, form: str) -> None:
    """Writes a table into a folder of the output, as JSON lines or Parquet."""
    table.write.mode("overwrite").format(form).save(f"{output.rstrip('/')}/{name}")
