#!/usr/bin/env python3
"""Times `replay` beside other tools on one log, alternating, and prints one table.

Usage: compare.py [--events N] [--runs N]

Makes the log with stories-log.py and builds the tool in release. What is not installed (DuckDB
from PyPI, jq) is said and left out.
"""

import argparse
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPLAY = ROOT / ".build" / "release" / "replay"
QUERY = """
import sys, time, duckdb
database = duckdb.connect()
database.execute("SET threads = 2")
start = time.perf_counter()
database.execute(f'''
    SELECT count(*) FROM (
        SELECT transaction,
            min(CASE WHEN type = 'queue.finished' THEN seq END) AS finished,
            min(CASE WHEN type = 'delivery.delivered' THEN seq END) AS delivered
        FROM read_json('{sys.argv[1]}', format = 'newline_delimited', columns = {{
            'seq': 'BIGINT', 'type': 'VARCHAR', 'transaction': 'VARCHAR'}})
        WHERE type IN ('queue.finished', 'delivery.delivered')
        GROUP BY transaction)
    WHERE finished IS NOT NULL AND (delivered IS NULL OR delivered > finished)''').fetchall()
print(time.perf_counter() - start)
"""


def whole_process(*command):
    """Seconds from start to exit, and the greatest memory in MB so far of any child."""

    def run():
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return time.perf_counter() - start

    return run


def query(log):
    def run():
        done = subprocess.run(
            [sys.executable, "-c", QUERY, log], stdout=subprocess.PIPE, text=True, check=True)
        return float(done.stdout)

    return run


def peak_memory(command):
    """The greatest resident memory of a command in MB, measured by a process of its own."""
    script = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    done = subprocess.run(
        [sys.executable, "-c", script, *command], stdout=subprocess.PIPE, text=True)
    unit = 1 if sys.platform != "darwin" else 1024
    return int(done.stdout) / 1024 / unit


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--events", type=int, default=2_000_000)
    options.add_argument("--runs", type=int, default=5)
    options = options.parse_args()
    subprocess.run(["swift", "build", "-c", "release", "--product", "replay"], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as folder:
        log = str(pathlib.Path(folder) / "stories.jsonl")
        with open(log, "w") as file:
            script = ROOT / "Benchmarks" / "stories-log.py"
            subprocess.run([sys.executable, script, str(options.events)], stdout=file, check=True)
        size = pathlib.Path(log).stat().st_size
        print(f"{options.events:,} events, {size / 1e6:.0f} MB, {options.runs} runs, medians\n")
        compare(log, options.runs)


def compare(log, runs):
    replay = str(REPLAY)
    commands = {
        "replay check, all threads": [replay, "check", log],
        "replay check, one thread": [replay, "check", "--threads=1", log],
        "replay show all": [replay, "show", "all", log, "--format=json"],
        "replay stats": [replay, "stats", log],
        "wc -l": ["wc", "-l", log],
    }
    if shutil.which("jq"):
        commands["jq, one field"] = ["jq", "-r", ".type", log]
    else:
        print("jq is not installed: left out")
    timed = {name: whole_process(*command) for name, command in commands.items()}
    base = "DuckDB, one rule as SQL, within its process"
    try:
        subprocess.run([sys.executable, "-c", "import duckdb"], check=True, stderr=subprocess.DEVNULL)
        timed[base] = query(log)
    except subprocess.CalledProcessError:
        print("DuckDB is not installed (pip install duckdb): left out")
    seconds = {name: [] for name in timed}
    for run in range(runs + 1):
        for name, once in timed.items():
            if name.startswith("jq") and run > 1:
                continue
            taken = once()
            if run > 0:
                seconds[name].append(taken)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    print("| what | seconds | beside DuckDB | MB |\n|---|---|---|---|")
    for name, median in medians.items():
        ratio = f"{median / medians[base]:.2f}" if base in medians else ""
        memory = f"{peak_memory(commands[name]):.0f}" if name in commands else ""
        print(f"| {name} | {median:.2f} | {ratio} | {memory} |")


main()
