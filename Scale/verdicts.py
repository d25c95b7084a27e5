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
    level: str
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
        """Violated if any finding is grave enough, else undetermined if anything is open."""
        grave = ("error", "warning", "note") if self.level == "note" else ("error", "warning")
        if any(self.counts.get(level) for level in grave):
            return "violated"
        if self.because:
            return "undetermined"
        return "holds" if self.tested else "vacuous"

    def row(self) -> tuple[str, str, int, int, list[str]]:
        return (self.rule, self.verdict, self.tested, sum(self.counts.values()), self.because)


def tallies(rules: Iterable[dict[str, Any]]) -> dict[str, Tally]:
    """An empty tally for each rule."""
    return {rule["rule"]: Tally(rule["rule"], rule["level"]) for rule in rules}


def status(all_tallies: Iterable[Tally], is_understood: bool) -> int:
    """The exit status, as that of `replay check`."""
    all_tallies = list(all_tallies)
    if any(tally.counts.get("error") for tally in all_tallies):
        return 1
    is_open = any(tally.verdict == "undetermined" for tally in all_tallies)
    return 2 if is_open or not is_understood else 0
