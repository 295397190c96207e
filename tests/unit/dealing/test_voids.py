"""Void attempts: a server cannot redraw until it likes a deal, and a seat can help it only once."""

from riverboat.rpc.convert.tables_client import read_view
from riverboat.tables.deals import offered
from riverboat.tables.events import HandStarted
from tests.unit.dealing.sitting import ANN, BOB, Sitting


def test_an_attempt_that_everybody_revealed_for_is_not_given_up() -> None:
    """Only Ann contributes: once she has revealed, the server knows the deal and draws again."""
    sitting = Sitting()
    deal = sitting.line_up(forgotten=BOB)
    sitting.look()
    assert ANN in deal.secrets
    sitting.do([offered(sitting.table.config.variant.deck, 1, 2, sitting.entropy())])
    sitting.look()
    (problem,) = sitting.problems
    assert problem.startswith("the server gave up attempt 1")


def test_a_seat_that_did_not_reveal_explains_a_void_attempt() -> None:
    sitting = Sitting()
    sitting.line_up()
    for contribution in sitting.ann.see(read_view(sitting.view())):
        assert contribution.secret
    sitting.void()
    assert not sitting.problems


def test_a_chair_that_voided_an_attempt_does_not_contribute_to_the_hand_again() -> None:
    """The server does not bar its own agent, which could void the next attempt as well."""
    sitting = Sitting()
    deal = sitting.line_up()
    sitting.look()
    deal.secrets.pop(BOB)
    sitting.void()
    bob = sitting.table.player(BOB)
    assert bob.is_barred
    bob.is_barred = False
    sitting.line_up()
    sitting.look()
    assert f"chair {BOB} contributes again to a hand after voiding an attempt" in sitting.problems


def test_an_acknowledged_contribution_is_in_the_hand() -> None:
    """The server never shows a lineup."""
    sitting = Sitting()
    sitting.look()
    sitting.look()
    sitting.do(sitting.table.start_hand(sitting.entropy()))
    sitting.look()
    assert sitting.problems == ["the hand was dealt without our contribution, though the server had it"]


def test_an_ordinary_table_does_not_go_back_to_seeds_of_the_server() -> None:
    """Deals v1 are for matches; a table that deals only those counts as leaving us out."""
    sitting = Sitting()
    for number in (1, 2, 3):
        sitting.table.next_deal = None
        chairs, stacks = sitting.table.next_chairs, tuple(sitting.table.stacks)
        sitting.do([HandStarted(hand_number=number, chairs=chairs, stacks=stacks, seed=f"{number:02x}" * 32)])
        sitting.look()
        sitting.play(-1)
    assert sitting.problems == ["the server has dealt 3 hands in a row without our contribution"]
