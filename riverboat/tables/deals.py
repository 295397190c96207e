"""The next deal of a table while it is prepared, and the deck that a hand is dealt from."""

from functools import cached_property, lru_cache

from riverboat.cards import Deal, Deck, find_deck
from riverboat.dealing.mix import Lineup, Offer, dealt_index, is_digest, mix_of, order_of, seat_commitment
from riverboat.dealing.predeck import Opening, PreDeck, pre_deck
from riverboat.dealing.shuffle import deal_in_order, derived_seed, shuffle_by_seed
from riverboat.errors import IllegalAction, InvalidInput, Stale
from riverboat.tables.events import Offered

_KEPT_PRE_DECKS = 1024  # about 10 kB each: those of hands being played, and of hands on offer


class DealtDeck:
    """A pre-deck in the order that a mix gives. All cards but the opened ones are secret; it is built on first use."""

    def __init__(self, deck: Deck, seed: str, mix: str) -> None:
        self.deck, self.seed, self.mix = deck, seed, mix

    @property
    def _pre_deck(self) -> PreDeck:
        return _pre_deck(self.deck.name, bytes.fromhex(self.seed))

    @cached_property
    def _order(self) -> tuple[int, ...]:
        return order_of(self.mix, len(self.deck.cards))

    def deal(self, seat_count: int, board_size: int) -> Deal:
        """Return the holdings and the board."""
        cards = shuffle_by_seed(self.deck, bytes.fromhex(self.seed))  # without the tree, which a restart need not build
        return deal_in_order(self.deck, seat_count, board_size, tuple([cards[place] for place in self._order]))

    def openings(self, position: int, count: int) -> tuple[Opening, ...]:
        """Return the proofs of the cards at some positions of the deal."""
        return tuple(self._pre_deck.opening(self._order[i]) for i in range(position, position + count))

    def holding_openings(self, seat: int) -> tuple[Opening, ...]:
        """Return the proof of a seat's holding."""
        return self.openings(seat * self.deck.holding_size, self.deck.holding_size)


class NextDeal:
    """Two secret pre-decks for the next hand, and the chairs' contributions.

    Contributions are in no journal until the lineup is: after a crash, chairs see that theirs are missing and send
    them again. The pre-decks stay the same.
    """

    def __init__(self, table_id: str, deck: Deck, offered: Offered) -> None:
        self._deck, self._secret = deck, bytes.fromhex(offered.secret)
        self.offer = Offer(table_id, offered.hand_number, offered.attempt, offered.roots)
        self.commitment = self.offer.commitment
        self.lineup: Lineup | None = None
        self.commitments: dict[int, str] = {}  # by chair; secret until the lineup is complete
        self.secrets: dict[int, str] = {}  # by chair; secret until the hand starts

    def _seed(self, index: int) -> bytes:
        return derived_seed(self._secret, index)

    @property
    def missing(self) -> list[int]:
        """Chairs of the lineup that have not revealed their secrets."""
        if self.lineup is None:
            return []
        committed = zip(self.lineup.chairs, self.lineup.commitments, strict=True)
        return [chair for chair, commitment in committed if commitment and chair not in self.secrets]

    def lineup_of(self, chairs: tuple[int, ...]) -> Lineup:
        """Return the lineup of a hand that is dealt to these chairs."""
        return Lineup(chairs, tuple(self.commitments.get(chair, "") for chair in chairs))

    def secrets_of(self, chairs: tuple[int, ...]) -> tuple[str, ...]:
        """Return the revealed secrets of the lineup, by seat."""
        return tuple(self.secrets.get(chair, "") for chair in chairs)

    def deal(self, chairs: tuple[int, ...], secrets: tuple[str, ...]) -> tuple[DealtDeck, str]:
        """Return the deck that is dealt, and the seed of the other pre-deck, which is public from now on."""
        mix = mix_of(self.commitment, chairs, secrets)
        index = dealt_index(mix)
        return DealtDeck(self._deck, self._seed(index).hex(), mix), self._seed(1 - index).hex()

    def commit(self, chair: int, commitment: str) -> None:
        """Keep a chair's commitment; a later one replaces it until the lineup shows it."""
        _check_digest("commitment", commitment)
        if self.lineup is not None:
            raise Stale(f"the lineup of hand {self.offer.hand_number} is complete; it is too late to commit")
        self.commitments[chair] = commitment

    def reveal(self, chair: int, secret: str) -> None:
        """Keep a chair's secret, which must be the one that the chair has committed to."""
        _check_digest("secret", secret)
        if self.lineup is None:
            raise IllegalAction("keep the secret until the lineup is complete")
        if chair not in self.lineup.chairs or not self.lineup.commitments[self.lineup.chairs.index(chair)]:
            raise IllegalAction(f"chair {chair} has no commitment in the lineup")
        listed = self.lineup.commitments[self.lineup.chairs.index(chair)]
        if seat_commitment(self.commitment, chair, secret) != listed:
            raise InvalidInput("secret", "is not the one that was committed to")
        self.secrets[chair] = secret

    def forget(self, chair: int) -> None:
        """Drop a chair's contribution, because another player has the chair now."""
        self.commitments.pop(chair, None)


def offered(deck: Deck, hand_number: int, attempt: int, secret: bytes) -> Offered:
    """Return an offer of two pre-decks made from 32 secret bytes."""
    roots = tuple(_pre_deck(deck.name, derived_seed(secret, i)).root for i in (0, 1))
    return Offered(hand_number, attempt, secret.hex(), roots)


@lru_cache(maxsize=_KEPT_PRE_DECKS)
def _pre_deck(deck_name: str, seed: bytes) -> PreDeck:
    return pre_deck(find_deck(deck_name), seed)


def _check_digest(field: str, text: str) -> None:
    if not is_digest(text):
        raise InvalidInput(field, "must be 64 lower-case hexadecimal digits")
