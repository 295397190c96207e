"""The deal of one hand as it became known, and the checks that it must pass."""

from collections.abc import Iterator
from dataclasses import dataclass

from riverboat.cards import Deal, Deck, format_cards
from riverboat.dealing.mix import Lineup, Offer, dealt_index, is_digest, mix_of, order_of, seat_commitment
from riverboat.dealing.predeck import Opening, opens, pre_deck
from riverboat.dealing.shuffle import deal_in_order, shuffle_by_seed

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """Cards that were opened together, at positions of the deal that follow each other."""

    position: int  # of the first card, in the order of dealing
    cards: Cards
    openings: tuple[Opening, ...]  # one for each card


@dataclass(frozen=True, slots=True, kw_only=True)
class DealRecord:
    """The announcements about the deal of a hand: all of them, or those that one seat has seen."""

    offer: Offer
    commitment: str  # as the server announced it with the hand
    chairs: tuple[int, ...]  # by seat
    secrets: tuple[str, ...]  # by seat; "" for a seat that contributed nothing
    other_seed: str  # of the pre-deck that was not dealt
    board_size: int  # of the whole board
    opened: tuple[Opened, ...]
    seed: str = ""  # of the pre-deck that was dealt, where the table reveals all

    @property
    def mix(self) -> str:
        """Return the mix of all secrets."""
        return mix_of(self.commitment, self.chairs, self.secrets)

    @property
    def lineup(self) -> Lineup:
        """Return the lineup that the secrets belong to."""
        pairs = zip(self.chairs, self.secrets, strict=True)
        return Lineup(self.chairs, tuple(seat_commitment(self.commitment, *pair) if pair[1] else "" for pair in pairs))


def holding_position(deck: Deck, seat: int) -> int:
    """Return the position of a seat's first card in the order of dealing."""
    return seat * deck.holding_size


class DealCheck:
    """Checks one deal card by card, as its cards become known."""

    def __init__(self, record: DealRecord, deck: Deck) -> None:
        self._record, self._deck = record, deck
        self.is_sound = not _malformed(record, deck)
        self._mix = record.mix if self.is_sound else ""
        self._order = order_of(self._mix, len(deck.cards)) if self.is_sound else ()
        self._positions: dict[int, int] = {}  # of the cards that are known

    def start(self) -> Iterator[str]:
        """Yield what is wrong with the deal before any card is opened."""
        record = self._record
        if not self.is_sound:
            yield _malformed(record, self._deck)
            return
        if record.offer.commitment != record.commitment:
            yield "the commitment does not match the two pre-decks"
        other = 1 - dealt_index(self._mix)
        if pre_deck(self._deck, bytes.fromhex(record.other_seed)).root != record.offer.roots[other]:
            yield f"pre-deck {other}, which was opened, is not the one that was committed to"

    def cards(self, opened: Opened) -> Iterator[str]:
        """Yield what is wrong with cards that were opened."""
        card_count, text = len(self._deck.cards), format_cards(opened.cards)
        if len(opened.openings) != len(opened.cards):
            yield f"{text} came with {len(opened.openings)} openings for {len(opened.cards)} cards"
            return
        if not 0 <= opened.position <= card_count - len(opened.cards):
            yield f"{text} came for a position that is not in the deck"
            return
        root = self._record.offer.roots[dealt_index(self._mix)]
        for position, card in enumerate(opened.cards, start=opened.position):
            if not opens(root, card_count, self._order[position], card, opened.openings[position - opened.position]):
                yield f"{format_cards([card])} is not the card that was committed to for {self._name(position)}"
            if self._positions.setdefault(card, position) != position:
                yield f"{format_cards([card])} was dealt twice"  # possible in a false pre-deck

    def end(self, seed: str) -> Iterator[str]:
        """Yield what is wrong with the seed of the pre-deck that was dealt; "" was not revealed and is not checked."""
        if not seed:
            return
        if not is_digest(seed):
            yield "its seed is not 64 hexadecimal digits"
            return
        dealt = pre_deck(self._deck, bytes.fromhex(seed))
        if dealt.root != self._record.offer.roots[dealt_index(self._mix)]:
            yield "the seed is not the one that was committed to"
            return
        for card, position in self._positions.items():
            right = dealt.cards[self._order[position]]
            if card != right:
                yield f"{format_cards([card])} was shown where the seed deals {format_cards([right])}"

    def _name(self, position: int) -> str:
        board = len(self._record.chairs) * self._deck.holding_size
        if position < board:
            return f"seat {position // self._deck.holding_size}"
        return f"card {position - board + 1} of the board"


def problems(record: DealRecord, deck: Deck) -> Iterator[str]:
    """Yield everything that is wrong with a deal; nothing if every known card is proved."""
    check = DealCheck(record, deck)
    yield from check.start()
    if check.is_sound:
        for opened in record.opened:
            yield from check.cards(opened)
        yield from check.end(record.seed)


def revealed_deal(record: DealRecord, deck: Deck) -> Deal:
    """Return all cards of a deal whose seed was revealed."""
    cards = shuffle_by_seed(deck, bytes.fromhex(record.seed))
    dealt = tuple(cards[place] for place in order_of(record.mix, len(cards)))
    return deal_in_order(deck, len(record.chairs), record.board_size, dealt)


def _malformed(record: DealRecord, deck: Deck) -> str:
    """Return why a record cannot be checked at all; "" if it can."""
    digests = [record.commitment, record.other_seed, *record.offer.roots, *filter(None, record.secrets)]
    if not all(map(is_digest, digests)):
        return "a commitment, root, secret or seed is not 64 hexadecimal digits"
    if len(record.offer.roots) != 2 or len(record.chairs) != len(record.secrets):
        return "it does not have two roots, and a place for a secret for each seat"
    if len(record.chairs) * deck.holding_size + record.board_size > len(deck.cards):
        return f"the {deck.name} deck has too few cards for {len(record.chairs)} seats"
    return ""
