"""A table as a page draws it, from a player's view or a spectator's update; all of it was in there."""

from collections.abc import Sequence
from typing import Any

from riverboat.clients.console.table.scene import Scene, scene_of_update, scene_of_view
from riverboat.clients.console.table.story import Narrator
from riverboat.clients.console.views.game_words import game_words
from riverboat.clients.web.play.pictures import hand_picture, seat_pictures, short_words
from riverboat.rules.state import PublicState, start
from riverboat.rules.variant import Variant
from riverboat.tables.config import TableConfig
from riverboat.tables.entries import BoardOpened, HandBegan, NumberedEntry, SeatMoved
from riverboat.tables.view import PublicUpdate, TableInfo, TableView

Document = dict[str, Any]
_LONGEST_LOG = 200  # lines
_MATCH = "match: "  # so the game manager names the table of a match


def view_document(view: TableView, config: TableConfig) -> Document:
    """Return what a player sees, with what the player may do."""
    scene = scene_of_view(view)
    document = _document(scene, config, view.public.variant if view.public else config.variant)
    own = next((chair for chair in view.chairs if chair.chair == view.chair), None)
    document["me"] = {
        "chair": view.chair,
        "name": own.name if own else "",
        "turn": view.is_your_turn,
        "legal": _legal(scene) if view.is_your_turn else None,
        "may_buy": max(0, config.buy_in - (own.stack if own else 0)) if not config.tournament_id else 0,
        "is_leaving": bool(own and own.is_leaving),
    }
    return document | {"action": view.action_number, "waits_for": view.waits_for}


def update_document(update: PublicUpdate, events: Sequence[NumberedEntry]) -> Document:
    """Return what a spectator sees; `events` are all of the hand so far."""
    scene = scene_of_update(update, events)
    config = update.info.config
    document = _document(scene, config, update.public.variant if update.public else config.variant)
    return document | {"me": None, "waits_for": update.waits_for, "withheld": scene.is_withheld}


def table_picture(table_id: str, config: TableConfig) -> Document:
    """Return what stays the same at a table."""
    return {
        "id": table_id,
        "name": config.name,
        "game": game_words(config.variant),
        "big_blind": config.variant.big_blind,
        "chair_count": config.chair_count,
        "buy_in": config.buy_in,
        "clock_ms": config.clock_ms,
        "no_clock": config.no_clock,
        "agents_only": config.agents_only,
        "is_match": bool(config.match_id) or (config.agents_only and config.name.startswith(_MATCH)),
        "match_id": config.match_id,
        "tournament_id": config.tournament_id,
    }


def info_document(info: TableInfo) -> Document:
    """Return a table for the lobby."""
    chairs = [
        {"chair": chair.chair, "name": chair.name, "stack": chair.stack, "is_agent": chair.is_agent}
        for chair in info.chairs
    ]
    own = {"status": info.status.name.lower(), "chairs": chairs, "hands": info.hand_count}
    return table_picture(info.table_id, info.config) | own


def _document(scene: Scene, config: TableConfig, variant: Variant) -> Document:
    state = scene.state if scene.events else None
    return {
        "type": "table",
        "table": table_picture(scene.table_id, config) | {"game": game_words(variant), "big_blind": variant.big_blind},
        "status": scene.status.name.lower(),
        "hand": scene.hand_number,
        "action": 0,
        "picture": hand_picture(state) if state else None,
        "chairs": _chairs(scene),
        "is_over": scene.payoffs is not None,
        "time_left_ms": scene.time_left_ms,
        "log": [
            {"n": told.number, "kind": told.kind, "text": told.text}
            for told in Narrator(variant, {chair.chair: chair.name for chair in scene.chairs}).tell(scene.events)
        ][-_LONGEST_LOG:],
    }


def _chairs(scene: Scene) -> list[Document]:
    """Return every player by chair: with the picture of the seat if the player was dealt in."""
    played: dict[int, Document] = {}
    if scene.state and scene.events:
        pictures = seat_pictures(scene.state, scene.names, scene.holdings, _words(scene, scene.state))
        stacks = _final_stacks(scene)
        for seat, chair in enumerate(scene.seats):
            if chair not in scene.left:
                played[chair] = pictures[seat]
                if stacks and scene.payoffs is not None:
                    played[chair] |= {"stack": stacks[seat], "won": scene.payoffs[seat]}
    empty = {"seat": -1, "bet": 0, "folded": False, "all_in": False, "cards": [], "words": ""}
    empty |= {"is_button": False, "is_actor": False}
    return [
        {**empty, "stack": chair.stack, **played.get(chair.chair, {}), "name": chair.name}
        | {"chair": chair.chair, "is_agent": chair.is_agent, "is_leaving": chair.is_leaving}
        for chair in scene.chairs
    ]


def _final_stacks(scene: Scene) -> list[int]:
    """Return stacks after the hand by seat; nothing while it is played."""
    began = scene.events[0].entry
    if scene.payoffs is None or not isinstance(began, HandBegan):
        return []
    return [stack + payoff for stack, payoff in zip(began.stacks, scene.payoffs, strict=True)]


def _words(scene: Scene, now: PublicState) -> dict[int, str]:
    """Return what each seat did last on this street; a fold stays."""
    began = scene.events[0].entry
    if not isinstance(began, HandBegan):
        return {}
    state, words = start(now.variant, began.stacks), dict[int, str]()
    for _, entry in scene.events:
        if isinstance(entry, SeatMoved):
            words[entry.seat] = short_words(state, entry.action)
            state = state.play(entry.action)
        elif isinstance(entry, BoardOpened):
            state = state.deal(entry.cards)
            words = {seat: text for seat, text in words.items() if state.folded[seat]}
    return words


def _legal(scene: Scene) -> Document | None:
    legal, state = scene.legal, scene.state
    if legal is None or state is None:
        return None
    return {
        "can_fold": legal.can_fold,
        "to_call": legal.to_call,
        "call_all_in": 0 < state.stacks[scene.seat] <= legal.to_call,
        "min": legal.min_raise_to,
        "max": legal.max_raise_to,
        "sizes": list(legal.raises_to),
        "bet": state.bet,
        "pot": state.pot,
        "all_in_to": state.stacks[scene.seat] + state.bets[scene.seat],
    }
