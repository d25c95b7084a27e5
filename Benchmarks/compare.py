#!/usr/bin/env python3
"""Times `replay` and other tools on one log, alternating, and prints one table.

Usage: compare.py [--events N] [--runs N] [--log FILE] [--appends N] [--pipe]

Generates the log with `replay generate`, or uses --log. Tools that aren't installed (DuckDB from
PyPI, jq) are reported and skipped. --pipe also checks the log from a pipe and compares the output.
"""

import argparse
import os
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASE = ROOT / ".build" / "release"
REPLAY = str(RELEASE / "replay")
ONE_RULE = "DuckDB, one rule as SQL, within its process"
FIVE_RULES = "DuckDB, five rules as SQL, within its process"
WC = "wc -l"

DUCKDB = """
import sys, time, duckdb
database = duckdb.connect()
database.execute("SET threads = 2")
start = time.perf_counter()
database.execute(f'''
    SELECT {sys.argv[2]} FROM (
        SELECT transaction, {sys.argv[3]}
        FROM read_json('{sys.argv[1]}', format = 'newline_delimited', columns = {{
            'seq': 'BIGINT', 'type': 'VARCHAR', 'transaction': 'VARCHAR'}})
        WHERE type IN ({sys.argv[4]})
        GROUP BY transaction)''').fetchall()
print(time.perf_counter() - start)
"""


def first(kind, name):
    return f"min(CASE WHEN type = '{kind}' THEN seq END) AS {name}"


def last(kind, name):
    return f"max(CASE WHEN type = '{kind}' THEN seq END) AS {name}"


# finished-implies-delivered.
ONE = (
    "count(*) FILTER (finished IS NOT NULL AND (delivered IS NULL OR delivered > finished))",
    ", ".join([first("queue.finished", "finished"), first("delivery.delivered", "delivered")]),
    "'queue.finished', 'delivery.delivered'")
# And finished-implies-persisted, delivered-implies-paid, nothing-after-finish, delivered-once.
FIVE = (
    ONE[0] + ", "
    "count(*) FILTER (finished IS NOT NULL AND (persisted IS NULL OR persisted > finished)), "
    "count(*) FILTER (delivered IS NOT NULL AND (paid IS NULL OR paid > delivered)), "
    "count(*) FILTER (greatest(last_delivered, last_persisted) > finished), "
    "count(*) FILTER (deliveries > 1)",
    ", ".join([
        ONE[1], first("delivery.persisted", "persisted"), first("queue.purchased", "paid"),
        last("delivery.delivered", "last_delivered"),
        last("delivery.persisted", "last_persisted"),
        "count(*) FILTER (type = 'delivery.delivered') AS deliveries"]),
    ONE[2] + ", 'delivery.persisted', 'queue.purchased'")


def seconds_of(command):
    """Seconds from the start of a process to its exit."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def seconds_of_query(log, parts):
    done = subprocess.run(
        [sys.executable, "-c", DUCKDB, log, *parts], stdout=subprocess.PIPE, text=True, check=True)
    return float(done.stdout)


def peak_memory(command):
    """The peak resident memory of a command in MB, measured in a separate process."""
    script = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    done = subprocess.run(
        [sys.executable, "-c", script, *command], stdout=subprocess.PIPE, text=True)
    unit = 1024 if sys.platform == "darwin" else 1
    return int(done.stdout) / 1024 / unit


def tools(log):
    """The commands to time, by name."""
    commands = {}
    for name, words in {
        "replay check": ["check"],
        "replay show all": ["show", "all", "--format=json"],
        "replay stats": ["stats"],
    }.items():
        commands[f"{name}, all threads"] = [REPLAY, *words, log]
        commands[f"{name}, one thread"] = [REPLAY, *words, "--threads=1", log]
    commands[WC] = ["wc", "-l", log]
    if shutil.which("jq"):
        commands["jq, one field"] = ["jq", "-r", ".type", log]
    else:
        print("jq is not installed: left out")
    return commands


def compare(log, runs):
    commands = tools(log)
    timed = {name: lambda command=command: seconds_of(command)
             for name, command in commands.items()}
    try:
        subprocess.run([sys.executable, "-c", "import duckdb"], check=True, stderr=subprocess.DEVNULL)
        timed[ONE_RULE] = lambda: seconds_of_query(log, ONE)
        timed[FIVE_RULES] = lambda: seconds_of_query(log, FIVE)
    except subprocess.CalledProcessError:
        print("DuckDB is not installed (pip install duckdb): left out")
    seconds = {name: [] for name in timed}
    # The first run fills the caches and doesn't count; jq is slow, so it is timed once.
    for run in range(runs + 1):
        for name, once in timed.items():
            if run > 0 and not (name.startswith("jq") and run > 1):
                seconds[name].append(once())
            elif run == 0 and not name.startswith("jq"):
                once()
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    print("| what | seconds | relative to one DuckDB rule | relative to wc | MB |\n|---|---|---|---|---|")
    for name, median in medians.items():
        cells = [f"{median / medians[base]:.2f}" if base in medians else ""
                 for base in (ONE_RULE, WC)]
        memory = f"{peak_memory(commands[name]):.0f}" if name in commands else ""
        print(f"| {name} | {median:.2f} | {cells[0]} | {cells[1]} | {memory} |")


def sqlite_appends(folder, events):
    """Inserts per second in SQLite, one per transaction, each on the disk."""
    database = sqlite3.connect(os.path.join(folder, "events.db"), isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE events (seq INTEGER PRIMARY KEY, line TEXT NOT NULL)")
    line = '{"seq":1,"at":"2026-01-01T00:00:00.000Z","type":"queue.purchased",' + "x" * 240 + "}"
    start = time.perf_counter()
    for seq in range(events):
        database.execute("INSERT INTO events VALUES (?, ?)", (seq, line))
    rate = events / (time.perf_counter() - start)
    database.close()
    return rate


def appends(folder, events, runs):
    """Durable appends of the log and of SQLite, alternating on one disk."""
    rates = {}
    for _ in range(runs):
        done = subprocess.run(
            [str(RELEASE / "benchmark"), "appends", folder, str(events)],
            stdout=subprocess.PIPE, text=True, check=True)
        for row in done.stdout.splitlines()[1:]:
            name, rate = row.split("\t")
            rates.setdefault(f"EventLog, {name}", []).append(float(rate))
        rates.setdefault("SQLite, one at a time", []).append(sqlite_appends(folder, events))
        for left in pathlib.Path(folder).glob("events.db*"):
            left.unlink()
    medians = {name: statistics.median(values) for name, values in rates.items()}
    base = medians["EventLog, one at a time"]
    print("\n| durable appends | events per second | relative to one at a time |\n|---|---|---|")
    for name, median in medians.items():
        print(f"| {name} | {median:,.0f} | {median / base:.2f} |")


def compare_pipe(log):
    """Whether a log from a pipe gives the same findings as from a file."""
    def check(command):
        return subprocess.run(
            command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    start = time.perf_counter()
    piped = check(f"cat '{log}' | '{REPLAY}' check -")
    taken = time.perf_counter() - start
    same = piped.replace(b"-:", b"") == check(f"'{REPLAY}' check '{log}'").replace(
        log.encode() + b":", b"")
    print(f"\nfrom a pipe: {taken:.2f} s, {'the same findings' if same else 'OTHER FINDINGS'}")
    return same


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--events", type=int, default=2_000_000)
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--log")
    options.add_argument("--appends", type=int, default=2_000)
    options.add_argument("--pipe", action="store_true")
    options = options.parse_args()
    for product in ("replay", "benchmark"):
        subprocess.run(
            ["swift", "build", "-c", "release", "--product", product], cwd=ROOT, check=True)
    same = True
    with tempfile.TemporaryDirectory() as folder:
        log = options.log or str(pathlib.Path(folder) / "generated.jsonl")
        if not options.log:
            with open(log, "wb") as file:
                command = [REPLAY, "generate", "--seed=7", f"--events={options.events}"]
                subprocess.run(command, stdout=file, check=True)
        size = os.path.getsize(log)
        print(f"{options.events:,} events, {size / 1e6:.0f} MB, {options.runs} runs, medians\n")
        compare(log, options.runs)
        if options.pipe:
            same = compare_pipe(log)
        appends(folder, options.appends, options.runs)
    return 0 if same else 1


sys.exit(main())
