#!/usr/bin/env python3
"""`replay check --follow` reads a log while its writer is killed and started again.

    swift build -c release --product log-driver
    swift build -c release --product replay
    python3 Tests/Crashes/follow.py [--events=10000] [--kills=20] [--seed=N] [--driver=FILE]
        [--replay=FILE] [--folder=FOLDER]

A process appends a generated log with faults at a random pace, to segments and to a file. It is
killed with signal 9 at random times, sometimes half a line is left behind, and the next writer
recovers the log. In the end the follower gets SIGINT: what it printed, line by line, and its status
must be those of `replay check` on the whole log, and no finding may come later than a second. The
control, a log without its last tenth, must have other findings.
"""
import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from driven import Log


def lines(path):
    with open(path, "rb") as file:
        return sorted(file.read().split(b"\n"))


def check(given, path, *options):
    ran = subprocess.run(
        [given.replay, "check", "--format=json", "--max-findings=0", *options, path],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return ran.returncode, sorted(ran.stdout.split(b"\n"))


def faults(given):
    """All faults of `replay generate` but two that no log of EventLog has: it counts `seq` itself,
    and refuses an id that another event has."""
    ran = subprocess.run(
        [given.replay, "help", "generate"], stdout=subprocess.PIPE, text=True, check=True)
    listed = ran.stdout.split("the rule that finds each:\n")[1].split("\n\n")[0]
    names = {line.split()[0] for line in listed.splitlines()}
    return ",".join(sorted(names - {"skips-number", "reuses-identifier"}))


def writer(given, log, *options):
    segments = [f"--segments={log.segments}"] if log.segments else []
    return subprocess.Popen(
        [given.driver, "copy", log.path, f"--source={given.source}", "--process", *segments,
         *options], stdout=subprocess.PIPE)


def copy(given, log, dice):
    """Writes the log by several processes; returns how many were killed and when it was whole."""
    kills = 0
    while True:
        process = writer(given, log, *(["--pause=1"] if kills >= given.kills else []))
        if kills < given.kills:
            time.sleep(dice.uniform(0.02, 2 * given.events / 2_000 / given.kills))
            process.kill()
        said = process.communicate()[0].decode()
        if "error" in said or "damaged" in said:
            raise SystemExit(f"the writer failed: {said}")
        if "done" in said:
            return kills, time.time()
        kills += 1
        if dice.random() < 0.3 and os.path.exists(log.path):
            log.tear()
            time.sleep(dice.uniform(0, 0.3))


def run(given, segments, dice):
    log = Log(given.driver, given.folder, segments)
    output, errors = [os.path.join(given.folder, name) for name in ("output", "errors")]
    given.source = os.path.join(given.folder, "source.jsonl")
    with open(given.source, "wb") as file:
        subprocess.run(
            [given.replay, "generate", f"--events={given.events}", f"--seed={given.seed}",
             f"--faults={faults(given)}"], stdout=file, stderr=subprocess.DEVNULL, check=True)
    options = [f"--segments={segments}"] if segments else []
    subprocess.run([given.driver, "write", log.path, "--events=0", *options], check=True,
                   stdout=subprocess.DEVNULL)
    with open(output, "wb") as file, open(errors, "wb") as other:
        follower = subprocess.Popen(
            [given.replay, "check", "--follow", "--format=json", log.path], stdout=file,
            stderr=other)
    kills, end = copy(given, log, dice)
    time.sleep(1.5)
    late, early = os.stat(output).st_mtime - end, lines(output)
    alive = follower.poll() is None
    follower.send_signal(signal.SIGINT)
    status, found = follower.wait(), lines(output)
    expected_status, expected = check(given, log.path)
    parts = len(os.listdir(log.path)) if segments else 1
    good = alive and found == expected and status == expected_status and late < 1
    print(f"{'segments' if segments else 'a file'}: {given.events} events, {kills} kills, "
          f"{parts} files, {len(found) - 1} findings, {len(early) - 1} before the end, the last "
          f"{max(0, late):.2f} s after its line: {'equal' if good else 'NOT equal'}", flush=True)
    if not good:
        print(status, expected_status, alive, len(expected) - 1, len(set(found) ^ set(expected)))
        with open(errors, encoding="utf-8") as file:
            print(file.read())
    return good, found, log


def control(given, found, path):
    with open(path, "rb") as file:
        kept = file.readlines()
    with open(path, "wb") as file:
        file.writelines(kept[:len(kept) * 9 // 10])
    other = check(given, path)[1] != found
    print(f"control, a log without its last tenth: {'found' if other else 'NOT found'}")
    return other


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    logs = os.path.join(tempfile.gettempdir(), f"crash-logs-{os.getpid()}")
    parser.add_argument("--folder", default=logs)
    parser.add_argument("--driver", default=".build/release/log-driver")
    parser.add_argument("--replay", default=".build/release/replay")
    given = parser.parse_args()
    dice = random.Random(given.seed)
    segments, _, _ = run(given, 100_000, dice)
    whole, found, log = run(given, 0, dice)
    other = control(given, found, log.path)
    shutil.rmtree(given.folder, ignore_errors=True)
    sys.exit(0 if segments and whole and other else 1)


main()
