"""One verdict a rule over all logs or parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

# As many reasons as `replay` prints for a rule.
MOST_REASONS = 8


@dataclass
class Tally:
    """What one rule found and how often it was tested."""

    rule: str
    tested: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    because: list[str] = field(default_factory=list)

    def add_findings(self, level: str, count: int) -> None:
        self.counts[level] = self.counts.get(level, 0) + count

    def add_reasons(self, reasons: Iterable[str]) -> None:
        for reason in reasons:
            if reason not in self.because and len(self.because) < MOST_REASONS:
                self.because.append(reason)

    @property
    def verdict(self) -> str:
        """Violated if a finding is more than a note, else undetermined if anything is open."""
        if self.counts.get("error") or self.counts.get("warning"):
            return "violated"
        if self.because:
            return "undetermined"
        return "holds" if self.tested else "vacuous"

    def row(self) -> tuple[str, str, int, int, list[str]]:
        reasons = self.because if self.verdict == "undetermined" else []
        return (self.rule, self.verdict, self.tested, sum(self.counts.values()), reasons)


def tallies(rules: Iterable[dict[str, Any]]) -> dict[str, Tally]:
    """An empty tally for each rule."""
    return {rule["rule"]: Tally(rule["rule"]) for rule in rules}


def status(tallies: Iterable[Tally], is_understood: bool) -> int:
    """The exit status, as that of `replay check`."""
    found = list(tallies)
    if any(tally.counts.get("error") for tally in found):
        return 1
    is_open = any(tally.verdict == "undetermined" for tally in found)
    return 2 if is_open or not is_understood else 0
