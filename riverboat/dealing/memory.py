"""A seat's memory of the deal from before a hand, and the differences between it and the hand that was dealt.

A server that changes its commitment and its cards together after a hand is consistent with itself. Only somebody who
kept the commitment, the lineup, their own secret and their own cards from before the hand can tell.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from riverboat.cards import Deck, format_cards
from riverboat.dealing.mix import Lineup, Offer, seat_commitment
from riverboat.dealing.record import Cards, DealRecord, holding_position


@dataclass(frozen=True, slots=True, kw_only=True)
class DealMemory:
    """A chair's memory of one hand's deal, each item as it was first seen."""

    hand_number: int
    chair: int
    attempt: int = 0  # number of the last offer seen before the hand; 0 if none was seen
    commitment: str = ""  # the server's, seen before the hand (deal v1: when the hand began)
    secret: str = ""  # our own, of this attempt; "" if we sent none
    is_acknowledged: bool = False  # whether the server has confirmed our commitment
    lineup: Lineup | None = None  # of this attempt
    holding: Cards = ()

    @property
    def own_commitment(self) -> str:
        """Our commitment; "" if there is none."""
        return seat_commitment(self.commitment, self.chair, self.secret) if self.secret else ""

    @property
    def is_in_lineup(self) -> bool:
        """Whether our commitment is in the lineup."""
        return bool(self.secret) and self._listed == self.own_commitment

    @property
    def _listed(self) -> str:
        lineup = self.lineup
        if lineup is None or self.chair not in lineup.chairs:
            return ""
        return lineup.commitments[lineup.chairs.index(self.chair)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComingDeal:
    """The state of the next deal, as the server tells it to one chair."""

    offer: Offer
    commitment: str
    lineup: Lineup | None  # None until it is complete
    own_commitment: str = ""  # our commitment, as the server has it; "" if it has none
    is_revealed: bool = False  # whether the server has our secret
    may_contribute: bool = False


@dataclass(frozen=True, slots=True)
class Contribution:
    """A chair's message: a commitment, or later the secret; the other is empty."""

    hand_number: int
    attempt: int
    commitment: str = ""
    secret: str = ""


def remember_offer(memory: DealMemory, coming: ComingDeal) -> tuple[DealMemory, list[str]]:
    """Return the memory with the coming deal added, and texts about what contradicts earlier views of that deal."""
    offer, wrong = coming.offer, list[str]()
    if offer.commitment != coming.commitment or len(offer.roots) != 2:
        wrong.append("the server's commitment does not match its two pre-decks")
    if offer.attempt < memory.attempt or offer.attempt < 1:
        wrong.append(f"the server went back from attempt {memory.attempt} to attempt {offer.attempt}")
    elif offer.attempt > memory.attempt:
        memory = DealMemory(
            hand_number=memory.hand_number, chair=memory.chair, attempt=offer.attempt, commitment=coming.commitment
        )
    elif coming.commitment != memory.commitment:
        wrong.append("the server changed its commitment before the hand")
    if wrong:
        return memory, wrong
    if memory.secret and coming.own_commitment == memory.own_commitment:
        memory = replace(memory, is_acknowledged=True)
    if coming.lineup is None:
        return memory, wrong + ["the server took the lineup back"] * (memory.lineup is not None)
    if memory.lineup is not None:
        return memory, wrong + ["the server changed the lineup"] * (memory.lineup != coming.lineup)
    memory = replace(memory, lineup=coming.lineup)
    return memory, list(_false_listing(memory, coming.lineup))


def _false_listing(memory: DealMemory, lineup: Lineup) -> Iterator[str]:
    """Yield what is wrong with our place in the lineup."""
    if len(lineup.chairs) != len(lineup.commitments) or len(set(lineup.chairs)) != len(lineup.chairs):
        yield "the lineup does not have one commitment for each chair"
    elif memory.chair in lineup.chairs and not memory.is_in_lineup:
        listed = lineup.commitments[lineup.chairs.index(memory.chair)]
        if listed:
            yield "the lineup has a commitment for our chair that is not ours"
        elif memory.is_acknowledged:
            yield "the server left our contribution out of the lineup, though it had it"


def contradictions(memory: DealMemory, record: DealRecord, deck: Deck) -> Iterator[str]:
    """Yield each difference between a hand and what was seen before it."""
    if memory.attempt and (record.offer.attempt, record.commitment) != (memory.attempt, memory.commitment):
        # We may have missed an attempt, unless our commitment was in the lineup of the last one that we saw.
        may_have_missed = record.offer.attempt > memory.attempt and not memory.is_in_lineup
        if not may_have_missed:
            yield (
                f"the hand was dealt by commitment {record.commitment[:12]}… of attempt {record.offer.attempt}, but "
                f"{memory.commitment[:12]}… of attempt {memory.attempt} was announced before it"
            )
    elif memory.lineup is not None and memory.attempt:
        yield from _other_lineup(memory, record, memory.lineup)
    elif memory.is_acknowledged and memory.chair in record.chairs:
        listed = record.lineup.commitments[record.chairs.index(memory.chair)]
        if listed != memory.own_commitment:
            yield "the hand was dealt without our contribution, though the server had it"
    if memory.chair in record.chairs and memory.holding:
        seat = record.chairs.index(memory.chair)
        for opened in record.opened:
            if opened.position == holding_position(deck, seat) and opened.cards != memory.holding:
                shown, held = format_cards(opened.cards), format_cards(memory.holding)
                yield f"we held {held}, but the hand has {shown} in our place"


def _other_lineup(memory: DealMemory, record: DealRecord, lineup: Lineup) -> Iterator[str]:
    if record.chairs != lineup.chairs:
        yield f"the hand was dealt to chairs {list(record.chairs)}, but the lineup was {list(lineup.chairs)}"
    elif record.lineup.commitments != lineup.commitments:
        for chair, announced, dealt in zip(lineup.chairs, lineup.commitments, record.lineup.commitments, strict=True):
            if announced != dealt:
                who = "our own" if chair == memory.chair else f"chair {chair}'s"
                yield f"{who} secret in the hand is not the one that was committed to"


def gaps(memory: DealMemory | None, record: DealRecord) -> Iterator[str]:
    """Yield what stays unproven for us about a hand that contradicts nothing we saw."""
    if memory is None or not memory.attempt:
        yield "its commitment was not seen before the hand"
    elif memory.chair in record.chairs and not (memory.is_in_lineup and record.offer.attempt == memory.attempt):
        yield "it was dealt without our contribution"
    if record.offer.attempt > 1:
        yield f"it took {record.offer.attempt} attempts: somebody did not reveal what they had committed to"
    elif not any(record.secrets):
        yield "nobody contributed to the shuffle: the server alone chose it"
