#!/usr/bin/env python3
"""Four processes take turns appending to one log while two others follow it.

    swift build -c release --product log-driver
    python3 Tests/Crashes/turns.py [--events=40000] [--folder=FOLDER] [--driver=FILE]

Every line must be complete and the expected one, also for the followers. The control, a log with
one line removed, must be detected.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile


def run(given, segments):
    path = os.path.join(given.folder, "log" if segments else "log.jsonl")
    shutil.rmtree(given.folder, ignore_errors=True)
    os.makedirs(given.folder)
    options = [f"--segments={segments}"] if segments else []
    subprocess.run([given.driver, "write", path, "--events=0", "--unchained", *options], check=True,
                   stdout=subprocess.DEVNULL)
    each = given.events // 4
    total = each * 4 + 1
    followers = [
        subprocess.Popen([given.driver, "follow", path, f"--events={total}"],
                         stdout=subprocess.PIPE) for _ in range(2)]
    writers = [
        subprocess.Popen([given.driver, "take", path, f"--events={each}", f"--name={name}",
                          f"--turn={given.turn}", "--process", *options], stdout=subprocess.PIPE)
        for name in range(4)]
    said = [process.communicate()[0].decode().strip() for process in writers + followers]
    expected = [f"done {each}"] * 4 + [f"followed {total}"] * 2
    read = subprocess.run([given.driver, "read", path], capture_output=True, check=False)
    texts = read.stdout.decode().split("\n")[:-1]
    wrong = [text for text in texts if not text[0].isdigit()]
    good = said == expected and not wrong and len(set(texts)) == total - 1
    print(f"{'segments' if segments else 'a file'}: {len(texts)} lines by 4 processes, "
          f"{len(wrong)} wrong, followers: {said[4:]}", flush=True)
    if not good:
        print(said, wrong[:3])
    return good, path


def control(given, path):
    with open(path, "rb") as file:
        lines = file.readlines()
    del lines[len(lines) // 2]
    with open(path, "wb") as file:
        file.writelines(lines)
    os.remove(path + ".lock")
    read = subprocess.run([given.driver, "read", path], capture_output=True, check=False)
    found = b"gap" in read.stdout
    print(f"control, a removed line: {'found' if found else 'NOT found'}")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=40_000)
    parser.add_argument("--turn", type=int, default=250)
    logs = os.path.join(tempfile.gettempdir(), f"crash-logs-{os.getpid()}")
    parser.add_argument("--folder", default=logs)
    parser.add_argument("--driver", default=".build/release/log-driver")
    given = parser.parse_args()
    segments, _ = run(given, 200_000)
    whole, path = run(given, 0)
    found = control(given, path)
    shutil.rmtree(given.folder, ignore_errors=True)
    sys.exit(0 if segments and whole and found else 1)


main()
