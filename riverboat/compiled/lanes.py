"""Sixteen numbers at once, as one value in kernels: `load`, `store`, +, -, * and a few more.

They are plain LLVM vectors of float32 or float64, like the array's items: processors with 512-bit registers need one
or two registers for a vector, others more. Indices count the array's items and are not checked.
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, models, overload, register_model
from numba.np.arrayobj import make_array

LANES = 16

_F32, _F64, _I16, _I32, _I64 = ir.FloatType(), ir.DoubleType(), ir.IntType(16), ir.IntType(32), ir.IntType(64)
_SHORT = ir.VectorType(_I16, LANES)
_MOST_SHORT = 32767


class LanesType(types.Type):
    """Numba's type of sixteen numbers."""

    def __init__(self, item: Any) -> None:
        self.item = item
        super().__init__(name=f"Lanes({item})")


_KINDS = {types.float32: LanesType(types.float32), types.float64: LanesType(types.float64)}
_VECTORS = {types.float32: ir.VectorType(_F32, LANES), types.float64: ir.VectorType(_F64, LANES)}
_SUFFIXES = {types.float32: "v16f32", types.float64: "v16f64"}


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTORS[kind.item])  # type: ignore[no-untyped-call]  # numba has no types


def _pointer(context: Any, builder: Any, kind: Any, array: Any, at: Any, vector: Any = None) -> Any:
    data = make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), (vector or _VECTORS[kind.dtype]).as_pointer())


def _align(kind: Any) -> int:
    return int(kind.bitwidth) // 8


def _spread(builder: Any, scalar: Any, vector: Any) -> Any:
    """Return one number in all lanes."""
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), scalar, ir.Constant(_I32, 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(_I32, LANES), [0] * LANES))


def _call(builder: Any, name: str, result: Any, *args: Any) -> Any:
    kind = ir.FunctionType(result, [arg.type for arg in args])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)


def _load(typing: Any, array: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, signature.args[0], args[0], args[1])
        return builder.load(place, align=_align(signature.args[0].dtype))

    return _KINDS[array.dtype](array, types.intp), generate


def _store(typing: Any, array: Any, at: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, signature.args[0], args[0], args[1])
        builder.store(args[2], place, align=_align(signature.args[0].dtype))
        return context.get_dummy_value()

    return types.void(array, types.intp, _KINDS[array.dtype]), generate


def _spread_out(typing: Any, number: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        item = signature.args[1].dtype
        cast = context.cast(builder, args[0], signature.args[0], item)
        return _spread(builder, cast, _VECTORS[item])

    return _KINDS[array.dtype](number, array), generate


def _binary(emit: Callable[[Any, Any, Any], Any]) -> Any:
    def typed(typing: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return emit(builder, args[0], args[1])

        return a(a, a), generate

    return intrinsic(typed)


def _larger(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", a, b), a, b)


def _multiply_add(typing: Any, a: Any, b: Any, c: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        item = signature.return_type.item
        return _call(builder, f"llvm.fmuladd.{_SUFFIXES[item]}", _VECTORS[item], *args)

    return a(a, a, a), generate


def _positive_or(typing: Any, test: Any, yes: Any, no: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zero = ir.Constant(args[0].type, [0.0] * LANES)
        return builder.select(builder.fcmp_ordered(">", args[0], zero), args[1], args[2])

    return test(test, test, test), generate


def _read_row(typing: Any, rows: Any, scales: Any, row: Any) -> Any:
    is_short = rows.dtype == types.int16
    kind = types.float32 if is_short else rows.dtype

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at = builder.mul(args[2], ir.Constant(_I64, LANES))
        if not is_short:
            return builder.load(_pointer(context, builder, signature.args[0], args[0], at), align=_align(kind))
        vector = _VECTORS[types.float32]
        scale = builder.load(builder.gep(make_array(signature.args[1])(context, builder, args[1]).data, [args[2]]))
        whole = builder.load(_pointer(context, builder, signature.args[0], args[0], at, _SHORT), align=2)
        return builder.fmul(builder.sitofp(whole, vector), _spread(builder, scale, vector))

    return _KINDS[kind](rows, scales, types.intp), generate


def _write_row(typing: Any, rows: Any, scales: Any, row: Any, value: Any) -> Any:
    is_short = rows.dtype == types.int16
    kind = types.float32 if is_short else rows.dtype

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at = builder.mul(args[2], ir.Constant(_I64, LANES))
        if is_short:
            target = _pointer(context, builder, signature.args[0], args[0], at, _SHORT)
            place = builder.gep(make_array(signature.args[1])(context, builder, args[1]).data, [args[2]])
            builder.store(_store_short(builder, args[3], target), place)
        else:
            builder.store(args[3], _pointer(context, builder, signature.args[0], args[0], at), align=_align(kind))
        return context.get_dummy_value()

    return types.void(rows, scales, types.intp, _KINDS[kind]), generate


def _store_short(builder: Any, value: Any, target: Any) -> Any:
    """Write sixteen numbers as int16; return the scale that restores them, chosen so that the largest fits."""
    vector = _VECTORS[types.float32]
    largest = _call(builder, "llvm.vector.reduce.fmax.v16f32", _F32, _call(builder, "llvm.fabs.v16f32", vector, value))
    most = ir.Constant(_F32, float(_MOST_SHORT))
    is_zero = builder.fcmp_ordered("<=", largest, ir.Constant(_F32, 1e-30))
    factor = builder.select(is_zero, ir.Constant(_F32, 0.0), builder.fdiv(most, largest))
    scaled = builder.fmul(value, _spread(builder, factor, vector))
    whole = builder.fptosi(_call(builder, "llvm.rint.v16f32", vector, scaled), ir.VectorType(_I32, LANES))
    builder.store(builder.trunc(whole, _SHORT), target, align=2)
    return builder.fdiv(largest, most)


def _gather(typing: Any, array: Any, base: Any, index: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        values = make_array(signature.args[0])(context, builder, args[0]).data
        places = make_array(signature.args[2])(context, builder, args[2]).data
        vector = ir.Constant(_VECTORS[signature.args[0].dtype], ir.Undefined)
        for lane in range(LANES):
            place = builder.load(builder.gep(places, [builder.add(args[3], ir.Constant(_I64, lane))]))
            place = builder.add(args[1], builder.sext(place, _I64))
            vector = builder.insert_element(vector, builder.load(builder.gep(values, [place])), ir.Constant(_I32, lane))
        return vector

    return _KINDS[array.dtype](array, types.intp, index, types.intp), generate


def _transposed(builder: Any, rows: Sequence[Any]) -> list[Any]:
    """Return sixteen vectors as the columns of sixteen others, by four rounds of exchanges between pairs."""
    current = list(rows)
    for step in (8, 4, 2, 1):
        low = [i if not i & step else LANES + i - step for i in range(LANES)]
        high = [i + step if not i & step else LANES + i for i in range(LANES)]
        masks = [ir.Constant(ir.VectorType(_I32, LANES), picks) for picks in (low, high)]
        following = list(current)
        for i in range(LANES):
            if not i & step:
                following[i] = builder.shuffle_vector(current[i], current[i + step], masks[0])
                following[i + step] = builder.shuffle_vector(current[i], current[i + step], masks[1])
        current = following
    return current


def _transpose(typing: Any, source: Any, source_at: Any, target: Any, target_at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        steps = [ir.Constant(_I64, lane * LANES) for lane in range(LANES)]
        places = [builder.add(args[1], step) for step in steps]
        rows = [_pointer(context, builder, signature.args[0], args[0], place) for place in places]
        columns = _transposed(builder, [builder.load(row, align=_align(signature.args[0].dtype)) for row in rows])
        for step, column in zip(steps, columns, strict=True):
            place = builder.add(args[3], step)
            builder.store(
                column,
                _pointer(context, builder, signature.args[2], args[2], place),
                align=_align(signature.args[0].dtype),
            )
        return context.get_dummy_value()

    return types.void(source, types.intp, target, types.intp), generate


def _transpose_rows(typing: Any, source: Any, base: Any, rows: Any, first: Any, target: Any, at: Any) -> Any:
    """Write rows `base` + rows[first : first + 16] of `source` as columns of target[at : at + 256]."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        names = make_array(signature.args[2])(context, builder, args[2]).data
        align = _align(signature.args[0].dtype)
        loaded = []
        for lane in range(LANES):
            row = builder.load(builder.gep(names, [builder.add(args[3], ir.Constant(_I64, lane))]))
            begin = builder.mul(builder.add(args[1], builder.sext(row, _I64)), ir.Constant(_I64, LANES))
            loaded.append(builder.load(_pointer(context, builder, signature.args[0], args[0], begin), align=align))
        for lane, column in enumerate(_transposed(builder, loaded)):
            begin = builder.add(args[5], ir.Constant(_I64, lane * LANES))
            builder.store(column, _pointer(context, builder, signature.args[4], args[4], begin), align=align)
        return context.get_dummy_value()

    return types.void(source, types.intp, rows, types.intp, target, types.intp), generate


# array[at : at + 16]
load: Any = intrinsic(_load)
# array[at : at + 16] = value
store: Any = intrinsic(_store)
# A number in all lanes, of the kind that an array has
spread: Any = intrinsic(_spread_out)
# The larger of each pair
larger: Any = _binary(_larger)
# a * b + c, rounded once where the processor can
multiply_add: Any = intrinsic(_multiply_add)
# `yes` in lanes where the first is positive, `no` in the others
positive_or: Any = intrinsic(_positive_or)
# Row number `row` of sixteen: of floats, or of int16 times the row's scale
read_row: Any = intrinsic(_read_row)
# Write a row; for int16 its scale as well
write_row: Any = intrinsic(_write_row)
# array[base + index[at + lane]] in each lane
gather: Any = intrinsic(_gather)
# source[source_at : source_at + 256], 16 by 16, with rows and columns exchanged
transpose: Any = intrinsic(_transpose)
# 16 rows of 16, named by a base and an array of int32, written as columns
transpose_rows: Any = intrinsic(_transpose_rows)

_add = _binary(lambda builder, a, b: builder.fadd(a, b))
_subtract = _binary(lambda builder, a, b: builder.fsub(a, b))
_multiply = _binary(lambda builder, a, b: builder.fmul(a, b))
_divide = _binary(lambda builder, a, b: builder.fdiv(a, b))


def _operator(function: Any, implementation: Any) -> None:
    @overload(function, strict=False)  # annotations are no argument names
    def overloaded(a: Any, b: Any) -> Any:
        if isinstance(a, LanesType) and isinstance(b, LanesType):
            return lambda a, b: implementation(a, b)
        return None


for _function, _implementation in (
    (operator.add, _add),
    (operator.sub, _subtract),
    (operator.mul, _multiply),
    (operator.truediv, _divide),
):
    _operator(_function, _implementation)
