"""Cards, decks and dealing.

A card is an integer 0..51 = 4 * rank + suit, with ranks 2..A as 0..12 and suits c, d, h, s as 0..3,
in every deck: the nine of clubs is 28 in the 52-card deck and in the 24-card deck. A deck says which
cards are in use, how many private cards a player holds, how many cards the board has on each street,
and by which ordering hands are compared.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput

RANKS = "23456789TJQKA"
SUITS = "cdhs"
CARD_COUNT = 52
_CARD_TEXTS = tuple(rank + suit for rank in RANKS for suit in SUITS)
OTHER_SIGNS = str.maketrans("♣♦♥♠,", "cdhs ")
_CARDS = {text: card for card, text in enumerate(_CARD_TEXTS)}
LONGEST_CARDS_TEXT = 400  # characters: a whole deck with separators; more is not a list of cards


class Ordering(Enum):
    """How five cards compare."""

    STANDARD = "standard"  # the ten categories as usual; the ace is also low in A-2-3-4-5
    SHORT = "short"  # six-plus: a flush beats a full house; the ace is also low in A-6-7-8-9
    PAIR = "pair"  # one private card: a pair with the board beats any card without one, then rank


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """Which cards are in play and how they are held and compared."""

    name: str
    about: str
    ranks: tuple[int, ...]
    suits: tuple[int, ...]
    holding_size: int  # private cards of one player
    board_sizes: tuple[int, ...]  # cards on the board on each street, first street first
    ordering: Ordering
    cards: tuple[int, ...] = field(init=False, compare=False)  # in ascending order
    members: frozenset[int] = field(init=False, compare=False)  # the same as a set
    array: NDArray[np.int64] = field(init=False, compare=False, repr=False)  # and as an array

    def __post_init__(self) -> None:
        cards = tuple(4 * rank + suit for rank in self.ranks for suit in self.suits)
        object.__setattr__(self, "cards", cards)
        object.__setattr__(self, "members", frozenset(cards))
        object.__setattr__(self, "array", np.array(cards))

    @property
    def is_holdem(self) -> bool:
        """Whether players hold two cards and make five-card hands with a board of up to five."""
        return self.holding_size == 2


def _holdem(name: str, about: str, lowest: str, ordering: Ordering) -> Deck:
    ranks = tuple(range(RANKS.index(lowest), len(RANKS)))
    return Deck(
        name=name,
        about=about,
        ranks=ranks,
        suits=(0, 1, 2, 3),
        holding_size=2,
        board_sizes=(0, 3, 4, 5),
        ordering=ordering,
    )


_FACES = tuple(RANKS.index(rank) for rank in "JQK")

DECKS: dict[str, Deck] = {
    deck.name: deck
    for deck in (
        _holdem("52", "the full deck, two to ace", "2", Ordering.STANDARD),
        _holdem("36", "six to ace; a flush beats a full house, A-6-7-8-9 is a straight", "6", Ordering.SHORT),
        _holdem("24", "nine to ace; ordinary ordering, the ace is high only", "9", Ordering.STANDARD),
        Deck(
            name="leduc",
            about="jack, queen and king in two suits; one private, one board card",
            ranks=_FACES,
            suits=(2, 3),
            holding_size=1,
            board_sizes=(0, 1),
            ordering=Ordering.PAIR,
        ),
        Deck(
            name="kuhn",
            about="jack, queen and king of spades; one private card, no board",
            ranks=_FACES,
            suits=(3,),
            holding_size=1,
            board_sizes=(0,),
            ordering=Ordering.PAIR,
        ),
    )
}


def find_deck(name: str) -> Deck:
    """Return the deck called `name`."""
    try:
        return DECKS[name]
    except KeyError:
        known = ", ".join(DECKS)
        raise InvalidInput("", f"no deck is called {name[:20]!r}; the decks are {known}") from None


def parse_card(text: str) -> int:
    """Return a card from its two letters: "Ah" is 50; ranks in either case, ten as "T"."""
    card = _CARDS.get(text)
    if card is None and len(text) == 2:
        card = _CARDS.get(text[0].upper() + text[1].lower())
    if card is not None:
        return card
    raise InvalidInput("", f"{text[:20]!r} is not a card; write a rank of {RANKS} and a suit of {SUITS}, like Ah")


def format_card(card: int) -> str:
    """Return a card's two letters."""
    return _CARD_TEXTS[card]


def parse_cards(text: str) -> tuple[int, ...]:
    """Return cards written one after another, "AhKh" or "Ah Kh" or "A♥,K♥"; ten is T or 10; order is kept."""
    if len(text) > LONGEST_CARDS_TEXT:
        raise InvalidInput(
            "", f"{len(text):,} characters are too many for a list of cards; the limit is {LONGEST_CARDS_TEXT}"
        )
    letters = "".join(text.translate(OTHER_SIGNS).replace("10", "T").split())
    if len(letters) % 2:
        raise InvalidInput("", f"{text[:40]!r} is not a list of cards: each has a rank and a suit, like AhTd")
    return tuple([parse_card(letters[i : i + 2]) for i in range(0, len(letters), 2)])


def format_cards(cards: Iterable[int]) -> str:
    """Return cards as one word, in the given order: "AhKh"."""
    return "".join([_CARD_TEXTS[card] for card in cards])


def check_cards(deck: Deck, *groups: Sequence[int]) -> None:
    """Raise unless every card is in the deck and no card appears twice, in one group or in two."""
    seen: set[int] = set()
    for group in groups:
        for card in group:
            if card not in deck.members:
                shown = format_card(card) if 0 <= card < CARD_COUNT else str(card)
                raise InvalidInput("", f"{shown} is not in the {deck.name} deck ({deck.about})")
            if card in seen:
                raise InvalidInput("", f"{format_card(card)} appears twice")
            seen.add(card)


def check_board(deck: Deck, board: Sequence[int]) -> None:
    """Raise unless `board` has as many cards as one of the deck's streets, all in the deck and none twice."""
    if len(board) not in deck.board_sizes:
        sizes = " or ".join(", ".join(map(str, deck.board_sizes)).rsplit(", ", 1))
        raise InvalidInput("", f"a board of the {deck.name} deck has {sizes} cards, not {len(board)}")
    check_cards(deck, board)


def card_mask(cards: Iterable[int]) -> int:
    """Return cards as a 52-bit set."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def shuffle(deck: Deck, rng: np.random.Generator) -> tuple[int, ...]:
    """Return all cards of the deck in random order, every order equally likely."""
    return tuple(rng.permutation(deck.array).tolist())


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards dealt from one shuffle: to the holdings in turn, then the board; the rest undealt."""

    holdings: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]
    stub: tuple[int, ...]


def deal(deck: Deck, holding_count: int, board_size: int, rng: np.random.Generator) -> Deal:
    """Deal `holding_count` holdings and a board of `board_size` cards from a fresh shuffle."""
    size = deck.holding_size
    cut = holding_count * size
    wanted = cut + board_size
    if holding_count < 0 or board_size < 0 or wanted > len(deck.cards):
        _refuse_deal(deck, holding_count, board_size, wanted)
    cards = shuffle(deck, rng)
    holdings = tuple([cards[i : i + size] for i in range(0, cut, size)])
    return Deal(holdings, cards[cut:wanted], cards[wanted:])


def _refuse_deal(deck: Deck, holding_count: int, board_size: int, wanted: int) -> NoReturn:
    for name, count in (("holding_count", holding_count), ("board_size", board_size)):
        if count < 0:
            raise InvalidInput(name, f"cannot be negative, but is {count}")
    raise InvalidInput(
        "holding_count",
        f"{holding_count} holdings and {board_size} board cards need {wanted} cards; "
        f"the {deck.name} deck has {len(deck.cards)}",
    )
