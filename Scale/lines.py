"""The lines of one log, numbered as they lie in it, with what they name."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

# The keys that cutting a log needs; everything else is `replay`'s business.
KEYS = (
    "seq bigint, at string, type string, id string, source string, account string, "
    "device string, transaction string, original string, payment string, receipt string, "
    "notification string, product string, `from` string, kind string, `group` string, "
    "level bigint, hosted boolean"
)

# What lines share if they must be checked together: a kind of name, and the keys that hold one.
NAMES = {
    "account": ("account", "from"),
    "device": ("device",),
    "transaction": ("transaction", "original"),
    "payment": ("payment",),
    "receipt": ("receipt",),
    "notification": ("notification", "source"),
    "id": ("id",),
}

BYTE_ORDER_MARK = "^\ufeff"


def read(spark: SparkSession, log: str) -> DataFrame:
    """The log's lines: `value`, `number` from 1, and `key` with the keys (null where a line is no
    object)."""
    lines = spark.read.option("lineSep", "\n").text(log).select(
        "value",
        F.col("_metadata.file_path").alias("file"),
        F.col("_metadata.file_block_start").alias("start"),
        F.monotonically_increasing_id().alias("row"),
    )
    # Rows of a block are numbered in order from any number on: what is missing is where the block
    # begins and how many lines the blocks before it have.
    blocks = sorted(
        lines.groupBy("file", "start").agg(F.min("row").alias("first"), F.count("*").alias("n"))
        .collect()
    )
    offsets, before = [], 0
    for block in blocks:
        offsets.append((block["file"], block["start"], before + 1 - block["first"]))
        before += block["n"]
    table = spark.createDataFrame(offsets, "file string, start bigint, offset bigint")
    text = F.regexp_replace("value", BYTE_ORDER_MARK, "")
    return lines.join(F.broadcast(table), ["file", "start"]).select(
        "value",
        (F.col("row") + F.col("offset")).alias("number"),
        F.from_json(text, KEYS, {"mode": "PERMISSIVE"}).alias("key"),
    )


def names(more: list[Column]) -> Column:
    """The names of a line as hashes. Equal names of one kind have equal hashes; that two others
    have too is so rare, and only makes a part larger."""
    own = [
        F.when(F.col(f"key.{key}").isNotNull(), F.xxhash64(F.lit(kind), F.col(f"key.{key}")))
        for kind, keys in NAMES.items()
        for key in keys
    ]
    return F.array_compact(F.array(*own, *more))
