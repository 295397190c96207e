"""Parts are compiled in order, by programs of their own."""

import pytest

from riverboat.clients.local.compilation import TABLE_PARTS, KernelPart, compile_parts
from riverboat.clients.remote.refusals import Refused

QUICK = (KernelPart("a", "pass", 1), KernelPart("b", "pass", 2), KernelPart("c", "pass", 1, ("a", "b")))


def test_parts_are_named_while_they_are_compiled_and_wait_for_each_other() -> None:
    steps = list(compile_parts(QUICK))
    assert steps[-1].done == 1
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert all("c" not in step.names or len(step.names) == 1 for step in steps), "it comes last"


def test_a_part_that_fails_says_why() -> None:
    with pytest.raises(Refused, match=r"the bad part could not be compiled: .*no kernels here"):
        list(compile_parts((KernelPart("bad part", "raise SystemExit('no kernels here')", 1),)))


def test_what_the_first_table_needs() -> None:
    names = [part.name for part in TABLE_PARTS]
    assert len(set(names)) == len(names)
    assert all(set(part.after) <= set(names) for part in TABLE_PARTS)
    for part in TABLE_PARTS:
        compile(part.program, part.name, "exec")
