"""Kuhn and Leduc as problems of a search, with an opponent whose strategy is known."""

from dataclasses import dataclass

import numpy as np

from riverboat.holdings import holdings_of
from riverboat.opponents.card_models import CardTables
from riverboat.opponents.features import record_size, situation_of, start_record
from riverboat.opponents.moves import CHOICE_COUNT, SIZE_COUNT
from riverboat.opponents.styles import LEAF, Forest
from riverboat.opponents.tendencies import SITUATION_COUNT
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import PublicState, start
from riverboat.rules.variant import KUHN, LEDUC, Variant
from riverboat.search.problem import F64, Problem, added_up

GAMES = {"kuhn": KUHN, "leduc": LEDUC}
BUCKETS = 10  # after the first street: 0 to 2 without a pair, 3 for a pair
STACK = 100


@dataclass(frozen=True, slots=True, eq=False)
class Opponent:
    """An opponent who acts by its bucket and by whether there is a bet to call, on each street."""

    variant: Variant
    chances: F64  # [2 streets, 2, BUCKETS, 3]: of a fold or check, a call, a bet or raise

    def bucket(self, state: PublicState, holding: int) -> int:
        """Return the bucket of a holding: itself, then its rank or a pair."""
        if state.street == 0:
            return holding
        rank, board = (cards >> 2 for cards in (int(holdings_of(self.variant.deck).cards[holding, 0]), state.board[0]))
        return 3 if rank == board else rank - 9

    def of(self, state: PublicState, holding: int) -> dict[int, float]:
        """Return the chances of actions of a holding."""
        chances = self.chances[state.street, int(state.to_call > 0), self.bucket(state, holding)]
        pairs = {FOLD if state.to_call else CALL: chances[0]}
        if state.to_call:
            pairs[CALL] = chances[1]
        raising = float(chances[2])
        if state.raise_limits:
            pairs[state.raise_limits[0]] = raising
        else:
            pairs[CALL] = pairs[CALL] + raising  # as the search has it
        return pairs


def random_opponent(name: str, seed: int) -> Opponent:
    """Return an opponent with any strategy."""
    rng = np.random.default_rng(seed)
    chances = rng.dirichlet(np.full(3, 0.7), (2, 2, BUCKETS))
    chances[:, 0, :, 0] += chances[:, 0, :, 1]
    chances[:, 0, :, 1] = 0
    return Opponent(GAMES[name], chances)


def tables_of(opponent: Opponent) -> CardTables:
    """Return the same opponent as card tables: one leaf for each situation."""
    rows = np.zeros((SITUATION_COUNT, BUCKETS, CHOICE_COUNT), np.float32)
    for street in range(2):
        for faced in range(2):
            row = rows[situation_of(street, bool(faced))]
            row[:, 0] = opponent.chances[street, faced, :, 0]
            row[:, 1 + faced] = opponent.chances[street, faced, :, 2]
            if faced:
                row[:, 1] = opponent.chances[street, faced, :, 1]
    rows[4:, :, 0] = 1
    leaves = np.arange(SITUATION_COUNT)
    forest = Forest(
        feature=np.full(SITUATION_COUNT, LEAF, np.int16),
        cut=np.zeros(SITUATION_COUNT, np.float32),
        right=leaves.astype(np.int32),
        roots=leaves[None].astype(np.int32),
    )
    return CardTables(
        forest=forest,
        first_row=(leaves * BUCKETS).astype(np.int32),
        chances=rows.reshape(-1, CHOICE_COUNT),
        classes=np.arange(holdings_of(opponent.variant.deck).count),
        flop_shares=np.full(BUCKETS, 1 / BUCKETS),
        river_shares=np.full(BUCKETS, 1 / BUCKETS),
    )


def problem_of(opponent: Opponent, seat: int, holding: int) -> Problem:
    """Return the problem of a seat with a holding, from the start of a hand."""
    variant = opponent.variant
    state = start(variant, [STACK, STACK])
    cards = holdings_of(variant.deck).cards[:, 0]
    deals = [(card,) for card in variant.deck.cards] if variant is LEDUC else [()]
    boards = np.zeros((len(deals), 5), np.uint8)
    strengths = np.zeros((len(deals), len(cards)), np.int64)
    places = np.full((len(deals), 2, len(cards), 2), 255, np.uint8)
    outcomes = np.zeros((len(deals), 2), np.int16)
    for place, deal in enumerate(deals):
        boards[place] = deal[0] if deal else 0
        for other, card in enumerate(cards.tolist()):
            paired = bool(deal) and deal[0] >> 2 == card >> 2
            strengths[place, other] = (card >> 2) + 100 * paired
            if deal and deal[0] != card:
                bucket = 3 if paired else (card >> 2) - 9
                places[place, 1, other] = 25 * bucket, 25 * bucket + 25
        outcomes[place, 1] = deal[0] if deal else 0
    record = np.empty(record_size(2), np.int64)
    start_record(record)
    ones = np.ones((2, 1, len(cards)))
    sizes = np.zeros(SIZE_COUNT + 1, np.bool_)
    sizes[0] = True
    return Problem(
        rules=state.rules, state=state.flat, record=record, seat=seat, holding=holding, style=0, big_blind=1,
        boards=boards, outcomes=outcomes, strengths=strengths, places=places,
        masks=holdings_of(variant.deck).masks,
        board_masks=np.array([sum(1 << card for card in deal) for deal in deals], np.uint64),
        styles=np.ones((2, 1)), ranges=added_up(ones), tables=tables_of(opponent), sizes=sizes,
    )  # fmt: skip
