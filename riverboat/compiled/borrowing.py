"""Arrays without an owner, for kernels that read many small arrays in a loop.

Numba counts the references to an array, atomically, whenever a field is taken from a tuple: in a loop of short steps
the counting can take longer than the steps. Borrowing an array counts nothing, so its owner must keep it: a kernel may
borrow its arguments, which its caller owns, and must not return a borrowed array.
"""

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic


def _without_owners(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for i, part in enumerate(tuple(kind)):  # type: ignore[arg-type, var-annotated]  # numba has no types
            lent = _without_owners(context, builder, part, builder.extract_value(value, i))
            value = builder.insert_value(value, lent, i)
    return value


def _borrowed(typing_context: Any, lender: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _without_owners(context, builder, signature.args[0], arguments[0])

    return lender(lender), generate


borrowed: Any = intrinsic(_borrowed)
