"""What belongs to every part of a log, and what joins the lines that name nobody."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

# Events of a device: where they name none, they are of the one device that has no name.
OF_DEVICES = (
    "app.launched", "payment.restricted", "payment.allowed", "queue.observed",
    "queue.unobserved", "restore.requested", "restore.selected", "restore.completed",
    "restore.failed",
)


def nobody() -> Column:
    """The name that joins lines which lack one."""
    return F.xxhash64(F.lit("nobody"))


@dataclass(frozen=True)
class Whole:
    """What must be known of a whole log before it is cut."""

    lines: int
    greatest_at: str | None
    # The lines that are in every part.
    shared: list[int]
    # Whether lines that name no device are of one.
    has_unnamed_device: bool
    # Products that are consumed, and that a line names without an account.
    joining_products: list[str]
    # Whether each line's `seq` is its number, as in a log without a gap.
    is_counted: bool
    # Whether a clock of the unnamed device may go back: some line lacks a device.
    lacks_devices: bool


def survey(lines: DataFrame) -> Whole:
    """Reads the whole log once."""
    key = F.col("key")
    type_ = key["type"]
    is_catalogue = type_.startswith("catalog.")
    number = F.col("number")
    found = lines.agg(
        F.count("*").alias("lines"),
        F.max(F.date_format(F.to_timestamp(key["at"]), "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'")).alias("at"),
        F.max(key["device"].isNull() & type_.isin(*OF_DEVICES)).alias("unnamed"),
        F.collect_set(F.when(type_ == "delivery.consumed", key["product"])).alias("consumed"),
        F.collect_set(F.when(key["account"].isNull() & ~is_catalogue, key["product"])).alias("open"),
        F.count_if(key["seq"].isNull() | (key["seq"] != number)).alias("uncounted"),
        F.count_if(key["device"].isNull()).alias("deviceless"),
        F.min(
            F.when((type_ == "queue.finished") & key["payment"].isNotNull(), number)
        ).alias("failure"),
    ).collect()[0]
    shared = {row["number"] for row in lines.where(_is_shared()).select("number").collect()}
    shared |= {row["number"] for row in _new_answers(lines).collect()}
    if found["failure"] is not None:
        shared.add(found["failure"])
    return Whole(
        lines=found["lines"],
        greatest_at=found["at"],
        shared=sorted(shared),
        has_unnamed_device=bool(found["unnamed"]),
        joining_products=sorted(set(found["consumed"]) & set(found["open"])),
        is_counted=found["uncounted"] == 0,
        lacks_devices=found["deviceless"] > 1,
    )


def _is_shared() -> Column:
    """Whether a line is in every part whatever else the log says; a line that isn't an object, or
    has no type, isn't understood by `replay` either."""
    type_ = F.col("key.type")
    return type_.isNull() | type_.startswith("log.") | (type_ == "content.published")


def _new_answers(lines: DataFrame) -> DataFrame:
    """The catalogue's answers that don't repeat the product's answer before."""
    said = F.struct(
        "key.type", "key.kind", "key.group", "key.level", "key.hosted"
    )
    answers = lines.where(F.col("key.type").isin("catalog.listed", "catalog.invalid")).select(
        "number", F.col("key.product").alias("product"), F.to_json(said).alias("said")
    )
    before = F.lag("said").over(Window.partitionBy("product").orderBy("number"))
    return answers.withColumn("before", before).where("before is null or said != before").select(
        "number"
    )
