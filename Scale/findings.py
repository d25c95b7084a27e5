"""The findings that `replay` printed, kept as they are but for their path and line numbers."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

# Within a text a quote has a backslash before it, so these find keys alone.
LINE = re.compile(rb'"line":(\d+)')
PATH = re.compile(rb'"path":"((?:[^"\\]|\\.)*)"')
HEAD = re.compile(rb'\{"(rule|diagnostic)":"([^"]*)","(level|verdict)":"([^"]*)"')


@dataclass
class Found:
    """What some runs of `replay check` show."""

    findings: list[bytes] = field(default_factory=list)
    # How many findings there are of each rule and level.
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    verdicts: list[dict[str, Any]] = field(default_factory=list)
    # The lines that weren't understood.
    unknown: list[int] = field(default_factory=list)

    def take(
        self,
        lines: Iterable[bytes],
        path: Callable[[bytes], bytes],
        number: Callable[[int], int] | None = None,
        is_kept: Callable[[str, int], bool] = lambda name, line: True,
    ) -> None:
        """Takes findings that are kept, by their rule or code and their line, and verdicts."""
        def numbered(match: re.Match[bytes]) -> bytes:
            assert number is not None
            return b'"line":%d' % abs(number(int(match[1])))

        for line in lines:
            head = HEAD.match(line)
            if head is None:
                raise ValueError(f"expected a finding or a verdict, seen {line[:80]!r}")
            kind, name, key, value = (part.decode() for part in head.groups())
            if key == "verdict":
                self.verdicts.append(json.loads(line))
                continue
            place = LINE.search(line)
            if number is not None and place is not None:
                seen = number(int(place[1]))
                if not is_kept(name, seen):
                    continue
                line = LINE.sub(numbered, line)
                if kind == "diagnostic" and value == "error":
                    self.unknown.append(seen)
            if kind == "rule":
                self.counts[name, value] += 1
            else:
                self.counts["", value] += 1
            self.findings.append(
                PATH.sub(lambda match: b'"path":"' + path(match[1]) + b'"', line, count=1)
            )

    def rows(self, more: dict[str, Any] | None = None) -> list[tuple[str, str]]:
        """The rows of a task's answer: what each is, and JSON. Findings are in pieces."""
        counts = [[*key, count] for key, count in sorted(self.counts.items())]
        said = {"counts": counts, "verdicts": self.verdicts, "unknown": self.unknown}
        said |= more or {}
        rows = [("said", json.dumps(said))]
        for start in range(0, len(self.findings), PIECE):
            texts = b"\n".join(self.findings[start : start + PIECE])
            rows.append(("findings", texts.decode()))
        return rows


PIECE = 10_000
ANSWERS = "kind string, body string"


def batch(rows: list[tuple[str, str]]) -> pa.RecordBatch:
    """The rows of a task's answer as Spark takes them."""
    kinds, bodies = zip(*rows)
    return pa.RecordBatch.from_arrays([pa.array(kinds), pa.array(bodies)], names=["kind", "body"])
