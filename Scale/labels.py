"""Which lines belong together: the components of lines that share names."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

import lines as log_lines
from shared import Whole, nobody


def names(whole: Whole) -> Column:
    """The names of a line, and what joins it with others where it lacks one."""
    joins: list[Column] = []
    if whole.has_unnamed_device:
        joins.append(F.when(F.col("key.device").isNull(), nobody()))
    if whole.joining_products:
        product = F.col("key.product")
        joins.append(
            F.when(product.isin(whole.joining_products), F.xxhash64(F.lit("product"), product))
        )
    own = log_lines.names(joins)
    return F.when(F.size(own) > 0, own).otherwise(F.array(nobody()))


def components(named: DataFrame) -> DataFrame:
    """The `label` of each first name (`anchor`) whose label is another name: joined over the names
    that lines share until nothing changes.

    `named` has the lines' `names`; a line is labelled by its first one.
    """
    pairs = named.select(
        F.col("names")[0].alias("anchor"), F.explode("names").alias("name")
    ).distinct()
    # A name that one anchor alone has joins nothing.
    least = pairs.groupBy("name").agg(
        F.min("anchor").alias("to"), F.max("anchor").alias("greatest")
    ).where("to != greatest").drop("greatest")
    edges = (
        pairs.join(least, "name").where("anchor != to").select(F.col("anchor").alias("from"), "to")
        .distinct().persist()
    )
    both = edges.union(edges.select(F.col("to").alias("from"), F.col("from").alias("to"))).persist()
    labels = both.select(F.col("from").alias("anchor")).distinct().withColumn(
        "label", F.col("anchor")
    )
    while True:
        labels = labels.localCheckpoint()
        near = both.join(labels.withColumnRenamed("anchor", "to"), "to").groupBy("from").agg(
            F.min("label").alias("near")
        )
        # The label's own label, so that long chains take few rounds.
        far = labels.select(F.col("anchor").alias("label"), F.col("label").alias("far"))
        closer = (
            labels.join(near, labels["anchor"] == near["from"])
            .join(far, "label", "left")
            .select("anchor", "label", F.least("label", "near", "far").alias("least"))
            .localCheckpoint()
        )
        labels = closer.select("anchor", F.col("least").alias("label"))
        if closer.where("least != label").isEmpty():
            return labels.where("anchor != label")


def labelled(lines: DataFrame, whole: Whole, parts: int) -> DataFrame:
    """The lines with the `part` that each belongs to, or whose findings on it count."""
    named = lines.withColumn("names", names(whole)).drop("key")
    others = components(
        lines.where(~F.col("number").isin(whole.shared)).select(names(whole).alias("names"))
    )
    anchored = named.withColumn("anchor", F.col("names")[0]).drop("names")
    label = F.coalesce("label", "anchor")
    return anchored.join(others, "anchor", "left").select(
        "value", "number", F.pmod(label, F.lit(parts)).cast("int").alias("part")
    )
