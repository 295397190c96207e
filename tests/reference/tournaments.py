"""A tournament played slowly: lists and dictionaries, one obvious step after another.

Random numbers are those of the compiled loop (SplitMix64 on Python integers), so that both play the same tournament.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import cos, exp, log, pi, sqrt

import numpy as np

from riverboat.equity.effective_strength import StrengthTables
from riverboat.equity.river_strength import rolled_strength
from riverboat.features.tournament_inputs import HANDS, MODEL_INPUTS
from riverboat.policies.evolved_nets import Net
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import HandState, PublicState, start_with_cards
from riverboat.tournaments.field import Policy, PolicyKind
from riverboat.tournaments.loop_arrays import CHIPS_LOST, CHIPS_WON, HANDS_LOST, HANDS_WON
from riverboat.tournaments.structures import TournamentStructure

WORD = 2**64
TABLE_STEP, ROUND_STEP = 0xD1342543DE82EF95, 0x9FB21C651E98DF25
GOLDEN = 0x9E3779B97F4A7C15


def mixed(state: int) -> int:
    """Return 64 random bits from a state."""
    z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) % WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % WORD
    return z ^ (z >> 31)


@dataclass
class Numbers:
    """A stream of random numbers."""

    state: int

    def bits(self) -> int:
        self.state = (self.state + GOLDEN) % WORD
        return mixed(self.state)

    def below(self, count: int) -> int:
        return ((self.bits() >> 32) * count) >> 32

    def uniform(self) -> float:
        return (self.bits() >> 11) * 2.0**-53

    def normal(self) -> float:
        radius = sqrt(-2 * log(1 - self.uniform()))
        return radius * cos(2 * pi * self.uniform())

    def shuffled(self, values: Sequence[int], count: int) -> list[int]:
        """Return the values with the first `count` places drawn."""
        order = list(values)
        for i in range(count):
            j = i + self.below(len(order) - i)
            order[i], order[j] = order[j], order[i]
        return order


@dataclass
class Record:
    """What one entrant has done: by name, as lists and counts."""

    payoffs: list[int] = field(default_factory=list)
    entered: int = 0
    raised_preflop: int = 0
    raises: int = 0
    calls: int = 0
    folds: int = 0

    def row(self) -> list[int]:
        """Return the sums in the loop's order."""
        won, lost = [x for x in self.payoffs if x > 0], [-x for x in self.payoffs if x < 0]
        counts = {HANDS: len(self.payoffs), HANDS_WON: len(won), HANDS_LOST: len(lost)}
        counts |= {CHIPS_WON: sum(won), CHIPS_LOST: sum(lost)}
        counts |= {1: self.entered, 2: self.raised_preflop, 3: self.raises, 4: self.calls, 5: self.folds}
        return [counts[i] for i in range(10)]


class SlowTournament:
    """One tournament; `watch` is told the chips of everybody after each round, and the seats."""

    def __init__(
        self,
        structure: TournamentStructure,
        policies: Sequence[Policy],
        *,
        deal_seed: int,
        decision_seed: int,
        shift: int = 0,
        raise_pots: float = 1.0,
        tables: StrengthTables | None = None,
        rollouts: int = 0,
        records: list[Record] | None = None,
    ) -> None:
        self.structure, self.policies, self.raise_pots = structure, policies, raise_pots
        self.tables, self.rollouts, self.deal_seed = tables, rollouts, deal_seed
        self.decisions = Numbers(decision_seed)
        self.records = records if records is not None else [Record() for _ in policies]
        self.chips = dict.fromkeys(range(structure.entrant_count), structure.starting_chips)
        self.ranks: dict[int, int] = {}
        self.hand_count = 0
        count = structure.entrant_count
        order = Numbers(mixed(deal_seed ^ TABLE_STEP)).shuffled(range(count), count - 1)
        order = order[shift:] + order[:shift]
        self.seats: list[list[int | None]] = [[None] * structure.seats_per_table for _ in range(structure.table_count)]
        for i, entrant in enumerate(order):
            self.seats[i % structure.table_count][i // structure.table_count] = entrant
        self.buttons = [-1] * structure.table_count

    def rounds(self) -> Iterator[None]:
        """Play round after round until one entrant has all chips; yield after each one."""
        number = 0
        while len(self.chips) > 1:
            level = self.structure.level_number(hand_count=number)
            before, went_out = dict(self.chips), []
            for table, seats in enumerate(self.seats):
                players = [entrant for entrant in seats if entrant is not None]
                if players:
                    self.buttons[table] = self.next_taken(table, self.buttons[table])
                if len(players) > 1:
                    self.play_hand(table, number, level)
                for chair in self.chairs_from(table, self.buttons[table]):
                    entrant = seats[chair]
                    if entrant is not None and self.chips[entrant] == 0:
                        went_out.append(entrant)
                        seats[chair] = None
            number += 1
            went_out.sort(key=lambda entrant: -before[entrant])
            for entrant in reversed(went_out):
                self.ranks[entrant] = len(self.chips)
                del self.chips[entrant]
            if went_out:
                self.rebalance(number)
            yield
        self.ranks[next(iter(self.chips))] = 1

    def chairs_from(self, table: int, chair: int) -> list[int]:
        count = len(self.seats[table])
        return [(chair + step) % count for step in range(1, count + 1)]

    def next_taken(self, table: int, chair: int) -> int:
        return next(place for place in self.chairs_from(table, chair) if self.seats[table][place] is not None)

    def play_hand(self, table: int, number: int, level: int) -> None:
        chairs = [c for c in self.chairs_from(table, self.buttons[table]) if self.seats[table][c] is not None]
        entrants = [entrant for chair in chairs if (entrant := self.seats[table][chair]) is not None]
        seed = mixed((mixed((self.deal_seed + (table + 1) * TABLE_STEP) % WORD) + number * ROUND_STEP) % WORD)
        deck = Numbers(seed).shuffled(range(52), 5 + 2 * len(self.seats[table]))
        holdings = [(deck[5 + 2 * chair], deck[6 + 2 * chair]) for chair in chairs]
        stacks = [self.chips[entrant] for entrant in entrants]
        hand = start_with_cards(self.structure.variant_at(level), stacks, holdings, deck[:5])
        entered, raised = set(), set()
        self.strengths: dict[tuple[int, int, int], float] = {}
        while not hand.is_over:
            public = hand.public
            seat = public.actor
            assert seat is not None
            action = self.action(hand, entrants, seat, self.structure.level_at(level).big_blind)
            record = self.records[entrants[seat]]
            if action == FOLD:
                record.folds += 1
            elif action != CALL or public.to_call:
                record.raises += action != CALL
                record.calls += action == CALL
                if public.street == 0:
                    entered.add(seat)
                    raised |= {seat} if action != CALL else set()
            hand = hand.play(action)
        for seat, (entrant, payoff) in enumerate(zip(entrants, hand.payoffs(), strict=True)):
            self.chips[entrant] += payoff
            self.records[entrant].payoffs.append(payoff)
            self.records[entrant].entered += seat in entered
            self.records[entrant].raised_preflop += seat in raised
        self.hand_count += 1

    def action(self, hand: HandState, entrants: list[int], seat: int, big_blind: int) -> int:
        policy, public = self.policies[entrants[seat]], hand.public
        if isinstance(policy, Net):
            return self.net_action(policy, hand, entrants, seat, big_blind)
        static: dict[PolicyKind, Callable[[PublicState], int]] = {
            PolicyKind.ALWAYS_FOLD: lambda public: FOLD if public.to_call else CALL,
            PolicyKind.ALWAYS_CALL: lambda public: CALL,
            PolicyKind.ALWAYS_RAISE: self.raise_always,
            PolicyKind.RANDOM: self.act_at_random,
        }
        return static[policy](public)

    def raise_always(self, public: PublicState) -> int:
        by = self.raise_pots * (public.pot + public.to_call)
        limits = public.raise_limits
        if limits is None:
            return CALL
        return limits[1] if by >= limits[1] else public.nearest_raise(public.bet + round(by)) or CALL

    def act_at_random(self, public: PublicState) -> int:
        chance, limits = self.decisions.uniform(), public.raise_limits
        if chance < 0.25:
            return FOLD if public.to_call else CALL
        if limits is None or 0.55 <= chance < 0.25 + 0.30 + 0.44:
            return CALL
        if chance >= 0.25 + 0.30 + 0.44:
            return limits[1]
        return public.nearest_raise(int(limits[0] * (limits[1] / limits[0]) ** self.decisions.uniform())) or CALL

    def net_action(self, net: Net, hand: HandState, entrants: list[int], seat: int, big_blind: int) -> int:
        public = hand.public
        chances = probabilities(net, self.inputs(net, hand, entrants, seat, big_blind))
        drawn = self.decisions.uniform()
        if drawn < chances[0]:
            return FOLD if public.to_call else CALL
        if drawn < chances[0] + chances[1] or public.raise_limits is None:
            return CALL
        size = sum(chances[2] >= threshold for threshold in net.sizes.thresholds)
        part = net.sizes.means[size] + net.sizes.deviations[size] * self.decisions.normal()
        return public.nearest_raise(public.bets[seat] + int(public.stacks[seat] * part + 0.5)) or CALL

    def inputs(self, net: Net, hand: HandState, entrants: list[int], seat: int, big_blind: int) -> list[float]:
        public, count = hand.public, len(entrants)

        def scaled(chips: int) -> float:
            return log(1 + chips / big_blind) / 5

        most = public.paid[seat] + public.stacks[seat]
        others = [entrants[(seat + step) % count] for step in range(1, count)]
        stacks = [scaled(public.stacks[(seat + step) % count]) for step in range(1, count)]
        values = [
            self.strength(hand, seat, public.folded.count(False) - 1),
            public.street / 3,
            scaled(public.stacks[seat]),
            scaled(sum(min(paid, most) for paid in public.paid)),
            scaled(public.to_call),
            (public.folded.count(False) - 1) / 8,
            len(self.chips) / self.structure.entrant_count,
            (seat + 1) / count,
            *(stacks + [-1.0] * 8)[:8],
        ]
        if net.shape.input_count == MODEL_INPUTS:
            models = [model for other in others for model in self.model(self.records[other])]
            values += (models + [-1.0] * 24)[:24]
        return values

    def model(self, record: Record) -> list[float]:
        hands, acts = len(record.payoffs), record.raises + record.calls + record.folds
        by_hand = [(count + 1) / (hands + 2) for count in (record.entered, record.raised_preflop)]
        return [*by_hand, (record.raises + 1) / (acts + 2)]

    def strength(self, hand: HandState, seat: int, opponents: int) -> float:
        key = (seat, hand.public.street, opponents)
        if key not in self.strengths:
            first, second = hand.holdings[seat]
            if hand.public.street == 0:
                assert self.tables is not None
                low, high = sorted((first, second))
                self.strengths[key] = self.tables.preflop[high * (high - 1) // 2 + low, opponents - 1] / 255
            else:
                state = np.array([self.decisions.state], np.uint64)
                board = np.array(hand.whole_board, np.int64)
                size = len(hand.public.board)
                self.strengths[key] = rolled_strength(first, second, board, size, opponents, self.rollouts, state)
                self.decisions.state = int(state[0])
        return self.strengths[key]

    def rebalance(self, number: int) -> None:
        lots = Numbers(mixed((self.deal_seed - number * ROUND_STEP) % WORD))
        moved = True
        while moved:
            moved = False
            for table in reversed(range(len(self.seats))):
                drawn = [lots.bits() >> 1 for _ in self.seats[table]]
                moved |= self.move_players(table, drawn)

    def players(self, table: int) -> int:
        return sum(entrant is not None for entrant in self.seats[table])

    def move_players(self, table: int, lots: list[int]) -> bool:
        """Break or balance one table; return whether anybody has moved."""
        in_play = [t for t in range(len(self.seats)) if self.players(t)]
        others = [t for t in in_play if t != table]
        chairs = len(self.seats[table])
        if not others or table not in in_play:
            return False
        if table == in_play[-1] and len(self.chips) <= len(others) * chairs:
            leaving = [chair for chair in range(chairs) if self.seats[table][chair] is not None]
            for chair, lot in zip(leaving, lots, strict=False):
                target = min(others, key=self.players)
                empty = [place for place in range(chairs) if self.seats[target][place] is None]
                self.move(table, chair, target, empty[lot % len(empty)])
            return True
        moved = False
        while self.players(table) - self.players(target := min(others, key=self.players)) >= 2:
            big_blind = self.next_taken(table, self.next_small_blind(table))
            open_chairs = self.chairs_from(target, self.next_small_blind(target))
            self.move(table, big_blind, target, next(c for c in open_chairs if self.seats[target][c] is None))
            moved = True
        return moved

    def next_small_blind(self, table: int) -> int:
        return self.next_taken(table, self.next_taken(table, self.buttons[table]))

    def move(self, table: int, chair: int, target: int, place: int) -> None:
        self.seats[target][place], self.seats[table][chair] = self.seats[table][chair], None


def probabilities(net: Net, inputs: list[float]) -> list[float]:
    """Return the chances of fold, call and raise."""
    genome, shape = net.genome.tolist(), net.shape
    i, h = shape.input_count, shape.hidden_count
    hidden = []
    for unit in range(h):
        total = genome[i * h + unit] + sum(genome[place * h + unit] * inputs[place] for place in range(i))
        hidden.append(1 / (1 + exp(-total)))
    first = i * h + h
    outputs = [
        genome[first + 3 * h + o] + sum(genome[first + o * h + unit] * hidden[unit] for unit in range(h))
        for o in range(3)
    ]
    powers = [exp(output) for output in outputs]
    return [power / sum(powers) for power in powers]
