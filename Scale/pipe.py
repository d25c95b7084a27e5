"""Runs `replay` with a log in a pipe."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

# What `replay` ends with after it has answered: 0 in order, 1 violated, 2 undetermined.
ANSWERED = (0, 1, 2)
# The input is no log or can't be read: a result to report, not a failure to try again.
NO_INPUT = 66


@dataclass(frozen=True)
class Answer:
    """What one run of `replay` printed."""

    status: int
    objects: list[dict[str, Any]]
    remarks: str


class ReplayFailed(Exception):
    """`replay` didn't run to its end, so the task must be tried again."""


def run(replay: str, arguments: Sequence[str], log: Iterable[bytes | memoryview]) -> Answer:
    """Runs `replay` on a log that is written to it piece by piece.

    Raises `ReplayFailed` where there is no `replay` or it ends without an answer.
    """
    try:
        process = subprocess.Popen(
            [replay, *arguments, "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        raise ReplayFailed(f"cannot run {replay}: {error}") from error
    with process:
        assert process.stdin and process.stdout and process.stderr
        printed: dict[str, bytes] = {}
        readers = [
            threading.Thread(target=lambda n=name, s=stream: printed.update({n: s.read()}))
            for name, stream in (("out", process.stdout), ("err", process.stderr))
        ]
        for reader in readers:
            reader.start()
        try:
            for piece in log:
                process.stdin.write(piece)
            process.stdin.close()
        except BrokenPipeError:
            pass  # It ended early; the status says why.
        except BaseException:
            process.kill()
            raise
        finally:
            for reader in readers:
                reader.join()
        status = process.wait()
    remarks = printed["err"].decode(errors="replace").strip()
    if status not in (*ANSWERED, NO_INPUT):
        raise ReplayFailed(f"{replay} ended with status {status}: {remarks}")
    return Answer(status, [json.loads(line) for line in printed["out"].splitlines()], remarks)


def check(replay: str, log: Iterable[bytes | memoryview], *more: str) -> Answer:
    """Checks a log; prints every finding and every verdict as JSON."""
    options = ["--format=json", "--verbose", "--max-findings=0", "--threads=1"]
    return run(replay, ["check", *options, *more], log)


def rules(replay: str) -> list[dict[str, Any]]:
    """The rules that `replay` knows, with their levels and scopes."""
    try:
        printed = subprocess.run(
            [replay, "rules", "--format=json"], capture_output=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise ReplayFailed(f"cannot run {replay}: {error}") from error
    return [json.loads(line) for line in printed.splitlines()]
