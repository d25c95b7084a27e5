"""A log that `log-driver` writes, and that is checked after the writer was stopped."""
import os
import shutil
import subprocess


class Log:
    """A log that is written, interrupted and checked."""

    def __init__(self, driver, folder, segments, chained=True):
        self.driver, self.segments, self.chained = driver, segments, chained
        self.path = os.path.join(folder, "log" if segments else "log.jsonl")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        self.acknowledged, self.next = [], 0

    def command(self, events, batch, *more):
        """The command that appends new events, each with a text of its own."""
        options = [f"--from={self.next}", f"--events={events}", f"--batch={batch}", *more]
        if self.segments:
            options.append(f"--segments={self.segments}")
        if not self.chained:
            options.append("--unchained")
        return [self.driver, "write", self.path, *options]

    def write(self, events, batch, *more):
        """Appends events without an interruption."""
        ran = subprocess.run(
            self.command(events, batch, *more), stdout=subprocess.PIPE, check=True)
        self.take(ran.stdout, events)

    def take(self, output, events, may_fail=False):
        """Records the acknowledged texts; returns whether the writer finished."""
        lines = output.decode().split("\n")
        self.acknowledged += [line for line in lines[:-1] if line.startswith("text ")]
        self.next += events
        bad = [line for line in lines if line.startswith(("error", "damaged"))]
        if bad and not may_fail:
            raise SystemExit(f"{self.path}: {bad}")
        return "done" in lines

    def last_file(self):
        """The file that is being written."""
        if not os.path.isdir(self.path):
            return self.path
        names = sorted(name for name in os.listdir(self.path) if name.endswith(".jsonl"))
        return os.path.join(self.path, names[-1])

    def tear(self):
        """Leaves half a line, so that the next writer must recover."""
        with open(self.last_file(), "ab") as file:
            file.write(b'{"seq":')

    def lost(self):
        """Acknowledged texts that are missing, and lines that shouldn't exist."""
        # Opening the log again recovers it.
        ran = subprocess.run(self.command(0, 1), capture_output=True, check=False)
        lines = ran.stdout.decode().split("\n")
        if "open" not in lines:
            return [f"it can't be opened: {ran.stdout}{ran.stderr}"]
        ran = subprocess.run([self.driver, "read", self.path], capture_output=True, check=False)
        found = ran.stdout.decode().split("\n")[:-1]
        bad = [line for line in found if not line.startswith("text ")]
        seen = set(found)
        numbers = [int(line.split()[1]) for line in found if line.startswith("text ")]
        if numbers != sorted(set(numbers)):
            bad.append("an order that nobody wrote")
        return bad + [text for text in self.acknowledged if text not in seen]
