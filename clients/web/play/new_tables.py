"""Tables, matches and tournaments that a browser asks for, as the contracts take them."""

from riverboat.clients.console.games import GameOptions, game_of, stack_of
from riverboat.clients.console.table.table_setup import fill_chairs
from riverboat.clients.web.failures import ApiError
from riverboat.clients.web.fields import Fields
from riverboat.contracts.matches import MatchPlan
from riverboat.contracts.tournaments import TournamentPlan
from riverboat.rules.variant import MOST_CHIPS, Variant
from riverboat.tables.config import Reveal, TableConfig
from riverboat.tournaments.structures import PRESETS, preset, with_entrants

_MOST_AGENTS = 10
_DECKS = ("52", "36", "24", "leduc", "kuhn")
_CLOCK_SECONDS = 60  # for agents, and where people play
_PAUSE_MS = 3000
_WATCH_PAUSE_MS = 1500
_MATCH_CLOCK_MS = 60_000
_MOST_DEALS = 1_000_000
_MOST_ENTRANTS = 200


def game_in(fields: Fields) -> tuple[Variant, int]:
    """Return the game that a form describes, and the stack to sit down with."""
    small, big = fields.whole("small_blind", 1, MOST_CHIPS, 50), fields.whole("big_blind", 1, MOST_CHIPS, 100)
    limit = fields.choice("limit", ("no", "pot", "fixed"), "no")
    options = GameOptions(limit=limit, blinds=f"{small},{big}", deck=fields.choice("deck", _DECKS, "52"))  # type: ignore[arg-type]
    variant = game_of(options)
    stack = fields.whole("stack", 0, MOST_CHIPS, 0)
    return variant, stack or stack_of(options, variant)


def agents_in(fields: Fields) -> list[str]:
    """Return the agents that a form names."""
    return [name for name in fields.texts("agents", _MOST_AGENTS, 91) if name]


def table_in(fields: Fields, player: str) -> TableConfig:
    """Return the table that a form describes; without a player it is for agents only."""
    variant, stack = game_in(fields)
    named = agents_in(fields)
    seats = fields.whole("seats", 2, 10, max(2, len(named) + bool(player)))
    free = fields.whole("free", 0, 9, 0) if player else 0
    agent_count = seats - bool(player) - free
    if agent_count < 0:
        raise ApiError(400, "free: more chairs than the table has")
    if agent_count and not named:
        raise ApiError(400, "agents: name at least one, or leave all chairs free for other players")
    seated = tuple(fill_chairs(named, agent_count)) if agent_count else ()
    clock = fields.whole("clock", 0, 3600, 0)
    is_alone = bool(player) and not free
    return TableConfig(
        name=fields.text("title", f"{player}'s table" if player else "Agents only", most=60),
        variant=variant,
        chair_count=seats,
        buy_in=stack,
        clock_ms=1000 * (clock or _CLOCK_SECONDS),
        no_clock=is_alone and not clock,
        pause_ms=fields.whole("pause_ms", 0, 60_000, _PAUSE_MS if player else _WATCH_PAUSE_MS),
        hand_limit=fields.whole("hands", 0, 1_000_000, 0),
        agents=seated,
        agents_only=not player,
        players_to_start=max(2, bool(player) + len(seated)),
        agents_rebuy=fields.flag("rebuy", True) and bool(player),
        reveal=Reveal.ALL if fields.flag("reveal_all") else Reveal.SHOWN,
    )


def match_in(fields: Fields) -> MatchPlan:
    """Return the match that a form describes."""
    variant, stack = game_in(fields)
    agents = tuple(agents_in(fields))
    if len(agents) < 2:
        raise ApiError(400, "agents: a match needs at least two")
    return MatchPlan(
        variant=variant,
        stack=stack,
        agents=agents,
        deal_count=fields.whole("deals", 1, _MOST_DEALS, 100),
        duplicate=fields.flag("duplicate", True),
        clock_ms=_MATCH_CLOCK_MS,
    )


def tournament_in(fields: Fields) -> TournamentPlan:
    """Return the tournament that a form describes: a preset, with agents in the places that it names."""
    named_structure = preset(fields.choice("preset", tuple(PRESETS), next(iter(PRESETS))))
    entrants = fields.whole("entrants", 2, _MOST_ENTRANTS, named_structure.entrant_count)
    structure = with_entrants(named_structure, entrants)
    free = fields.whole("free", 0, structure.entrant_count, 1)
    named = agents_in(fields)
    count = structure.entrant_count - free
    if count and not named:
        raise ApiError(400, "agents: name at least one, or leave all places free")
    return TournamentPlan(
        structure=structure,
        agents=tuple(fill_chairs(named, count)) if count else (),
        clock_ms=1000 * fields.whole("clock", 5, 3600, 30),
        pause_ms=2000,
    )
