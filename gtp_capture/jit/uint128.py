"""Unsigned 128-bit integers for compiled code: the Numba type UINT128, LLVM's i128.

A kernel with `&`, `|`, `^`, `~`, `-`, `+`, `<<`, `>>`, `==`, `!=`, `<` and `min` works for UINT128 as for uint64, and
64-bit constants are widened. In the arguments of a kernel a number is two unsigned 64-bit words, the low one first, see
`bitsets`: `as_uint128` gives a record, an array or a tuple the type whose fields, elements or members are numbers.
"""

from __future__ import annotations

import operator
from typing import Any, ClassVar, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models, register_default
from numba.core.imputils import impl_ret_borrowed
from numba.core.typeconv import Conversion
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, lower_cast

from .bitsets import PAIR, number_type
from .kernel import from_dtype

WORD: Final = ir.IntType(64)
_SHIFT: Final = ir.Constant(ir.IntType(128), 64)


class Uint128(types.Hashable):  # type: ignore[misc]
    """The type of unsigned 128-bit integers. It is no subclass of Numba's numbers, which all have a type of NumPy."""

    bitwidth = 128

    def __init__(self) -> None:
        super().__init__("uint128")

    def can_convert_from(self, typing_context: Any, other: Any) -> Any:
        """See Numba: uint64 is widened."""
        return Conversion.promote if other == types.uint64 else None


UINT128: Final = Uint128()


def _joined(builder: Any, pair: Any) -> Any:
    low, high = (builder.zext(builder.extract_value(pair, i), ir.IntType(128)) for i in range(2))
    return builder.or_(low, builder.shl(high, _SHIFT))


@register_default(Uint128)
class _Model(models.PrimitiveModel):  # type: ignore[misc]
    """A number in a register is an i128; in memory it is two words, for which 8 bytes of alignment are enough."""

    def __init__(self, manager: Any, numba_type: Any) -> None:
        super().__init__(manager, numba_type, ir.IntType(128))

    def get_data_type(self) -> Any:
        return ir.ArrayType(WORD, 2)

    def as_data(self, builder: Any, value: Any) -> Any:
        low, high = builder.trunc(value, WORD), builder.trunc(builder.lshr(value, _SHIFT), WORD)
        return cgutils.pack_array(builder, [low, high])

    def from_data(self, builder: Any, value: Any) -> Any:
        return _joined(builder, value)


def _register(function: Any, build: Any, returns: Any, other: Any) -> None:
    """Make an operator available for a UINT128 and another type; `build(builder, *args)` emits its instruction."""

    class Template(ConcreteTemplate):  # type: ignore[misc]
        cases: ClassVar = [signature(returns, UINT128, other)]

    infer_global(function)(Template)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return build(builder, *args)

    lower_builtin(function, UINT128, other)(lower)


for _function, _name in {"and_": "and_", "or_": "or_", "xor": "xor", "add": "add", "sub": "sub"}.items():
    for _operator in (getattr(operator, _function), getattr(operator, f"i{_function.rstrip('_')}")):
        _register(_operator, getattr(ir.IRBuilder, _name), UINT128, UINT128)
for _function, _sign in {"eq": "==", "ne": "!=", "lt": "<"}.items():
    _register(
        getattr(operator, _function),
        lambda builder, a, b, s=_sign: builder.icmp_unsigned(s, a, b),
        types.boolean,
        UINT128,
    )
_register(min, lambda builder, a, b: builder.select(builder.icmp_unsigned("<", a, b), a, b), UINT128, UINT128)
for _function, _name in {"lshift": "shl", "rshift": "lshr"}.items():
    for _amount in (types.uint64, types.int64):
        _register(
            getattr(operator, _function),
            lambda builder, a, b, n=_name: getattr(builder, n)(a, builder.zext(b, a.type)),
            UINT128,
            _amount,
        )


@lower_cast(types.uint64, UINT128)  # type: ignore[untyped-decorator]
def _widened(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    return builder.zext(value, context.get_value_type(target))


@infer_global(operator.invert)
class _Invert(ConcreteTemplate):  # type: ignore[misc]
    cases: ClassVar = [signature(UINT128, UINT128)]


@lower_builtin(operator.invert, UINT128)  # type: ignore[untyped-decorator]
def _invert(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.not_(args[0])


class Uint128Record(types.Record):  # type: ignore[misc]
    """A record with numbers in place of its fields of two words."""

    def __init__(self, words: Any) -> None:
        """`words`: the record's type as Numba derives it from NumPy's."""
        self._dtype = words.dtype
        fields = [(name, field._asdict() | {"type": _number_type(field.type)}) for name, field in words.fields.items()]
        super().__init__(fields, words.size, words.aligned)

    @property
    def dtype(self) -> Any:
        """NumPy's type of the record."""
        return self._dtype


register_default(Uint128Record)(models.RecordModel)


def _number_type(field: Any) -> Any:
    """Return the type of a field, with a number in place of two words."""
    if not isinstance(field, types.NestedArray) or field.dtype != types.uint64 or field.shape[-1] != 2:
        return field
    return types.NestedArray(UINT128, field.shape[:-1]) if field.ndim > 1 else UINT128


def with_uint128(numba_type: Any) -> Any:
    """Return the type of a record, array or tuple with numbers in place of pairs of words; other types stay."""
    if numba_type in (from_dtype(PAIR), number_type(2)):
        return UINT128
    if isinstance(numba_type, types.Array):
        return numba_type.copy(dtype=with_uint128(numba_type.dtype))
    if isinstance(numba_type, types.BaseTuple):
        return types.BaseTuple.from_types([with_uint128(member) for member in numba_type], numba_type.instance_class)
    return Uint128Record(numba_type) if isinstance(numba_type, types.Record) else numba_type


def _convert(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    """Return a value of a type as `with_uint128` types it; records stay where they are in memory."""
    if isinstance(source, types.Array):
        words, numbers = (context.make_array(kind)(context, builder) for kind in (source, target))
        words._setvalue(value)
        for field in ("meminfo", "parent", "nitems", "itemsize", "shape", "strides"):
            setattr(numbers, field, getattr(words, field))
        numbers.data = builder.bitcast(words.data, numbers.data.type)
        return numbers._getvalue()
    if target == UINT128:
        return _joined(builder, value)
    if isinstance(source, types.BaseTuple):
        members = enumerate(zip(source, target, strict=True))
        converted = [_convert(context, builder, *kinds, builder.extract_value(value, i)) for i, kinds in members]
        return context.make_tuple(builder, target, converted)
    return value


@intrinsic  # type: ignore[untyped-decorator]
def as_uint128(typing_context: Any, data: Any) -> Any:
    """Return a record, an array or a tuple as `with_uint128` types it."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        converted = _convert(context, builder, data, sig.return_type, args[0])
        return impl_ret_borrowed(context, builder, sig.return_type, converted)

    return with_uint128(data)(data), codegen
