"""Sixteen hands of seven cards at once, on processors with 512-bit vectors.

A card's rank picks its key out of a vector register that holds all thirteen, where ordinary code reads
memory; sums, suit counts and both table look-ups then go on in vectors. Only hands with a flush, three
in a hundred, are left to ordinary code. Without such a processor nothing here is compiled.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.registry import cpu_target
from numba.extending import intrinsic
from numba.np.arrayobj import make_array
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.compiled.machine import LANES
from riverboat.strength.tables import FLUSH_BITS, NO_SUITS, RANK_KEYS, ROW_LENGTH, ROW_SHIFT, SUIT_SHIFT, Tables

_SIZE = 7
_I1, _I8, _I16, _I32, _I64 = (ir.IntType(bits) for bits in (1, 8, 16, 32, 64))
_WIDE = ir.VectorType(_I32, LANES)
_BYTES = ir.VectorType(_I8, 64)
_SECOND = LANES * _SIZE - 64  # where the second load of 64 bytes starts, so that it ends with the last hand


def has_wide_vectors() -> bool:
    """Return whether numba compiles for a processor with the instructions that this module uses."""
    features = cpu_target.target_context.codegen().magic_tuple()[2].split(",")
    return all(f"+{name}" in features for name in ("avx512f", "avx512bw", "avx512vl", "avx512dq"))


def _all(value: int) -> ir.Constant:
    return ir.Constant(_WIDE, [value] * LANES)


def _data(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    return make_array(array_type)(context, builder, array).data


def _load_card(builder: Any, halves: tuple[Any, Any], place: int) -> Any:
    """Return the card at `place` of each of sixteen hands, as sixteen 32-bit lanes."""
    at = [_SIZE * lane + place for lane in range(LANES)]
    picks = [byte if byte < 64 else 64 + byte - _SECOND for byte in at]
    mask = ir.Constant(ir.VectorType(_I32, LANES), picks)
    return builder.zext(builder.shuffle_vector(*halves, mask), _WIDE)


def _sum_cards(builder: Any, hands: Any) -> tuple[Any, Any]:
    """Return, for sixteen hands in a row, the sums of their ranks' keys, and their suits counted in four bits each."""
    second = builder.gep(hands, [ir.Constant(_I64, _SECOND)])
    halves = tuple(builder.load(builder.bitcast(at, _BYTES.as_pointer()), align=1) for at in (hands, second))
    permute = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(_WIDE, [_WIDE, _WIDE]), "llvm.x86.avx512.permvar.si.512"
    )
    rank_keys = ir.Constant(_WIDE, [*RANK_KEYS, 0, 0, 0])
    sums, suits = _all(0), _all(NO_SUITS >> SUIT_SHIFT)
    for place in range(_SIZE):
        card = _load_card(builder, (halves[0], halves[1]), place)
        sums = builder.add(sums, builder.call(permute, [rank_keys, builder.lshr(card, _all(2))]))
        shift = builder.shl(builder.and_(card, _all(3)), _all(2))
        suits = builder.add(suits, builder.shl(_all(1), shift))
    return sums, suits


def _gather(builder: Any, table: Any, places: Any) -> Any:
    """Return sixteen entries of a table of uint16; it must have two more at its end, for reads of four bytes."""
    pointer = _I8.as_pointer()
    signature = ir.FunctionType(_WIDE, [_WIDE, pointer, _WIDE, ir.VectorType(_I1, LANES), _I32])
    gather = cgutils.get_or_insert_function(builder.module, signature, "llvm.x86.avx512.mask.gather.dpi.512")
    every = ir.Constant(ir.VectorType(_I1, LANES), [1] * LANES)
    words = builder.call(gather, [_all(0), builder.bitcast(table, pointer), places, every, ir.Constant(_I32, 2)])
    return builder.and_(words, _all(0xFFFF))


def _sixteen_hands(typing: Any, hands: Any, row: Any, offsets: Any, strengths: Any, out: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
        arrays = {i: _data(context, builder, signature.args[i], args[i]) for i in (0, 2, 3, 4)}
        first = builder.gep(arrays[0], [builder.mul(args[1], ir.Constant(_I64, _SIZE))])
        sums, suits = _sum_cards(builder, first)
        offset = _gather(builder, arrays[2], builder.lshr(sums, _all(ROW_SHIFT)))
        column = builder.and_(sums, _all(ROW_LENGTH - 1))
        strength = _gather(builder, arrays[3], builder.add(builder.shl(offset, _all(1)), column))
        narrow = ir.VectorType(_I16, LANES)
        target = builder.bitcast(builder.gep(arrays[4], [args[1]]), narrow.as_pointer())
        builder.store(builder.trunc(strength, narrow), target, align=2)
        flush = builder.icmp_unsigned("!=", builder.and_(suits, _all(FLUSH_BITS >> SUIT_SHIFT)), _all(0))
        return builder.zext(builder.bitcast(flush, _I16), _I64)

    return types.uint64(hands, types.intp, offsets, strengths, out), generate


# Writes the strengths of hands[row : row + 16] to out as if they had no flush; returns a bit for each that has
_write_sixteen: Any = intrinsic(_sixteen_hands)

if has_wide_vectors():

    @kernel
    def write_sixteen(hands: NDArray[np.uint8], row: int, tables: Tables, out: NDArray[np.uint16]) -> np.uint64:
        """Write strengths of hands[row : row + 16] to out; those of flushes, marked by the returned bits, are wrong."""
        return np.uint64(_write_sixteen(hands, row, tables.offsets, tables.strengths, out))

    WIDE = True
else:

    @kernel
    def write_sixteen(hands: NDArray[np.uint8], row: int, tables: Tables, out: NDArray[np.uint16]) -> np.uint64:
        """Return 0; never called, because there are no wide vectors."""
        return np.uint64(0)

    WIDE = False
