"""Attacks by a dishonest server, which a client with a witness notices."""

from collections.abc import Callable

import pytest

from riverboat.cards import DECKS, Deck, format_card, parse_cards
from riverboat.clients.console.hands.deals import dealt_in_record, problems, unproved
from riverboat.dealing.mix import Offer, seat_commitment
from riverboat.dealing.predeck import PreDeck
from riverboat.dealing.shuffle import shuffle_by_seed
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.tables_client import decode_record, read_view
from riverboat.tables import deals
from riverboat.tables.config import Reveal
from riverboat.tables.contributions import line_up
from riverboat.tables.view import view_of
from tests.unit.clients.console.table import tables
from tests.unit.dealing.sitting import ANN, BOB, Sitting, with_reveal

OTHER = "ab" * 32


def started(view: pb.View) -> pb.TableEvent.HandStarted | None:
    return next((event.hand_started for event in view.events if event.HasField("hand_started")), None)


def test_an_honest_server_is_proved_honest() -> None:
    for reveal in Reveal:
        sitting = Sitting(with_reveal(reveal))
        for _ in range(3):
            sitting.start()
            sitting.play()
        assert sitting.proved == [1, 2, 3]
        assert not sitting.problems + sitting.notes
        seeds = [sitting.record(number).events[-1].hand_ended.seed for number in (1, 2, 3)]
        assert [bool(seed) for seed in seeds] == [reveal == Reveal.ALL] * 3


# (a) another deal after the hand


def test_a_record_that_was_replaced_after_the_hand_contradicts_the_witness() -> None:
    """The record is consistent: only the witness from before the hand reveals the fraud."""
    sitting, other = Sitting(with_reveal(Reveal.ALL), seed=1), Sitting(with_reveal(Reveal.ALL), seed=2)
    for one in (sitting, other):
        one.start()
        one.play()
    memory = sitting.ann.witness.memories[1]
    assert list(problems(dealt_in_record(decode_record(sitting.record())), memory)) == []
    false = dealt_in_record(decode_record(other.record()))
    assert list(problems(false)) == [], "nothing is wrong with it by itself"
    assert unproved(false, None) == ["its commitment was not seen before the hand"]
    assert "was announced before it" in next(problems(false, memory))


def test_a_deal_that_is_replaced_in_the_last_view_is_noticed() -> None:
    sitting, other = Sitting(seed=1), Sitting(seed=2)
    for one in (sitting, other):
        one.start()
    other.play()
    sitting.change = lambda view: view.events[0].CopyFrom(other.record().events[0])
    sitting.play()
    assert "the server changed how the hand was dealt, after it had started" in sitting.problems


def test_a_deal_v1_is_checked_against_the_commitment_that_was_seen_when_it_started() -> None:
    table = tables.deal(tables.table_of("ann", "bob"))
    sitting = Sitting()
    sitting.ann.see(view_of(table, ANN, 0))
    other = tables.play(tables.deal(tables.table_of("ann", "bob"), bytes(32)), -1)
    sitting.ann.see(view_of(other, ANN, 0))
    assert "the server changed its commitment during the hand" in sitting.problems


# (b) other decks, once the contributions are known


def test_decks_that_are_chosen_after_the_contributions_are_noticed() -> None:
    sitting, other = Sitting(seed=1), Sitting(seed=2)
    sitting.line_up()
    sitting.look()
    deal, chosen = sitting.table.next_deal, other.table.next_deal
    assert deal
    assert chosen
    assert not deal.missing
    chosen.lineup, chosen.secrets = deal.lineup, deal.secrets
    sitting.table.next_deal = chosen
    sitting.do(sitting.table.start_hand(sitting.entropy()))
    sitting.look()
    assert "was announced before it" in sitting.problems[0]


def test_other_roots_under_the_same_commitment_are_noticed() -> None:
    sitting = Sitting()

    def change(view: pb.View) -> None:
        if begun := started(view):
            begun.roots[0] = OTHER

    sitting.change = change
    sitting.start()
    assert "the commitment does not match the two pre-decks" in sitting.problems


def test_a_commitment_that_changes_before_the_hand_is_noticed_and_no_secret_is_sent() -> None:
    sitting = Sitting()
    sitting.look()

    def change(view: pb.View) -> None:
        roots = (OTHER, OTHER)
        view.coming_deal.roots[:] = roots
        view.coming_deal.commitment = Offer(view.table_id, 1, 1, roots).commitment

    sitting.change = change
    sitting.do(line_up(sitting.table, sitting.entropy()))
    sitting.look()
    assert sitting.problems == ["the server changed its commitment before the hand"]
    assert not any(one.secret for one in sitting.sent)


def test_an_attempt_that_is_repeated_in_secret_is_noticed() -> None:
    """The server knows all secrets, dislikes the deal, and starts another attempt without asking anybody."""
    sitting = Sitting()
    sitting.line_up()
    sitting.look()
    deal = sitting.table.next_deal
    assert deal
    sitting.table.next_deal = None
    sitting.do([deals.offered(sitting.table.config.variant.deck, 1, 2, sitting.entropy())])
    sitting.do(sitting.table.start_hand(sitting.entropy()))
    sitting.look()
    assert "of attempt 1 was announced before it" in sitting.problems[0]


# (c) the server's own agent contributes last


def test_an_agent_that_chooses_its_secret_last_is_noticed() -> None:
    sitting = Sitting()
    sitting.line_up()
    sitting.look()
    deal = sitting.table.next_deal
    assert deal
    deal.secrets[BOB] = OTHER  # chosen when Ann's was known
    sitting.do(sitting.table.start_hand(sitting.entropy()))
    sitting.look()
    assert "chair 1's secret in the hand is not the one that was committed to" in sitting.problems


def test_an_agent_that_contributes_without_having_committed_is_noticed() -> None:
    sitting = Sitting()
    sitting.look()
    deal = sitting.table.next_deal
    assert deal
    deal.forget(BOB)
    sitting.do(line_up(sitting.table, sitting.entropy()))
    sitting.look()
    deal.secrets[BOB] = OTHER
    sitting.do(sitting.table.start_hand(sitting.entropy()))
    sitting.look()
    assert "chair 1's secret in the hand is not the one that was committed to" in sitting.problems


def test_a_lineup_that_changes_is_noticed() -> None:
    """A player who has seen Ann's secret commits to something else, or gets up to move the cards."""

    def other_commitment(view: pb.View) -> None:
        view.coming_deal.lineup[0].commitment = OTHER

    def other_order(view: pb.View) -> None:
        first = view.coming_deal.lineup[0]
        moved = pb.ComingDeal.Seat(chair=first.chair, commitment=first.commitment)
        del view.coming_deal.lineup[0]
        view.coming_deal.lineup.append(moved)

    for change in (other_commitment, other_order):
        sitting = Sitting()
        sitting.line_up()
        sitting.look()
        sitting.change = change
        sitting.look()
        assert sitting.problems == ["the server changed the lineup"]


def test_cards_for_other_chairs_than_the_lineup_s_are_noticed() -> None:
    sitting = Sitting()
    sitting.line_up()
    sitting.look()
    deal = sitting.table.next_deal
    assert deal
    assert deal.lineup
    deal.lineup = type(deal.lineup)(deal.lineup.chairs[::-1], deal.lineup.commitments[::-1])
    sitting.do(sitting.table.start_hand(sitting.entropy()))
    sitting.look()
    assert any("the lineup was" in text for text in sitting.problems)


def test_a_secret_is_revealed_only_when_our_own_commitment_is_in_the_lineup() -> None:
    sitting = Sitting()
    sitting.look()

    def change(view: pb.View) -> None:
        for seat in view.coming_deal.lineup:
            if seat.chair == ANN:
                seat.commitment = seat_commitment(view.coming_deal.commitment, ANN, OTHER)

    sitting.change = change
    sitting.do(line_up(sitting.table, sitting.entropy()))
    sitting.look()
    assert sitting.problems == ["the lineup has a commitment for our chair that is not ours"]
    assert [(bool(one.commitment), bool(one.secret)) for one in sitting.sent] == [(True, False)]


# (d) other cards at the showdown


@pytest.mark.parametrize("when", ["from the start", "at the showdown", "in the middle"])
def test_a_holding_that_is_not_the_one_that_is_played_is_noticed(when: str) -> None:
    sitting = Sitting()

    def swap(view: pb.View) -> None:
        """Replace a card by one that nobody has, with the old opening."""
        held = parse_cards(view.holding)
        free = next(card for card in range(52) if card not in held)
        view.holding = format_card(free) + view.holding[2:]

    def show(view: pb.View) -> None:
        for event in view.events:
            if event.HasField("shown") and event.shown.seat == view.seat:
                other = next(one.shown for one in view.events if one.HasField("shown") and one.shown.seat != view.seat)
                event.shown.CopyFrom(pb.TableEvent.Shown(seat=view.seat, cards=other.cards, openings=other.openings))

    changes: dict[str, Callable[[pb.View], None]] = {
        "from the start": lambda view: swap(view) if view.holding else None,
        "at the showdown": show,
        "in the middle": lambda view: swap(view) if view.action_number == 3 else None,
    }
    sitting.change = changes[when]
    sitting.start()
    sitting.play()
    assert sitting.problems
    assert not sitting.proved


def test_cards_without_a_proof_are_noticed() -> None:
    sitting = Sitting()
    sitting.change = lambda view: view.ClearField("openings")
    sitting.start()
    assert "0 openings for 2 cards" in sitting.problems[0]


def test_a_board_card_that_is_not_the_one_that_was_committed_to_is_noticed() -> None:
    sitting = Sitting()

    def change(view: pb.View) -> None:
        for event in view.events:
            if event.HasField("board_dealt"):
                event.board_dealt.cards = event.board_dealt.cards[2:] + event.board_dealt.cards[:2]

    sitting.change = change
    sitting.start()
    sitting.play()
    assert any("of the board" in text for text in sitting.problems)


# (e) a false pre-deck


def test_a_false_pre_deck_is_noticed_whenever_it_is_the_one_that_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """One pre-deck has two aces of spades: Ann's secret has it opened in half of the hands."""
    deck, build = DECKS["52"], deals._pre_deck
    false = PreDeck((51, *deck.cards[1:]), [bytes([place]) * 16 for place in range(52)])  # no two of clubs
    outcomes = []
    for seed in range(100, 120):  # no hand deals both, which the rules would refuse
        sitting = Sitting(seed=seed)
        deal = sitting.table.next_deal
        assert deal
        cheat = deal._seed(0)

        def pre_deck(name: str, key: bytes, cheat: bytes = cheat) -> PreDeck:
            return false if key == cheat else build(name, key)

        def shuffle(deck: Deck, key: bytes, cheat: bytes = cheat) -> tuple[int, ...]:
            return false.cards if key == cheat else shuffle_by_seed(deck, key)

        deal.offer = Offer(deal.offer.table_id, 1, 1, (false.root, deal.offer.roots[1]))
        deal.commitment = deal.offer.commitment
        with monkeypatch.context() as patch:
            patch.setattr(deals, "_pre_deck", pre_deck)
            patch.setattr(deals, "shuffle_by_seed", shuffle)
            sitting.start()
            begun = started(sitting.view())
        assert begun
        is_opened = begun.other_seed == cheat.hex()
        outcomes.append(is_opened)
        text = "pre-deck 0, which was opened, is not the one that was committed to"
        assert sitting.problems == [text] * is_opened
    assert 5 < sum(outcomes) < 15


# (f) Ann's contributions are dropped


def test_a_contribution_that_the_server_had_and_left_out_is_noticed() -> None:
    sitting = Sitting()
    sitting.line_up(forgotten=ANN)
    sitting.look()
    assert sitting.problems == ["the server left our contribution out of the lineup, though it had it"]


def test_contributions_that_never_arrive_are_noted_at_once_and_are_a_problem_soon() -> None:
    sitting = Sitting()
    sitting.is_dropping = True
    for hand in range(3):
        sitting.start()
        sitting.play()
        assert len(sitting.notes) == min(2, hand + 1)
    assert set(sitting.notes) == {"it was dealt without our contribution"}
    assert sitting.problems == ["the server has dealt 3 hands in a row without our contribution"]
    assert not sitting.proved


# What is left to a server with a dishonest seat


def test_a_void_attempt_is_seen_and_bars_who_caused_it() -> None:
    sitting = Sitting()
    sitting.line_up()
    for contribution in sitting.ann.see(read_view(sitting.view())):
        sitting.sent.append(contribution)
    deal = sitting.table.next_deal
    assert deal
    deal.reveal(ANN, sitting.sent[-1].secret)
    assert deal.missing == [BOB]
    sitting.void()
    assert sitting.table.player(BOB).is_barred
    assert not sitting.table.player(ANN).is_barred
    sitting.start()
    sitting.play()
    assert sitting.notes == ["it took 2 attempts: somebody did not reveal what they had committed to"]
    assert not sitting.problems
    begun = sitting.record().events[0].hand_started
    assert begun.attempt == 2
    assert [bool(secret) for secret in begun.secrets] == [chair == ANN for chair in begun.chairs]


def test_an_attempt_that_goes_back_is_noticed() -> None:
    sitting = Sitting()
    sitting.line_up()
    sitting.void()
    sitting.look()

    def change(view: pb.View) -> None:
        view.coming_deal.attempt = 1
        view.coming_deal.commitment = Offer(view.table_id, 1, 1, tuple(view.coming_deal.roots)).commitment

    sitting.change = change
    sitting.look()
    assert sitting.problems == ["the server went back from attempt 2 to attempt 1"]


def test_a_deal_v1_where_pre_decks_were_offered_is_noticed() -> None:
    sitting = Sitting()
    sitting.line_up()
    sitting.look()
    tables.deal(sitting.table)
    sitting.look()
    assert sitting.problems == ["the hand was not dealt from the pre-decks that were offered for it"]


def test_what_cannot_be_read_is_a_problem() -> None:
    sitting = Sitting()
    sitting.start()
    sitting.change = lambda view: setattr(view, "holding", "XxYy")
    sitting.look()
    assert "cannot be read" in sitting.problems[0]


def test_an_offer_for_another_hand_or_table_is_a_problem() -> None:
    sitting = Sitting()
    sitting.change = lambda view: setattr(view.coming_deal, "hand_number", 7)
    sitting.look()
    assert not sitting.sent
    assert sitting.problems == ["the server offers a deal for hand 7 of table '3f2a91c0d4e5'"]
