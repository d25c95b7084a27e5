#!/usr/bin/env python3
"""Appending durably, beside SQLite's insert in WAL mode with synchronous=FULL on the same disk.

    swift build -c release --product log-driver
    python3 Benchmarks/append.py [--rounds=5] [--events=1000] [--folder=FOLDER]
"""
import argparse
import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import time

LINE = ('{"seq":%d,"at":"2026-02-20T09:00:00.000Z","type":"queue.purchased","account":'
        '"6f1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"%d","product":'
        '"com.example.coins.100","purchasedAt":"2026-02-20T09:00:00.000Z"}')


def sqlite(path, count):
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE events (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, line TEXT)")
    start = time.perf_counter()
    for number in range(count):
        database.execute("INSERT INTO events VALUES (?, ?, ?)",
                         (number, f"purchase-{number}", LINE % (number, 4700019000000000 + number)))
    seconds = time.perf_counter() - start
    database.close()
    return count / seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--events", type=int, default=1_000)
    parser.add_argument("--folder", default="append-logs")
    parser.add_argument("--driver", default=".build/release/log-driver")
    given = parser.parse_args()
    found = {}
    for _ in range(given.rounds):
        shutil.rmtree(given.folder, ignore_errors=True)
        os.makedirs(given.folder)
        found.setdefault("SQLite, one at a time", []).append(
            sqlite(os.path.join(given.folder, "events.db"), given.events))
        for kind in ([], ["--unchained"]):
            path = os.path.join(given.folder, "log" + "".join(kind))
            ran = subprocess.run(
                [given.driver, "measure", path, f"--events={given.events}", *kind],
                capture_output=True, check=True, text=True)
            for name, rate in re.findall(r"^(.*): (\d+) events/s$", ran.stdout, re.M):
                name += ", unchained" if kind else ""
                found.setdefault(name, []).append(float(rate))
    shutil.rmtree(given.folder, ignore_errors=True)
    medians = {name: statistics.median(rates) for name, rates in found.items()}
    base = medians["SQLite, one at a time"]
    print(f"| what | events a second | of SQLite |\n|---|---|---|")
    for name, rate in medians.items():
        print(f"| {name} | {rate:,.0f} | {rate / base:.2f} |")
    for kind in ("", ", unchained"):
        ratio = medians["eight tasks" + kind] / medians["one at a time" + kind]
        print(f"\neight tasks{kind}: {ratio:.1f} times one task")


main()
