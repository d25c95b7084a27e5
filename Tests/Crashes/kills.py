#!/usr/bin/env python3
"""Kills a writer of a log wherever it can be killed, and looks for what it was told is safe.

    swift build -c release --product log-driver
    python3 Tests/Crashes/kills.py [--random=1000] [--folder=FOLDER] [--driver=FILE]

Four ways: at each byte of an append (a limit on the size of files ends the process there), at each
system call of creating, appending, rotating and recovering (by strace, where there is one), at
random, and, as the control that must lose, a writer that speaks before it appends.
"""
import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

CALLS = [
    "write", "pwrite64", "fdatasync", "fsync", "ftruncate", "openat", "rename", "fchmod", "mkdir",
    "flock", "close", "newfstatat", "fstat", "pread64", "getdents64",
]


class Log:
    """A log that is written, killed, and looked into."""

    def __init__(self, driver, folder, segments):
        self.driver, self.segments = driver, segments
        self.path = os.path.join(folder, "log" if segments else "log.jsonl")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        self.acknowledged, self.next = [], 0

    def command(self, events, batch, *more):
        options = [f"--from={self.next}", f"--events={events}", f"--batch={batch}", *more]
        if self.segments:
            options.append(f"--segments={self.segments}")
        return [self.driver, "write", self.path, *options]

    def take(self, output, events):
        """Remembers what was acknowledged; whether the writer came to its end."""
        lines = output.decode().split("\n")
        self.acknowledged += [line for line in lines[:-1] if line.startswith("text ")]
        self.next += events
        bad = [line for line in lines if line.startswith(("error", "damaged"))]
        if bad:
            raise SystemExit(f"{self.path}: {bad}")
        return "done" in lines

    def lost(self):
        """What was acknowledged and isn't there, or what is there and can't be."""
        # Opening it again recovers it.
        ran = subprocess.run(self.command(0, 1), capture_output=True, check=False)
        self.take(ran.stdout, 0)
        if "open" not in ran.stdout.decode().split("\n"):
            return [f"it can't be opened: {ran.stdout}{ran.stderr}"]
        ran = subprocess.run([self.driver, "read", self.path], capture_output=True, check=False)
        found = ran.stdout.decode().split("\n")[:-1]
        bad = [line for line in found if not line.startswith("text ")]
        seen = set(found)
        numbers = [int(line.split()[1]) for line in found if line.startswith("text ")]
        if numbers != sorted(set(numbers)):
            bad.append("an order that nobody wrote")
        return bad + [text for text in self.acknowledged if text not in seen]


def kill_at_random(log, generator, more=()):
    events, batch = 40_000, generator.choice([1, 1, 3, 20])
    process = subprocess.Popen(log.command(events, batch, *more), stdout=subprocess.PIPE)
    time.sleep(generator.uniform(0.002, 0.03))
    process.send_signal(signal.SIGKILL)
    output = process.communicate()[0]
    log.take(output, events)


def kill_at_call(log, call, number):
    """Whether the writer was killed: past its last call it isn't."""
    command = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e",
               f"inject={call}:signal=KILL:when={number}"]
    ran = subprocess.run(command + log.command(6, 2), capture_output=True, check=False)
    return not log.take(ran.stdout, 6)


def kill_at_byte(log, size):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ran = subprocess.run(log.command(3, 3), capture_output=True, check=False, preexec_fn=limit)
    return not log.take(ran.stdout, 3)


def tear(log):
    """Leaves half a line, so that the next writer recovers."""
    path = log.path
    if os.path.isdir(path):
        path = os.path.join(path, sorted(n for n in os.listdir(path) if n.endswith(".jsonl"))[-1])
    with open(path, "ab") as file:
        file.write(b'{"seq":')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--random", type=int, default=1_000)
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--folder", default="crash-logs")
    parser.add_argument("--driver", default=".build/release/log-driver")
    given = parser.parse_args()
    generator = random.Random(7)
    bad = 0

    def report(name, kills, lost):
        nonlocal bad
        bad += len(lost)
        print(f"{name}: {kills} kills, {len(lost)} lost {lost[:3] if lost else ''}", flush=True)

    kills, lost = 0, []
    for base in range(80, 1_300):
        log = Log(given.driver, given.folder, 0)
        if base > 400:
            log.take(subprocess.run(log.command(2, 1), capture_output=True).stdout, 2)
        kills += kill_at_byte(log, base)
        lost += log.lost()
    report("at each byte", kills, lost)

    if shutil.which("strace"):
        kills, lost = 0, []
        for segments in (0, 700):
            for call in CALLS:
                for number in range(1, given.calls):
                    log = Log(given.driver, given.folder, segments)
                    if number % 2 == 0:
                        log.take(subprocess.run(log.command(4, 2), capture_output=True).stdout, 4)
                        tear(log)
                    if not kill_at_call(log, call, number):
                        break
                    kills += 1
                    lost += log.lost()
        report("at each system call", kills, lost)
    else:
        print("at each system call: skipped, there is no strace")

    kills, lost, log = 0, [], None
    for number in range(given.random):
        if number % 20 == 0:
            log = Log(given.driver, given.folder, 0 if number % 40 == 0 else 100_000)
        kill_at_random(log, generator)
        kills += 1
        lost += log.lost()
    report("at random", kills, lost)

    # The control: who speaks before the append is done loses.
    lost = []
    for number in range(60):
        log = Log(given.driver, given.folder, 0)
        kill_at_random(log, generator, ["--early"])
        lost += log.lost()
    print(f"control, spoken too early: 60 kills, {len(lost)} lost")
    shutil.rmtree(given.folder, ignore_errors=True)
    sys.exit(1 if bad or not lost else 0)


main()
