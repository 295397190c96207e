"""Caveats of numbers: the game that they were measured in, and the opponent."""

from dataclasses import replace

import pytest

from riverboat.clients.analysis.caveats import (
    below_words,
    estimate_words,
    exploitability_name,
    exploitability_note,
    exploitability_words,
    graded_against,
)
from riverboat.contracts.resolver import Cost, Scope, scope_of
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.rpc.convert.resolver_answers import encode_cost
from riverboat.rpc.convert.resolver_client import decode_cost
from riverboat.rules.betting import CALL
from tests.unit.clients.analysis.test_wording import FLOP, explanation


@pytest.mark.parametrize("scope", Scope)
def test_only_the_number_of_the_whole_game_is_called_exploitability(scope: Scope) -> None:
    assert (exploitability_name(scope) == "exploitability") == (scope is Scope.WHOLE)
    assert (exploitability_note(scope) == "") == (scope is Scope.WHOLE)
    assert exploitability_words(scope, 0.0025).startswith("0.250 % of the pot")
    if "above_cut" in scope:
        assert "above the cut" in exploitability_name(scope)
        assert "whole game" in exploitability_words(scope, 0.1)


@pytest.mark.parametrize("leaf", ["", "equity", "24-turn-96ef5c20"])
@pytest.mark.parametrize("is_safe", [False, True])
def test_scopes_go_through_messages(leaf: str, is_safe: bool) -> None:
    cost = Cost(
        iterations=10,
        exploitability=1.5,
        solving_seconds=0.1,
        total_seconds=0.2,
        line_count=5,
        board_count=1,
        byte_count=1000,
        is_partial=False,
        leaf=leaf,
        scope=scope_of(leaf, is_safe),
    )
    message = encode_cost(cost)
    assert decode_cost(message) == cost
    assert ("above_cut" in cost.scope) == bool(leaf)
    message.exploitability_scope = pb.Cost.SCOPE_UNSPECIFIED  # from an older resolver
    assert decode_cost(message).scope is scope_of(leaf)


def test_what_lay_below_is_named() -> None:
    assert below_words("") == ""
    assert "nobody bet again" in below_words("equity")
    assert "24-turn-96ef5c20" in below_words("24-turn-96ef5c20")
    flop = explanation([(CALL, 1, 100)], actions=FLOP)
    assert "24-turn-96ef5c20" in estimate_words(replace(flop, leaf="24-turn-96ef5c20"))
    assert "equity" in estimate_words(replace(flop, leaf="equity"))
    assert estimate_words(explanation([(CALL, 1, 100)])) == ""


def test_a_grade_says_whose_range_was_guessed_and_how() -> None:
    read = graded_against(replace(explanation([(CALL, 1, 100)]), read_count=3, resolved_count=1), "Bob")
    assert "a guess at Bob's range" in read
    assert "from 3 actions since the flop by the heuristic reading" in read
    assert "from 1 action before the flop by re-solving" in read
    before = graded_against(replace(explanation([(CALL, 1, 100)]), resolved_count=2))
    assert "heuristic" not in before
    assert "your opponent's range" in before
    assert "any holding is possible" in graded_against(explanation([(CALL, 1, 100)]))
