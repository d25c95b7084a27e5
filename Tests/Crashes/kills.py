#!/usr/bin/env python3
"""Kills a writer of a log at every possible point, and looks for lost acknowledged events.

    swift build -c release --product log-driver
    python3 Tests/Crashes/kills.py [--random=1000] [--every=1] [--folder=FOLDER] [--driver=FILE]

The writer is killed at each byte of an append (by a limit on the file size), before each system
call of creating, appending, rotating, recovering a torn tail and continuing after a failed sync (by
strace, if installed), and at random times. The control, a writer that acknowledges before it
appends, must lose events. --every=N tries only each Nth byte and call.
"""
import argparse
import collections
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from driven import Log

# The kinds of log: the size of the segments, or 0 for a single file, and whether the log is
# chained.
KINDS = [(0, True), (0, False), (700, True), (700, False)]
# What the writer finds at its start.
STARTS = ["nothing", "a log", "a torn log", "a failing sync"]


def begin(given, kind, start):
    log = Log(given.driver, given.folder, *kind)
    if start != "nothing":
        log.write(4, 2)
    if start == "a torn log":
        log.tear()
    return log


def kill_at_byte(log, size):
    """Kills the writer when a file of its log reaches a size; returns whether it was killed."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ran = subprocess.run(log.command(3, 3), capture_output=True, check=False, preexec_fn=limit)
    return not log.take(ran.stdout, 3, may_fail=True)


def kill_at_bytes(given):
    kills, lost = 0, []
    for kind in KINDS:
        whole = begin(given, kind, "a log")
        start = os.path.getsize(whole.last_file())
        whole.write(3, 3)
        # In a segmented log, the batch goes to a new segment, which starts at 0.
        end = os.path.getsize(whole.last_file())
        for size in range(64 if kind[0] else start, end, given.every):
            log = begin(given, kind, "a log")
            kills += kill_at_byte(log, size)
            lost += log.lost()
    return kills, lost


def strace(log, start, call, number):
    """A command that runs a writer and kills it before a call, or only records its calls."""
    command = ["strace", "-f", "-qq"]
    if call is None:
        command += ["-o", os.path.join(os.path.dirname(log.path), "calls")]
    else:
        command += ["-o", "/dev/null", "-e", f"inject={call}:signal=KILL:when={number}"]
        command += ["-e", f"trace={call}" + ("" if call == "fdatasync" else ",fdatasync")]
    if start == "a failing sync" and call != "fdatasync":
        command += ["-e", "inject=fdatasync:error=EIO:when=3"]
    return command + log.command(6, 2, "--recover")


def calls_of(log, start):
    """The system calls from the first one that names the log, each with its number by kind."""
    subprocess.run(strace(log, start, None, 0), capture_output=True, check=False)
    seen, calls, is_ours = collections.Counter(), [], False
    with open(os.path.join(os.path.dirname(log.path), "calls"), errors="replace") as file:
        for line in file:
            found = re.match(r"\d+ +(\w+)\(", line)
            if not found or found[1] in ("execve", "exit_group"):
                continue
            seen[found[1]] += 1
            is_ours = is_ours or log.path in line
            if is_ours:
                calls.append((found[1], seen[found[1]]))
    return calls


def kill_at_calls(given):
    kills, lost, kinds = 0, [], collections.Counter()
    for kind in KINDS:
        for start in STARTS:
            calls = calls_of(begin(given, kind, start), start)
            for call, number in calls[::given.every]:
                log = begin(given, kind, start)
                ran = subprocess.run(
                    strace(log, start, call, number), capture_output=True, check=False)
                if log.take(ran.stdout, 6):
                    continue
                kills += 1
                kinds[call] += 1
                lost += log.lost()
    print("  before", ", ".join(f"{call} {count}" for call, count in kinds.most_common()))
    return kills, lost


def kill_at_random(log, generator, more=()):
    events, batch = 40_000, generator.choice([1, 1, 3, 20])
    process = subprocess.Popen(log.command(events, batch, *more), stdout=subprocess.PIPE)
    time.sleep(generator.uniform(0.002, 0.03))
    process.send_signal(signal.SIGKILL)
    output = process.communicate()[0]
    log.take(output, events)


def kills_at_random(given, generator):
    kills, lost, log = 0, [], None
    for number in range(given.random):
        if number % 20 == 0:
            log = Log(given.driver, given.folder, 0 if number % 40 == 0 else 100_000)
        kill_at_random(log, generator)
        kills += 1
        lost += log.lost()
    return kills, lost


def control(given, generator):
    """A writer that acknowledges before the append must lose events."""
    kills, lost = 60, []
    for _ in range(kills):
        log = Log(given.driver, given.folder, 0)
        kill_at_random(log, generator, ["--early"])
        lost += log.lost()
    return kills, lost


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--random", type=int, default=1_000)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", choices=["bytes", "calls", "random"])
    logs = os.path.join(tempfile.gettempdir(), f"crash-logs-{os.getpid()}")
    parser.add_argument("--folder", default=logs)
    parser.add_argument("--driver", default=".build/release/log-driver")
    given = parser.parse_args()
    generator = random.Random(7)
    bad = 0

    def report(name, found):
        nonlocal bad
        kills, lost = found
        bad += len(lost)
        print(f"{name}: {kills} kills, {len(lost)} lost {lost[:3] if lost else ''}", flush=True)

    if given.only in (None, "bytes"):
        report("at each byte", kill_at_bytes(given))
    if given.only in (None, "calls"):
        if shutil.which("strace"):
            report("at each system call", kill_at_calls(given))
        else:
            print("at each system call: skipped, strace isn't installed")
    if given.only in (None, "random"):
        report("at random", kills_at_random(given, generator))
    kills, lost = control(given, generator)
    print(f"control, acknowledged too early: {kills} kills, {len(lost)} lost")
    shutil.rmtree(given.folder, ignore_errors=True)
    sys.exit(1 if bad or not lost else 0)


main()
