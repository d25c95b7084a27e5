"""Runs `replay` with a log in a pipe, or with logs in files."""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

# What `replay` ends with after it has answered: 0 in order, 1 violated, 2 undetermined or not
# understood.
ANSWERED = (0, 1, 2)
CHECK = ("check", "--format=json", "--verbose", "--max-findings=0", "--threads=1")


@dataclass(frozen=True)
class Answer:
    """The lines that one run of `replay` printed, and its remarks beside them."""

    lines: list[bytes]
    remarks: list[str]


class ReplayFailed(Exception):
    """`replay` didn't run to its end, so the task must be tried again."""


def run(
    replay: str,
    arguments: Sequence[str],
    log: Iterable[bytes | memoryview] = (),
    folder: str | None = None,
) -> Answer:
    """Runs `replay` in a folder, with a log that is written to its input piece by piece.

    Raises `ReplayFailed` where there is no `replay` or it ends without an answer.
    """
    try:
        process = subprocess.Popen(
            [replay, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
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
            # It ended early; the status says why. What is still to be written can't be.
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
        except BaseException:
            process.kill()
            raise
        finally:
            for reader in readers:
                reader.join()
        status = process.wait()
    remarks = printed["err"].decode(errors="replace").splitlines()
    if status not in ANSWERED:
        raise ReplayFailed(f"{replay} ended with status {status}: {' '.join(remarks[-1:])}")
    return Answer(printed["out"].splitlines(), remarks)


def rules(replay: str) -> list[dict[str, Any]]:
    """The rules that `replay` knows, with their levels and scopes."""
    return [json.loads(line) for line in run(replay, ["rules", "--format=json"]).lines]
