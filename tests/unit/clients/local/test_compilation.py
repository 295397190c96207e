"""Parts are compiled in order, by programs of their own."""

import pytest

from riverboat.clients.local.compilation import SOLVER_PARTS, TABLE_PARTS, KernelPart, compile_first, compile_parts
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


@pytest.mark.parametrize("parts", [TABLE_PARTS, SOLVER_PARTS])
def test_what_the_first_table_and_the_first_solver_need(parts: tuple[KernelPart, ...]) -> None:
    names = [part.name for part in parts]
    assert len(set(names)) == len(names)
    assert all(set(part.after) <= set(names) for part in parts)
    for part in parts:
        compile(part.program, part.name, "exec")


def test_what_is_compiled_is_said() -> None:
    said = list[str]()
    compile_first(QUICK, said.append)
    assert said
    assert all(text.startswith("compiling, only this once: ") and text.endswith(" %)…") for text in said)
