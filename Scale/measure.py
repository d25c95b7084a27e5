"""Measures check.py --split: cost by events and by parts, beside one process.

python3 Scale/measure.py REPLAY LOG EVENTS PARTS [EVENTS PARTS…]   (for example 1000000 64)

LOG must have as many events; its first lines are checked. Prints a line a run, as figures.tsv has
them: events, parts, seconds of one process, seconds of Spark, seconds more for Spark to start, MB of
the largest `replay`, Python worker and Java machine, and whether the findings are the same.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

CHECK = Path(__file__).parent / "check.py"


def descendants(root: int) -> set[int]:
    """The processes that a process started, and those that they started."""
    parents: dict[int, int] = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(pid)] = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {root}


def watch(process: subprocess.Popen[str], peaks: dict[str, int]) -> None:
    """Notes the largest memory of each kind of process, in MB, until the process ends."""
    while process.poll() is None:
        for pid in descendants(process.pid):
            try:
                status = Path(f"/proc/{pid}/status").read_text()
            except OSError:
                continue
            name = re.search(r"Name:\s+(\S+)", status)
            size = re.search(r"VmHWM:\s+(\d+)", status)
            if name and size:
                peaks[name[1]] = max(peaks.get(name[1], 0), int(size[1]) // 1024)
        time.sleep(0.5)


def measure(replay: str, log: str, parts: str, place: str) -> list[str]:
    began = time.monotonic()
    with open(f"{place}/one", "wb") as out:
        subprocess.run(
            [replay, "check", "--format=json", "--max-findings=0", log],
            stdout=out, stderr=subprocess.DEVNULL,
        )
    alone = time.monotonic() - began
    process = subprocess.Popen(
        [sys.executable, str(CHECK), f"--logs={log}", "--split", f"--parts={parts}",
         f"--replay={replay}", f"--output={place}/checked"],
        stderr=subprocess.PIPE, text=True,
    )
    peaks: dict[str, int] = {}
    watcher = threading.Thread(target=watch, args=(process, peaks))
    watcher.start()
    assert process.stderr
    said = process.stderr.read()
    watcher.join()
    times = re.search(r"after ([\d.]+) s \(([\d.]+) s more", said)
    if times is None:
        sys.exit(said[-2000:])
    sort = f"LC_ALL=C sort -S 500M -T {place}"
    is_same = subprocess.run(
        ["bash", "-c", f"cmp <({sort} {place}/one) <(cat {place}/checked/findings/part-* | {sort})"]
    ).returncode == 0
    workers = max((size for name, size in peaks.items() if name.startswith("python")), default=0)
    sizes = (peaks.get(os.path.basename(replay)[:15], 0), workers, peaks.get("java", 0))
    return [f"{alone:.1f}", times[1], times[2], *map(str, sizes), "same" if is_same else "DIFFERENT"]


def main() -> None:
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    replay, log, *rest = sys.argv[1:]
    for events, parts in zip(rest[::2], rest[1::2]):
        with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(log))) as place:
            short = f"{place}/log.jsonl"
            with open(short, "wb") as out:
                subprocess.run(["head", "-n", events, log], stdout=out, check=True)
            counted = subprocess.run(["wc", "-l", short], stdout=subprocess.PIPE, check=True)
            lines = int(counted.stdout.split()[0])
            if lines != int(events):
                sys.exit(f"{log} has {lines} lines: expected at least {events}")
            row = measure(os.path.abspath(replay), short, parts, place)
        print(events, parts, *row, sep="\t", flush=True)


if __name__ == "__main__":
    main()
