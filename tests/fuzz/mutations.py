"""Messages made by their descriptors: random ones, and valid ones with changes."""

import struct
from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

_INTS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}
_FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-308, 1e308, float("inf"), float("-inf"), float("nan"))
_ENUMS = (0, 1, 2, 3, 99, -1, 2**31 - 1, -(2**31))
_WORDS = (
    "", " ", "\0", "52", "24", "kuhn", "leduc", "36", "Td9d2c", "Td9d6hQc2s", "AhKh", "Ah", "22+,A2s+", "random", "1p",
    "0.5p 1p all-in", "a", "/", "river", "preflop", "equity", "network", "24-turn-96ef5c20", "exact", "../..",
    "%s%n", "null", "-1", "1e999", "AhAh", "ZzZz", "♥♠", "\u202e", "é" * 50, "x" * 300, "9" * 400, "(" * 200,
    "fuzzed", "call", "\n\r\t",
)  # fmt: skip
_HUGE = (100, 2_000, 60_000)
_HOLDINGS = (3, 6, 276, 630, 1326)
_DEEPEST = 4


def random_message(kind: Any, rng: Random, depth: int = 0) -> Any:
    """Return a message of a class with random fields."""
    message = kind()
    for field in message.DESCRIPTOR.fields:
        if rng.random() < 0.7:
            _set(message, field, rng, depth)
    return message


def mutated(message: Any, rng: Random) -> Any:
    """Return a copy with one to four changes."""
    mutant = type(message)()
    mutant.CopyFrom(message)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        _change(mutant, rng)
    return mutant


def spoilt(data: bytes, rng: Random) -> bytes:
    """Return bytes truncated, changed or repeated."""
    kind = rng.randrange(4)
    if kind == 0 or not data:
        return data[: rng.randrange(len(data) + 1)]
    if kind == 1:
        return data + data
    changed = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _change(message: Any, rng: Random) -> None:
    """Change one field of the message or of a submessage."""
    fields = message.DESCRIPTOR.fields
    if not fields:
        return
    below = [value for field, value in message.ListFields() for value in _messages(field, value)]
    if below and rng.random() < 0.6:
        _change(rng.choice(below), rng)
        return
    field = rng.choice(fields)
    if rng.random() < 0.2:
        message.ClearField(field.name)
    elif field.is_repeated and not is_map(field) and rng.random() < 0.5:
        _change_list(message, field, rng)
    elif field.cpp_type == FieldDescriptor.CPPTYPE_STRING and not field.is_repeated and rng.random() < 0.5:
        old = getattr(message, field.name)
        setattr(message, field.name, _other_bytes(old, rng) if isinstance(old, bytes) else _other_text(old, rng))
    else:
        _set(message, field, rng, 0)


def _messages(field: Any, value: Any) -> list[Any]:
    if field.cpp_type != FieldDescriptor.CPPTYPE_MESSAGE or is_map(field):
        return []
    return list(value) if field.is_repeated else [value]


def is_map(field: Any) -> bool:
    """Return whether a field is a map, whose entries are no messages to Python."""
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _set_map(message: Any, field: Any, rng: Random) -> None:
    """Set a map from texts to random entries."""
    key, value = (field.message_type.fields_by_name[name] for name in ("key", "value"))
    message.ClearField(field.name)
    for _ in range(rng.choice((0, 1, 2, 5, 100))):
        getattr(message, field.name)[_value(key, rng)] = _value(value, rng)


def _change_list(message: Any, field: Any, rng: Random) -> None:
    """Remove, reverse or repeat items."""
    values = getattr(message, field.name)
    items = list(values)
    kind = rng.randrange(4)
    if not items or kind == 0:
        _set(message, field, rng, 0)
        return
    if kind == 1:
        items.pop(rng.randrange(len(items)))
    elif kind == 2:
        items.reverse()
    else:
        count = rng.choice(_HUGE)
        if field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE:
            count = min(count, 2_000)
        items = (items * (count // len(items) + 1))[:count]
    copies = [_copy(item) for item in items]
    message.ClearField(field.name)
    getattr(message, field.name).extend(copies)


def _copy(item: Any) -> Any:
    if not hasattr(item, "CopyFrom"):
        return item
    copy = type(item)()
    copy.CopyFrom(item)
    return copy


def _set(message: Any, field: Any, rng: Random, depth: int) -> None:
    """Set a field to a random value."""
    if is_map(field):
        _set_map(message, field, rng)
        return
    if field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE:
        if depth >= _DEEPEST:
            return
        kind = field.message_type._concrete_class
        if field.is_repeated:
            items = [random_message(kind, rng, depth + 1) for _ in range(rng.choice((0, 1, 2, 5)))]
            message.ClearField(field.name)
            getattr(message, field.name).extend(items)
        else:
            getattr(message, field.name).CopyFrom(random_message(kind, rng, depth + 1))
        return
    if field.is_repeated:
        count = rng.choice((0, 1, 2, 3, 11, rng.choice(_HUGE) if rng.random() < 0.1 else 4))
        value = [_value(field, rng) for _ in range(min(count, 50))]
        message.ClearField(field.name)
        getattr(message, field.name).extend((value * (count // max(1, len(value)) + 1))[:count])
    else:
        setattr(message, field.name, _value(field, rng))


def _value(field: Any, rng: Random) -> Any:
    kind = field.cpp_type
    if kind in _INTS:
        low, high = _INTS[kind]
        choices = (0, 1, 2, 3, 5, 100, 10_000, 2**31 - 1, -1, low, high, rng.randint(low, high), rng.randint(0, 60))
        return min(max(rng.choice(choices), low), high)
    if kind in (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT):
        return rng.choice((*_FLOATS, rng.random(), rng.uniform(-1e6, 1e6)))
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return rng.random() < 0.5
    if kind == FieldDescriptor.CPPTYPE_ENUM:
        return rng.choice(_ENUMS)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return _bytes(rng)
    return rng.choice(_WORDS) if rng.random() < 0.8 else _text(rng)


def _text(rng: Random) -> str:
    """Return random characters, except surrogates, which UTF-8 cannot encode."""
    points = (rng.choice((rng.randrange(1, 128), rng.randrange(1, 0xD800), rng.randrange(0xE000, 0x110000))) for _ in
              range(rng.randrange(40)))  # fmt: skip
    return "".join(map(chr, points))


def _bytes(rng: Random) -> bytes:
    """Return bytes of any length, or one number for each holding."""
    kind = rng.randrange(4)
    if kind == 0:
        return rng.randbytes(rng.choice((0, 1, 3, 4, 5, 1000)))
    value = rng.choice((0.0, 1.0, 0.5, -1.0, 1e38, float("nan"), float("inf")))
    count = rng.choice(_HOLDINGS) * rng.choice((1, 2))
    return struct.pack("<f", value) * (count - (kind == 1))


def _other_text(text: str, rng: Random) -> str:
    place = rng.randrange(len(text) + 1)
    return rng.choice((text[:place], text[:place] + rng.choice(_WORDS) + text[place:], text + text, text.upper(),
                       text[::-1], text[:place] + text[place + 1 :], text * 200))  # fmt: skip


def _other_bytes(data: bytes, rng: Random) -> bytes:
    if not data or rng.random() < 0.3:
        return _bytes(rng)
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(max(1, len(changed) - 4))
        value = rng.choice((float("nan"), float("inf"), -1.0, 1e38, 1e-45, 0.0))
        changed[place // 4 * 4 : place // 4 * 4 + 4] = struct.pack("<f", value)
    return bytes(changed[: rng.choice((len(changed), len(changed), len(changed) - 1, len(changed) // 2))])
