#!/usr/bin/env python3
"""Generates a long log by repeating the stories of events/valid under new names.

Usage: stories-log.py EVENTS > big.jsonl

In each repetition, every transaction, payment, account, device, receipt, notification, download
and content of a story gets a new name; dates stay the same. Equal arguments give equal bytes.
"""

import json
import pathlib
import sys
import uuid

STORIES = [
    "consumable-bought", "bought-in-the-tunnel", "failed-payment", "hosted-content",
    "own-server-delivery", "quantity-consumed-in-parts", "same-payment-added-twice",
    "crash-before-finish",
]
NUMBERS = {"transaction", "original"}
UUIDS = {"payment", "account", "device", "source", "notification", "id", "receipt", "payer", "from"}
WORDS = {"download", "content"}


class Names:
    """The names of one repetition: equal names in the story stay equal."""

    def __init__(self):
        self.next = 0

    def begin(self):
        self.known = {}

    def of(self, kind, name):
        if (kind, name) not in self.known:
            self.next += 1
            if kind == "number":
                self.known[kind, name] = str(10**15 + self.next * 7919 % 10**15)
            else:
                self.known[kind, name] = str(uuid.UUID(int=self.next * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128))
        return self.known[kind, name]


def renamed(event, names, device, account):
    out = {}
    for key, value in event.items():
        if key in NUMBERS:
            value = names.of("number", value)
        elif key in WORDS:
            value = value[:20] + names.of("uuid", value)[:8]
        elif key in UUIDS:
            base, mark, tail = value.partition("#")
            value = names.of("uuid", base) + mark + tail
        out[key] = value
    if event["type"] != "log.opened":
        out.setdefault("device", device)
        out.setdefault("account", account)
    order = ["seq", "at", "type", "id", "source", "account", "device", "environment", "signedAt"]
    return {k: out[k] for k in order if k in out} | {k: v for k, v in out.items() if k not in order}


def main():
    wanted = int(sys.argv[1])
    folder = pathlib.Path(__file__).resolve().parent.parent / "events" / "valid"
    stories = [
        [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().splitlines()]
        for name in STORIES
    ]
    write = sys.stdout.write
    opened = stories[0][0]
    write(json.dumps(opened, separators=(",", ":"), ensure_ascii=False) + "\n")
    seq, names = 1, Names()
    while seq < wanted:
        for story in stories:
            names.begin()
            # A story that names no device or account gets one device and its first account.
            said = next((event["account"] for event in story if "account" in event), "account")
            device, account = names.of("uuid", "device"), names.of("uuid", said)
            for event in story[1:]:
                seq += 1
                event["seq"] = seq
                line = renamed(event, names, device, account)
                write(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n")


main()
