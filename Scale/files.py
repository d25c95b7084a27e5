"""Files of a machine. They are at the same path on every machine, so a task reads them by itself:
their lines needn't go through Java."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

# What Spark unpacks, which only it can read in blocks.
PACKED = (".gz", ".bz2", ".deflate", ".lz4", ".snappy", ".zst")
MARK = b"\xef\xbb\xbf"


class LogChanged(Exception):
    """A file doesn't hold what it held when it was first read."""


def is_local(name: str) -> bool:
    return name.startswith("file:")


def plain(name: str) -> str:
    """The path of a file as `replay` names it, if the file is on this machine."""
    return re.sub("^file:/*", "/", name)


@dataclass(frozen=True)
class Extent:
    """Whole lines of a file, which later can be read again."""

    path: str
    start: int
    end: int
    sum: int

    def read(self) -> bytes:
        with open(self.path, "rb") as file:
            file.seek(self.start)
            text = _ended(file.read(self.end - self.start))
        if zlib.adler32(text) != self.sum:
            raise LogChanged(f"{self.path} changed while it was read")
        return text


def extents(path: str, start: int, end: int, size: int) -> Iterator[tuple[Extent, bytes]]:
    """The lines that begin in a block of a file, about `size` bytes at a time. As Spark does, it
    leaves out a byte order mark, and adds a newline that the last line lacks."""
    with open(path, "rb") as file:
        if start == 0:
            place = len(MARK) if file.read(len(MARK)) == MARK else 0
        else:
            # The line that begins before the block is of the block before.
            file.seek(start - 1)
            place = start - 1 + len(file.readline())
        file.seek(place)
        while place < end:
            text = file.read(min(size, end - place))
            if not text.endswith(b"\n"):
                text += file.readline()
            if not text:
                return
            begin, place = place, place + len(text)
            text = _ended(text)
            yield Extent(path, begin, place, zlib.adler32(text)), text


def _ended(text: bytes) -> bytes:
    return text if text.endswith(b"\n") else text + b"\n"
