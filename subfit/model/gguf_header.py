"""What the header of a GGUF file tells: its keys and its tensors' sizes, with nothing allocated.

The library that reads such files believes every count in them; a damaged one would let it take all
memory, or all time. Here each is held against the length of the file first. The layout is that of
GGML's specification, versions 2 and 3 (docs/gguf.md of github.com/ggml-org/ggml).
"""

from __future__ import annotations

import math
import mmap
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from subfit.errors import ModelError

MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_SCALARS = {
    0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d",
}  # fmt: skip
"""Types of values, as `struct` has them."""
_STRING, _ARRAY = 8, 9
_MOST_NESTED = 4
"""Arrays within arrays; published files have none."""
_MOST_DIMENSIONS = 4
_WEIGHTS_PER_BYTE = 8
"""No quantization takes less than a bit for a weight."""
_SIZES = ("_length", "_count", "_count_kv", "vocab_size")
"""How the keys of sizes end."""
_POSITIONS = "context_length"
"""How keys end that are no sizes of tensors."""
_KEPT = 200
"""Bytes of a text that messages may need."""


class _DamagedError(Exception):
    """What is wrong, without the name of the file."""


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What a GGUF file has."""

    keys: Mapping[str, object]
    """Numbers and the beginnings of texts by name; of arrays the number of their values, as
    ``Values``."""
    shapes: Mapping[str, tuple[int, ...]]
    """Shapes of tensors by name, the dimension that varies fastest first."""


@dataclass(frozen=True, slots=True)
class Values:
    """An array of a GGUF file, or a number alone."""

    count: int
    smallest: float = 0
    """The smallest of its numbers; 0 where it has none."""
    largest: float = 0


def read_gguf_header(path: Path) -> GgufHeader:
    """Read the header of a GGUF file.

    Raises:
        ModelError: It is none, is damaged, or is cut off.
    """
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _read(path, _Reader(data))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: cannot be read, or is empty") from error


def _read(path: Path, reader: _Reader) -> GgufHeader:
    try:
        return reader.header()
    except _DamagedError as error:
        name = reader.entry[:80]
        entry = f"{name}: " if name.isascii() and name.isprintable() and name else ""
        raise ModelError(f"{path}: not a GGUF file that is whole ({entry}{error})") from error


def check_gguf(path: Path) -> None:
    """Check a GGUF file before memory is taken for what it says.

    Raises:
        ModelError: It is damaged, or a key tells a size that its tensors do not have.
    """
    header = read_gguf_header(path)
    family = header.keys.get("general.architecture")
    if not isinstance(family, str):
        raise ModelError(f"{path}: general.architecture is missing; it says what the model is")
    own = {key: value for key, value in header.keys.items() if key.startswith(f"{family}.")}
    layers = len({name.split(".")[1] for name in header.shapes if name.startswith("blk.")})
    largest = max((size for shape in header.shapes.values() for size in shape), default=0)
    for key, value in own.items():
        if not key.endswith(_SIZES) or key.endswith(_POSITIONS):
            continue
        most = layers if key.endswith(".block_count") else largest
        numbers = value if isinstance(value, Values) else _summed((value,))
        for number in (numbers.smallest, numbers.largest):
            if not 0 <= number <= most:
                problem = f"and the weights have no more than {most}"
                raise ModelError(f"{path}: {key} is {number:.15g}, {problem}")


def _summed(values: Sequence[object]) -> Values:
    """What is told of an array; a text among its numbers is no number."""
    numbers = [value if isinstance(value, int | float) else math.nan for value in values]
    return Values(len(numbers), min(numbers, default=0), max(numbers, default=0))


class _Reader:
    """Reads on in a file, never beyond its end."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data, self._at, self._order = data, 0, "<"
        self.entry = ""
        """What is being read."""

    def header(self) -> GgufHeader:
        """Read it from the beginning."""
        if self._data[:4] != MAGIC:
            raise _DamagedError("it does not begin as one")
        self._at = 4
        version = self._number("I")
        if version & 0xFFFF == 0:  # of a machine that has the other order of bytes
            self._order, self._at = ">", 4
            version = self._number("I")
        if version not in _VERSIONS:
            raise _DamagedError(f"version {version}; known are 2 and 3")
        tensors, keys = self._count(24), self._count(13)
        values = dict(self._key() for _ in range(keys))
        shapes = dict(self._tensor() for _ in range(tensors))
        self.entry = ""
        rest, weights = len(self._data) - self._at, sum(map(math.prod, shapes.values()))
        if weights > rest * _WEIGHTS_PER_BYTE:
            raise _DamagedError(f"{weights:,} weights are told, and {rest:,} bytes are there")
        return GgufHeader(values, shapes)

    def _take(self, length: int) -> int:
        """Go on by some bytes; return where they begin."""
        begin = self._at
        if length > len(self._data) - begin:
            raise _DamagedError("it is cut off, or a length in it is wrong")
        self._at += length
        return begin

    def _number(self, kind: str) -> int:
        begin = self._take(struct.calcsize(f"<{kind}"))
        (value,) = struct.unpack_from(self._order + kind, self._data, begin)
        return value  # type: ignore[no-any-return]

    def _count(self, least: int) -> int:
        """Read how many follow, of at least so many bytes each."""
        count = self._number("Q")
        if count * least > len(self._data) - self._at:
            raise _DamagedError(f"{count:,} entries are told, and there is no room for them")
        return count

    def _text(self) -> str:
        length = self._count(1)
        begin = self._take(length)
        return self._data[begin : begin + min(length, _KEPT)].decode("utf-8", "replace")

    def _name(self) -> str:
        self.entry = ""
        name = self.entry = self._text()
        return name

    def _key(self) -> tuple[str, object]:
        return self._name(), self._value(self._number("I"))

    def _value(self, kind: int) -> object:
        if kind == _STRING:
            return self._text()
        if kind == _ARRAY:
            return self._array(1)
        if kind not in _SCALARS:
            raise _DamagedError(f"a value is of the type {kind}, which is none")
        return self._number(_SCALARS[kind])

    def _array(self, depth: int) -> Values:
        kind = self._number("I")
        if kind == _STRING:
            for _ in range(count := self._count(8)):
                self._take(self._count(1))
            return Values(count)
        if kind == _ARRAY and depth < _MOST_NESTED:
            for _ in range(count := self._count(12)):
                self._array(depth + 1)
            return Values(count)
        if kind not in _SCALARS:
            raise _DamagedError(f"an array is of the type {kind}, which is none")
        one = _SCALARS[kind]
        count = self._count(struct.calcsize(f"<{one}"))
        begin = self._take(count * struct.calcsize(f"<{one}"))
        return _summed(struct.unpack_from(f"{self._order}{count}{one}", self._data, begin))

    def _tensor(self) -> tuple[str, tuple[int, ...]]:
        name, dimensions = self._name(), self._number("I")
        if dimensions > _MOST_DIMENSIONS:
            raise _DamagedError(f"{dimensions:,} dimensions are told, and at most 4 are known")
        shape = tuple(self._number("Q") for _ in range(dimensions))
        self._number("I")  # how it is quantized
        self._number("Q")  # where it stands
        return name, shape
