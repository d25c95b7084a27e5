#!/usr/bin/env python3
"""Cuts the power of a file system while a log is written, and looks for lost events.

    swift build -c release --product log-driver
    python3 Tests/Crashes/powercuts.py [--cuts=1000] [--image=FILE] [--driver=FILE]

An ext4 file system in a file, mounted through a loop device, is shut down with its ioctl: data in
memory no longer reaches the device. Then it is mounted again, which replays its journal, and the
log is recovered. Output that was read from the writer before the cut counts as acknowledged. The
control, a writer that acknowledges without a sync, must lose events.

The device keeps everything it was given, so losses of a drive's own cache aren't tested here. Needs
root, loop devices and mkfs.ext4 on Linux; if one is missing, the script says so and ends with
status 0.
"""
import argparse
import contextlib
import ctypes
import fcntl
import os
import random
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import time

from driven import Log

# _IOR('X', 125, __u32) of ext4 and XFS, and what happens to the journal.
SHUTDOWN, JOURNAL_FLUSHED, JOURNAL_LOST = 0x8004_587D, 1, 2


class Disk:
    """A file system in a file whose power can be cut."""

    def __init__(self, image, folder):
        self.image, self.folder = image, folder
        with open(image, "wb") as file:
            file.truncate(16 << 20)
        self.format()

    def format(self):
        self.unmount()
        run("mkfs.ext4", "-q", "-F", self.image)
        self.mount()

    def mount(self):
        run("mount", "-t", "ext4", "-o", "loop", self.image, self.folder)

    def unmount(self):
        if os.path.ismount(self.folder):
            run("umount", self.folder)

    def write_back(self):
        """Writes cached data to the device, as the system does from time to time."""
        folder = os.open(self.folder, os.O_RDONLY)
        ctypes.CDLL(None).syncfs(folder)
        os.close(folder)

    def cut(self, flag):
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.ioctl(folder, SHUTDOWN, struct.pack("I", flag))
        finally:
            os.close(folder)


def run(*command):
    ran = subprocess.run(command, capture_output=True, check=False, text=True)
    if ran.returncode:
        raise OSError(f"{' '.join(command[:1])}: {ran.stderr.strip()}")


def cut_while_writing(disk, log, generator, more):
    """Writes for a while, then cuts; output read before the cut counts as acknowledged."""
    events, batch = 40_000, generator.choice([1, 1, 3, 20])
    process = subprocess.Popen(
        log.command(events, batch, *more), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = process.stdout.fileno()
    os.set_blocking(output, False)
    said, end = b"", time.monotonic() + generator.uniform(0.001, 0.03)
    writes_back = end - 0.003 if generator.random() < 0.25 else None
    while True:
        left = end - time.monotonic()
        if select.select([output], [], [], max(0, left))[0]:
            part = os.read(output, 1 << 20)
            said += part
            if not part:
                raise SystemExit(f"the writer ended: {said[-200:]}")
        if writes_back and time.monotonic() > writes_back:
            disk.write_back()
            writes_back = None
        if left <= 0:
            break
    disk.cut(generator.choice([JOURNAL_LOST, JOURNAL_LOST, JOURNAL_FLUSHED]))
    process.kill()
    process.wait()
    process.stdout.close()
    disk.unmount()
    disk.mount()
    # An incomplete line wasn't read.
    log.take(said[:said.rfind(b"\n") + 1], events, may_fail=True)


def try_cuts(given, disk, generator, cuts, more=()):
    """Cuts the power repeatedly; returns the number of acknowledged events and the losses."""
    lost, acknowledged, log = [], 0, None
    for number in range(cuts):
        if number % 20 == 0:
            disk.format()
            kind = (0 if number % 40 == 0 else 20_000, number % 80 < 40)
            log = Log(given.driver, os.path.join(disk.folder, "logs"), *kind)
            # Make sure that the folder exists before the first cut.
            disk.write_back()
        cut_while_writing(disk, log, generator, more)
        # Sometimes the next writer continues from what the cut left.
        if generator.random() < 0.7 or number % 20 == 19 or number == cuts - 1:
            lost += log.lost()
        if number % 20 == 19 or number == cuts - 1:
            acknowledged += len(log.acknowledged)
        if more and lost:
            log = Log(given.driver, os.path.join(disk.folder, "logs"), 0)
            disk.write_back()
    return acknowledged, lost


def missing():
    """The reason why power cuts can't be tested here, or `None`."""
    if not sys.platform.startswith("linux"):
        return "it needs Linux"
    if os.geteuid() != 0:
        return "it needs root, to mount"
    for tool in ("mkfs.ext4", "mount", "umount"):
        if not shutil.which(tool):
            return f"{tool} isn't installed"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cuts", type=int, default=1_000)
    shared = "/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir()
    parser.add_argument("--image", default=os.path.join(shared, f"power-cuts-{os.getpid()}"))
    parser.add_argument("--driver", default=".build/release/log-driver")
    given = parser.parse_args()
    why = missing()
    if why:
        print(f"power cuts: skipped, {why}")
        return 0
    generator = random.Random(11)
    folder = tempfile.mkdtemp()
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: shutil.rmtree(folder, ignore_errors=True))
        stack.callback(lambda: os.path.exists(given.image) and os.remove(given.image))
        stack.callback(lambda: os.path.ismount(folder) and run("umount", folder))
        try:
            disk = Disk(given.image, folder)
            disk.cut(JOURNAL_LOST)
        except OSError as error:
            print(f"power cuts: skipped, {error}")
            return 0
        kept, lost = try_cuts(given, disk, generator, given.cuts)
        print(f"power cuts: {given.cuts} cuts, {kept} events acknowledged, {len(lost)} lost "
              f"{lost[:3] if lost else ''}", flush=True)
        _, gone = try_cuts(given, disk, generator, 60, ["--process"])
        print(f"control, without a sync: 60 cuts, {len(gone)} lost")
    return 1 if lost or not gone else 0


sys.exit(main())
