"""The witness: the part of a client that contributes to shuffles and checks every deal."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import IntEnum

from riverboat.cards import Deck, format_cards
from riverboat.dealing.memory import ComingDeal, Contribution, DealMemory, contradictions, gaps, remember_offer
from riverboat.dealing.mix import SECRET_BYTES
from riverboat.dealing.record import Cards, DealCheck, DealRecord, Opened
from riverboat.dealing.seed_record import SeedRecord, seed_problems
from riverboat.dealing.voids import VoidAttempt, Voids

_KEPT_HANDS = 3  # the next hand, the one that is played, the one before
_SEALED_HANDS = 1_000  # deals v1 whose seeds are still to come: a side of a match is not further ahead of the others
_LEFT_OUT = 3  # hands in a row that were dealt to us without our contribution: no client is late that often


class Severity(IntEnum):
    """How serious a finding is."""

    PROVED = 1  # a hand is over, and everything that can be proved to us is proved
    NOTE = 2  # nothing is wrong, but something is not proved
    PROBLEM = 3  # the server did not keep to what it said


@dataclass(frozen=True, slots=True)
class DealFinding:
    """A witness's finding about the deal of a hand."""

    hand_number: int
    level: Severity
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """The deals in a view. The holding is among the cards that `deal` has opened, if it came with openings."""

    table_id: str
    chair: int
    hand_number: int  # 0 before the first hand
    holding: Cards  # our own; () if we are not dealt in
    deck: Deck | None  # None before the first hand
    deal: DealRecord | SeedRecord | None  # of the hand; None before the first
    is_over: bool
    coming: ComingDeal | None  # None where the server takes no contributions
    void: tuple[VoidAttempt, ...] = ()  # since the hand started


@dataclass(slots=True, eq=False)
class _Hand:
    """The state of the check of one hand."""

    deal: DealRecord | SeedRecord  # as it was first seen; a deal v1 as it was last seen
    check: DealCheck | None  # None for a deal v1
    checked: set[Opened] = field(default_factory=set)
    is_over: bool = False


class Witness:
    """Keeps what a seat sees before each hand; returns contributions to send, and findings."""

    def __init__(self, draw: Callable[[int], bytes], may_be_match: bool = False) -> None:
        """Take a source of unguessable bytes, `draw(count)`. In a match the server alone may shuffle."""
        self._draw, self._may_be_match = draw, may_be_match
        self._voids = Voids()
        self._memories: dict[int, DealMemory] = {}  # by hand number
        self._hands: dict[int, _Hand] = {}  # by hand number
        self._sent: set[Contribution] = set()  # by this connection
        self._told: set[tuple[int, str]] = set()
        self._sealed: dict[int, tuple[SeedRecord, Deck]] = {}  # deals v1 that ended without a seed, as we saw them
        self._left_out = 0  # hands in a row
        self._received = (0, 0)  # the last hand and attempt for which the server acknowledged our secret
        self._is_barred = False  # we know why we may not contribute: the server blames us for a void attempt
        self._late_hand = 0  # a hand that we may not contribute to, because we sat down after an attempt was void

    @property
    def memories(self) -> dict[int, DealMemory]:
        """Return the memories of deals, by hand number."""
        return self._memories

    @property
    def missed(self) -> list[int]:
        """Return the numbers of hands that are over, but not seen to end: look them up and `see_end`."""
        last = max(self._hands, default=0)
        return [number for number, hand in self._hands.items() if number < last and not hand.is_over]

    @property
    def sealed(self) -> list[int]:
        """Return the numbers of hands that ended while their seeds were secret: look them up later and `see_end`."""
        return list(self._sealed)

    def reconnect(self) -> None:
        """Prepare to send all contributions again, since they may not have arrived.

        A secret that was due while the connection was down may come too late.
        """
        self._sent.clear()
        waiting = [memory for memory in self._memories.values() if memory.hand_number not in self._hands]
        if any(memory.secret and self._received != (memory.hand_number, memory.attempt) for memory in waiting):
            self._is_barred = True

    def see(self, sight: Sight) -> tuple[list[Contribution], list[DealFinding]]:
        """Return the contributions to send after a view, and new findings about deals."""
        findings = [*self._see_void(sight), *self._see_hand(sight)]
        if sight.coming is None:
            return [], findings
        contributions, wrong = self._see_coming(sight, sight.coming)
        return contributions, findings + list(self._problems(sight.coming.offer.hand_number, wrong))

    def see_end(self, hand_number: int, deal: DealRecord | SeedRecord, deck: Deck) -> list[DealFinding]:
        """Return new findings about a hand whose end was not seen in a view."""
        if hand_number in self._sealed:
            return list(self._see_seed(hand_number, deal))
        memory = self._memories.get(hand_number)
        if memory is None or hand_number not in self._hands:
            return []
        return list(
            self._see_hand(
                Sight(
                    table_id="",
                    chair=memory.chair,
                    hand_number=hand_number,
                    holding=memory.holding,
                    deck=deck,
                    deal=deal,
                    is_over=True,
                    coming=None,
                )
            )
        )

    # The next hand

    def _see_coming(self, sight: Sight, coming: ComingDeal) -> tuple[list[Contribution], list[str]]:
        number = coming.offer.hand_number
        if coming.offer.table_id != sight.table_id or number != sight.hand_number + 1:
            return [], [f"the server offers a deal for hand {number} of table {coming.offer.table_id!r}"]
        if not self._memories and not self._hands and coming.offer.attempt > 1:
            self._late_hand = number
        before = self._memories.get(number, DealMemory(hand_number=number, chair=sight.chair))
        wrong = list(self._voids.unexplained(before, coming.offer.attempt))
        memory, false = remember_offer(before, coming)
        wrong += false
        if coming.lineup and coming.lineup != before.lineup:
            wrong += self._voids.returned(number, coming.lineup)
        self._is_barred = self._is_barred and not coming.may_contribute
        if coming.is_revealed:
            self._received = (number, coming.offer.attempt)
        contribution = None
        if not wrong:
            memory, contribution = self._contribute(memory, coming)
        self._keep(memory)
        if contribution is None or contribution in self._sent:
            return [], wrong
        self._sent.add(contribution)
        return [contribution], wrong

    def _see_void(self, sight: Sight) -> Iterator[DealFinding]:
        """Yield a problem if the server blames us for a void attempt although it had our secret."""
        for void in sight.void:
            self._voids.see(void)
            memory = self._memories.get(void.hand_number)
            if memory is None or memory.attempt != void.attempt or sight.chair not in void.chairs:
                continue
            if self._received == (void.hand_number, void.attempt):
                text = f"the server calls attempt {void.attempt} void because our secret was missing, though it had it"
                yield from self._problems(void.hand_number, [text])
            else:
                self._is_barred = True

    def _contribute(self, memory: DealMemory, coming: ComingDeal) -> tuple[DealMemory, Contribution | None]:
        number, attempt = memory.hand_number, memory.attempt
        if coming.lineup is None and coming.may_contribute:
            if not memory.secret:
                memory = replace(memory, secret=self._draw(SECRET_BYTES).hex())
            if coming.own_commitment != memory.own_commitment:
                return memory, Contribution(number, attempt, commitment=memory.own_commitment)
        elif memory.is_in_lineup and not coming.is_revealed:
            return memory, Contribution(number, attempt, secret=memory.secret)
        return memory, None

    def _keep(self, memory: DealMemory) -> None:
        self._memories[memory.hand_number] = memory
        for old in sorted(self._memories)[:-_KEPT_HANDS]:
            del self._memories[old]
            self._hands.pop(old, None)
            self._told = {told for told in self._told if told[0] > old}
            self._sent = {sent for sent in self._sent if sent.hand_number > old}

    # The hand that is played

    def _see_hand(self, sight: Sight) -> Iterator[DealFinding]:
        number, deal, deck = sight.hand_number, sight.deal, sight.deck
        if deal is None or deck is None:
            return
        hand = self._hands.get(number)
        if hand is None:
            hand = _Hand(deal, DealCheck(deal, deck) if isinstance(deal, DealRecord) else None)
            for old in self._hands.copy():
                yield from self._seal(old, deck)
            self._hands[number] = hand
            if hand.check:
                yield from self._problems(number, hand.check.start())
        elif hand.is_over:
            return
        memory, wrong = _with_holding(
            self._memories.get(number, DealMemory(hand_number=number, chair=sight.chair)), sight.holding
        )
        yield from self._problems(number, wrong)
        if isinstance(deal, SeedRecord):
            hand.deal = deal
            yield from self._see_seeded(memory, deal, deck, sight.is_over)
            hand.is_over = sight.is_over
            return
        self._keep(memory)
        yield from self._problems(number, _wrong_deal(hand, memory, deal, deck))
        if sight.is_over:
            hand.is_over = True
            yield from self._end(memory, deal)

    def _end(self, memory: DealMemory, deal: DealRecord) -> Iterator[DealFinding]:
        number = memory.hand_number
        is_excused = self._is_barred or number == self._late_hand
        is_out = memory.chair in deal.chairs and not memory.is_in_lineup and not is_excused
        yield from self._count_left_out(number, is_out)
        if any(told[0] == number for told in self._told):
            return
        notes = list(gaps(memory, deal))
        for text in notes:
            yield DealFinding(number, Severity.NOTE, text)
        if not notes:
            yield DealFinding(number, Severity.PROVED, "dealt as announced, with our contribution")

    def _count_left_out(self, number: int, is_out: bool) -> Iterator[DealFinding]:
        self._left_out = self._left_out + 1 if is_out else 0
        if self._left_out >= _LEFT_OUT:
            text = f"the server has dealt {self._left_out} hands in a row without our contribution"
            yield from self._problems(number, [text])

    def _see_seeded(self, memory: DealMemory, deal: SeedRecord, deck: Deck, is_over: bool) -> Iterator[DealFinding]:
        number = memory.hand_number
        if memory.attempt:
            yield from self._problems(number, ["the hand was not dealt from the pre-decks that were offered for it"])
        elif memory.commitment and memory.commitment != deal.commitment:
            yield from self._problems(number, ["the server changed its commitment during the hand"])
        else:
            memory = replace(memory, commitment=deal.commitment)
        self._keep(memory)
        if not is_over:
            return
        yield from self._count_left_out(number, bool(memory.holding) and not self._may_be_match)
        if not deal.seed:
            yield from self._seal(number, deck)
            return
        yield from self._problems(number, seed_problems(deal, deck))
        if not any(told[0] == number for told in self._told):
            yield DealFinding(number, Severity.NOTE, "the server alone shuffled")

    def _seal(self, number: int, deck: Deck) -> Iterator[DealFinding]:
        """Keep a deal v1 whose seed was not seen by the end of the hand."""
        hand, memory = self._hands[number], self._memories.get(number)
        if hand.is_over or memory is None or not isinstance(hand.deal, SeedRecord):
            return
        hand.is_over = True
        self._sealed[number] = (replace(hand.deal, commitment=memory.commitment), deck)
        for old in list(self._sealed)[:-_SEALED_HANDS]:
            del self._sealed[old]
        yield DealFinding(number, Severity.NOTE, "the server alone shuffled; its seed was secret when the hand ended")

    def _see_seed(self, number: int, deal: DealRecord | SeedRecord) -> Iterator[DealFinding]:
        """Check the seed of a hand that was over before the seed was revealed, against what we saw of the hand."""
        seen, deck = self._sealed[number]
        if isinstance(deal, SeedRecord) and not deal.seed:
            return
        del self._sealed[number]
        wrong = ["the hand was a deal v1 when it was played"]
        if isinstance(deal, SeedRecord):
            wrong = list(seed_problems(replace(seen, seed=deal.seed), deck))
        yield from (DealFinding(number, Severity.PROBLEM, text) for text in wrong)

    def _problems(self, number: int, texts: Iterable[str]) -> Iterator[DealFinding]:
        """Yield each problem once."""
        for text in texts:
            if (number, text) not in self._told:
                self._told.add((number, text))
                yield DealFinding(number, Severity.PROBLEM, text)


def _wrong_deal(hand: _Hand, memory: DealMemory, deal: DealRecord, deck: Deck) -> Iterator[str]:
    """Yield problems with the parts of a deal that were not known before."""
    if hand.check is None or _start(deal) != _start(hand.deal):
        yield "the server changed how the hand was dealt, after it had started"
        return
    if hand.check.is_sound:
        for opened in deal.opened:
            if opened not in hand.checked:
                hand.checked.add(opened)
                yield from hand.check.cards(opened)
        yield from hand.check.end(deal.seed)
        yield from contradictions(memory, deal, deck)


def _start(deal: DealRecord | SeedRecord) -> object:
    """Return the parts of a deal that are fixed when a hand starts."""
    return replace(deal, opened=(), seed="") if isinstance(deal, DealRecord) else deal.commitment


def _with_holding(memory: DealMemory, holding: Cards) -> tuple[DealMemory, list[str]]:
    """Return the memory with its first holding, and a problem if the holding is another one now."""
    if not memory.holding or not holding or memory.holding == holding:
        return replace(memory, holding=memory.holding or holding), []
    return memory, [
        f"our cards changed during the hand, from {format_cards(memory.holding)} to {format_cards(holding)}"
    ]
