"""A server that deals without a player's contribution: a problem, unless the player knows why."""

import pytest

from riverboat.clients.bots.fairness import Fairness
from riverboat.clients.console.table.fair_deals import FairDeals
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.tables_client import read_view
from riverboat.tables.contributions import void_deal
from riverboat.tables.deals import offered
from tests.unit.dealing.sitting import ANN, Sitting, drawing


def shut_out(view: pb.View) -> None:
    """Tell Ann that she may not contribute."""
    view.coming_deal.may_contribute = False


def test_a_server_that_never_lets_us_contribute_is_a_problem_soon() -> None:
    sitting = Sitting()
    sitting.change = shut_out
    for _ in range(3):
        sitting.start()
        sitting.play()
    assert not sitting.sent
    assert sitting.problems == ["the server has dealt 3 hands in a row without our contribution"]


def test_a_server_that_never_shows_us_the_coming_deal_is_a_problem_soon() -> None:
    sitting = Sitting()
    sitting.change = lambda view: view.ClearField("coming_deal")
    for _ in range(3):
        sitting.start()
        sitting.play()
    assert sitting.problems == ["the server has dealt 3 hands in a row without our contribution"]


@pytest.mark.parametrize("voided_hand", [1, 2])
def test_who_did_not_reveal_in_time_knows_why_it_may_not_contribute(voided_hand: int) -> None:
    sitting = Sitting()
    if voided_hand == 2:
        sitting.start()
        sitting.play()
    sitting.line_up()
    sitting.is_dropping = True  # the secret is lost on its way
    sitting.look()
    sitting.void()
    sitting.is_dropping = False
    assert sitting.table.player(ANN).is_barred
    for _ in range(4):
        sitting.start()
        sitting.play()
    assert not sitting.problems
    assert sitting.notes.count("it was dealt without our contribution") == 4


def test_blame_for_a_secret_that_the_server_had_is_a_problem() -> None:
    sitting = Sitting()
    sitting.line_up()
    sitting.look()
    sitting.look()  # Ann sees that her secret has arrived
    deal = sitting.table.next_deal
    assert deal
    deal.secrets.pop(ANN)
    sitting.void()
    (problem,) = sitting.problems
    assert "because our secret was missing, though it had it" in problem


def test_a_secret_that_was_due_while_the_connection_was_gone_is_no_problem() -> None:
    sitting = Sitting()
    sitting.line_up()
    sitting.do(void_deal(sitting.table, sitting.entropy()))
    sitting.do(sitting.table.start_hand(sitting.entropy()))
    sitting.ann.witness.reconnect()
    for _ in range(4):
        sitting.play()
        sitting.start()
    assert not sitting.problems


def test_who_sits_down_after_a_void_attempt_is_excused_for_that_hand_only() -> None:
    sitting = Sitting()
    sitting.ann.see(read_view(sitting.view()))
    sitting.ann = Fairness(sitting.findings.append, drawing(5_000))
    deal = sitting.table.next_deal
    assert deal
    sitting.change = shut_out
    sitting.do([offered(deal._deck, 1, 2, sitting.entropy())])
    for hand in range(1, 5):
        assert not sitting.problems, hand
        sitting.start()
        sitting.play()
    assert sitting.problems == ["the server has dealt 3 hands in a row without our contribution"]


def test_the_console_says_that_no_deal_was_proved() -> None:
    sitting = Sitting()
    sitting.change = shut_out
    fair_deals = FairDeals(None, None, lambda _: None)  # type: ignore[arg-type]  # it has nothing to send
    assert fair_deals.summary([]) == []
    sitting.start()
    sitting.play()
    for finding in sitting.findings:
        fair_deals._note(finding)
    assert fair_deals.summary([1]) == ["deals: 0 verified; 1 not proved: it was dealt without our contribution"]


def test_a_witness_keeps_nothing_of_old_hands() -> None:
    sitting = Sitting()
    for _ in range(12):
        sitting.start()
        sitting.play()
    witness = sitting.ann.witness
    assert len(sitting.sent) == 25, "a commitment and a secret for each hand, and a commitment to the next"
    kept = [sent.hand_number for sent in witness._sent], [number for number, _ in witness._told], list(witness._hands)
    assert all(number > 10 for numbers in kept for number in numbers)
