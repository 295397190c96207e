"""Machine instructions for kernels, where Python source alone does not compile to them.

Each is plain LLVM code: every processor that numba supports runs it, with whatever registers it has.
"""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

LANES = 16


def _lanes_pointer(context: Any, builder: Any, array_type: Any, array: Any, at: Any) -> Any:
    """Return a pointer to LANES consecutive items of a contiguous array, from index `at` on."""
    vector = ir.VectorType(context.get_value_type(array_type.dtype), LANES)
    data = make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), vector.as_pointer())


def _copy_lanes(typing: Any, source: Any, source_at: Any, target: Any, target_at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        read = _lanes_pointer(context, builder, signature.args[0], args[0], args[1])
        write = _lanes_pointer(context, builder, signature.args[2], args[2], args[3])
        item_bytes = signature.args[0].dtype.bitwidth // 8
        builder.store(builder.load(read, align=item_bytes), write, align=item_bytes)
        return context.get_dummy_value()

    return types.void(source, types.intp, target, types.intp), generate


def _trailing_zeros(typing: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


# target[target_at : target_at + LANES] = source[source_at : source_at + LANES], unchecked
copy_lanes: Any = intrinsic(_copy_lanes)
# The place of the lowest bit set in a uint64; 64 if there is none
trailing_zeros: Any = intrinsic(_trailing_zeros)
