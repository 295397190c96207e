"""Small questions about cards, answered in this process by the library that oracles use, without starting anything."""

import os
import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np

from riverboat.cards import DECKS, Deal, Deck, deal, find_deck, parse_cards
from riverboat.clients.local.settings import server_in_environment
from riverboat.clients.remote.refusals import FieldNames, refusal_of_own
from riverboat.contracts.oracle import Classification, EquityStep, EquityText, Showdown
from riverboat.equity import equity_steps, matchup
from riverboat.equity.rollouts import check_rollouts
from riverboat.errors import RiverboatError, in_field
from riverboat.holdings import holdings_of
from riverboat.parallel import on_threads
from riverboat.ranges import parse_range
from riverboat.strength.hands import classify, showdown

_SEED_BITS = 53  # the integers that every JSON reader keeps exactly


class OwnOracle:
    """Answers as an oracle's client does, and names the same fields in its errors."""

    def decks(self) -> list[tuple[str, str, int, int]]:
        """Return the name, description, number of cards and number of holdings of each deck."""
        return [(deck.name, deck.about, len(deck.cards), holdings_of(deck).count) for deck in DECKS.values()]

    def deal(self, *, deck: str, holding_count: int, board_size: int, seed: int | None) -> tuple[Deal, int]:
        """Deal; return the deal and its seed."""
        used = secrets.randbits(_SEED_BITS) if seed is None else seed
        return deal(_deck(deck), holding_count, board_size, np.random.default_rng(used)), used

    def classify(self, deck: str, hands: Sequence[str]) -> list[Classification]:
        """Return the category and strength of each hand."""
        of = _deck(deck)
        classifications = []
        for i, text in enumerate(hands):
            with in_field(f"hands[{i}]"):
                classifications.append(classify(of, parse_cards(text)))
        return classifications

    def showdown(self, *, deck: str, board: str, holdings: Sequence[str]) -> Showdown:
        """Compare holdings on a board."""
        with in_field("board"):
            board_cards = parse_cards(board)
        private_cards = []
        for i, text in enumerate(holdings):
            with in_field(f"holdings[{i}]"):
                private_cards.append(parse_cards(text))
        return showdown(_deck(deck), board_cards, private_cards)

    def equity(self, question: EquityText) -> Iterator[tuple[EquityStep, int]]:
        """Yield steps towards an equity, each with the seed of its rollouts; the last step has the result."""
        deck, target_error = _deck(question.deck), question.target_error or 0.0
        with in_field("board"):
            board = parse_cards(question.board)
        with in_field("hero"):
            hero = parse_range(question.hero, deck)
        opponents = []
        for i, text in enumerate(question.opponents):
            with in_field(f"opponents[{i}]"):
                opponents.append(parse_range(text, deck))
        with in_field("rollouts"):
            check_rollouts(question.rollout_count or 1, target_error)
        players = matchup(deck, board, hero, opponents)
        seed = secrets.randbits(_SEED_BITS) if question.seed is None else question.seed
        threads = os.cpu_count() or 1
        with ThreadPoolExecutor(threads) as executor:
            steps = equity_steps(
                players,
                np.random.default_rng(seed),
                True if question.exact else False if question.wants_rollouts else None,
                question.rollout_count,
                target_error,
                on_threads(executor, 2 * threads),
            )
            for step in steps:
                yield step, seed


def _deck(name: str) -> Deck:
    with in_field("deck"):
        return find_deck(name)


def has_own_oracle(server: str | None) -> bool:
    """Return whether questions are answered in this process: no server is given, here or in the environment."""
    return not (server or server_in_environment("oracle"))


@contextmanager
def own_oracle(names: FieldNames) -> Iterator[OwnOracle]:
    """Answer in this process; errors leave the block as `Refused`, with fields renamed by `names`."""
    try:
        yield OwnOracle()
    except RiverboatError as error:
        raise refusal_of_own(error, names) from None
