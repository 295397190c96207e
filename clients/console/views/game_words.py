"""A game in words: its name, its deck unless it is the usual one, its blinds and its restrictions."""

from riverboat.cards import DECKS
from riverboat.clients.console.views.text import chips_text, plain
from riverboat.rules.restrictions import restriction_words
from riverboat.rules.variant import Variant

_USUAL_DECK = "52"


def deck_words(deck: str) -> tuple[str, ...]:
    """Return "24 cards"; nothing for 52."""
    if deck in ("", _USUAL_DECK):
        return ()
    is_holdem = deck in DECKS and DECKS[deck].is_holdem
    return (f"{len(DECKS[deck].cards)} cards" if is_holdem else f"{plain(deck, 20)} deck",)


def game_words(variant: Variant) -> str:
    """Return "no-limit hold'em, 24 cards, blinds 50/100"."""
    words = [plain(variant.name, 40), *_deck_beside_name(variant)]
    for name, chips in (("blinds", variant.blinds), ("ante", variant.antes), ("posts", variant.posts)):
        if any(chips):
            words.append(f"{name} {'/'.join(map(chips_text, chips))}")
    return ", ".join(words)


def whole_game(variant: Variant, stack: int) -> str:
    """Return "no-limit hold'em, 24 cards, blinds 50/100, stacks of 10,000, no all-in"."""
    return ", ".join((game_words(variant), f"stacks of {chips_text(stack)}", *restriction_words(variant)))


def short_game(variant: Variant) -> str:
    """Return "no-limit 50/100, 24 cards, no all-in"."""
    chips = variant.blinds if any(variant.blinds) else variant.antes
    name = plain(variant.name, 20).removesuffix(" hold'em")
    game = f"{name} {'/'.join(map(chips_text, chips))}"
    return ", ".join((game, *_deck_beside_name(variant), *restriction_words(variant)))


def _deck_beside_name(variant: Variant) -> tuple[str, ...]:
    """Return the deck, unless the game is named after it."""
    return () if variant.deck.name in variant.name else deck_words(variant.deck.name)
