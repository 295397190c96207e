"""A finished hand step by step, from a table or from a file that somebody dropped on the page."""

from collections.abc import Iterator, Mapping
from itertools import islice, pairwise
from typing import Any

from riverboat.cards import format_cards
from riverboat.clients.analysis.endings import win_words
from riverboat.clients.console.views.game_words import game_words
from riverboat.clients.console.views.replay import amount_text
from riverboat.clients.web.failures import ApiError
from riverboat.clients.web.play.pictures import cards_of, hand_picture, seat_pictures, short_words
from riverboat.errors import RiverboatError
from riverboat.history.hand import UNKNOWN_STACK, History, HistoryEvent, Show, outcome, replay
from riverboat.history.phh import read_each, write_hand
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.state import PublicState
from riverboat.streets import street_name
from riverboat.tables.records import HandRecord, history_of

MOST_HANDS = 500  # of one file
Document = dict[str, Any]


def replay_of_record(record: HandRecord, held: Mapping[int, tuple[int, ...]]) -> Document:
    """Return a finished hand of a table; `held` are cards that the viewer had, by seat."""
    history = history_of(record.table_id, record.variant, record.hand_number, record.entries)
    if history is None:
        raise ApiError(404, "the server does not say how this hand began and ended")
    return replay_document(history, held) | {"phh": record.phh or write_hand(history)}


def replays_of_text(text: str) -> Document:
    """Return the hands of a PHH file, with the first ones that cannot be read."""
    hands: list[Document] = []
    problems: list[str] = []
    for history in islice(read_each(text), MOST_HANDS):
        if not isinstance(history, History):
            problems.append(str(history.error))
            continue
        try:
            hands.append(replay_document(history, {}) | {"phh": write_hand(history)})
        except RiverboatError as error:
            problems.append(f"line {history.line}: {error}")
    if not hands:
        reason = problems[0] if problems else "the file has no hand"
        raise ApiError(400, f"no hand can be replayed: {reason}")
    return {"hands": hands, "problems": problems[:5]}


def replay_document(history: History, held: Mapping[int, tuple[int, ...]]) -> Document:
    """Return every moment of a hand."""
    states = list(replay(history))
    holdings = {seat: format_cards(cards) for seat, cards in enumerate(history.holdings) if cards}
    holdings |= {seat: format_cards(cards) for seat, cards in held.items()}
    names = [history.name(seat) for seat in range(len(history.stacks))]
    steps = [_step(states[0], names, holdings, {}, "The blinds are posted")]
    words: dict[int, str] = {}
    for event, (before, after) in zip(history.events, pairwise(states), strict=True):
        text = _text(history, event, before, names)
        if isinstance(event, BoardDealt):
            words = {seat: said for seat, said in words.items() if after.folded[seat]}
        elif isinstance(event, Move):
            words[event.seat] = short_words(before, event.action)
        steps.append(_step(after, names, holdings, words, text))
    return {
        "label": history.label,
        "game": game_words(history.variant),
        "big_blind": history.variant.big_blind,
        "names": names,
        "decimals": history.decimals,
        "steps": [*steps, *_ending(history, states[-1], names, holdings, words)],
    }


def _step(
    state: PublicState, names: list[str], holdings: Mapping[int, str], words: Mapping[int, str], text: str
) -> Document:
    chairs = [
        {**seat, "chair": seat["seat"], "stack": _known(seat["stack"])}
        for seat in seat_pictures(state, names, holdings, words)
    ]
    return {"text": text, "picture": hand_picture(state), "chairs": chairs}


def _known(stack: int) -> int | None:
    """Return a stack; None where the file does not know it."""
    return None if stack > UNKNOWN_STACK // 2 else stack


def _text(history: History, event: HistoryEvent, before: PublicState, names: list[str]) -> str:
    match event:
        case BoardDealt():
            street = street_name(before.street + 1, len(history.variant.streets))
            return f"{street.capitalize()}: {' '.join(cards_of(format_cards(event.cards)))}"
        case Show():
            shown = " ".join(cards_of(format_cards(event.cards)))
            return f"{names[event.seat]} shows {shown}" if shown else f"{names[event.seat]} mucks"
        case Move():
            return f"{names[event.seat]}: {short_words(before, event.action).lower()}"


def _ending(
    history: History, state: PublicState, names: list[str], holdings: Mapping[int, str], words: Mapping[int, str]
) -> Iterator[Document]:
    """Yield the moment when the pot is paid, if the rules know who wins."""
    end = outcome(history)
    if end.stacks is None:
        return
    step = _step(state, names, holdings, words, "")
    won = [after - before for after, before in zip(end.stacks, history.stacks, strict=True)]
    for chair, stack, chips in zip(step["chairs"], end.stacks, won, strict=True):
        chair |= {"stack": _known(stack), "won": chips, "bet": 0}
    texts = [
        win_words(names[seat], amount_text(history, stack - state.stacks[seat]), state, history.holdings[seat])
        for seat, stack in enumerate(end.stacks)
        if stack > state.stacks[seat] and won[seat] > 0
    ]
    yield step | {"text": "; ".join(texts) or "The hand is over"}
