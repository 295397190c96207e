"""riverboat tournament: a tournament with agents and people, to play or to watch, or many simulated ones."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

import typer

from riverboat.clients.console.completion import agents as known_agents
from riverboat.clients.console.games import names_in, refuse_options
from riverboat.clients.console.options import AsJson, GameServer
from riverboat.clients.console.servers import game_manager, running_game_manager
from riverboat.clients.console.study.tournament_simulation import SimulationWish, simulate_tournaments
from riverboat.clients.console.table.entrant import TournamentEntry, play_entry
from riverboat.clients.console.table.table_setup import note_rollouts, own_name
from riverboat.clients.console.table.terminal import has_keys
from riverboat.clients.console.views.output import note, out, print_json, say
from riverboat.clients.console.views.standings import headline, standings_dict, standings_table
from riverboat.clients.console.views.tournament_progress import (
    cancelled,
    follow_loudly,
    follow_quietly,
    how_to_watch,
    reports_of,
)
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, Refused
from riverboat.contracts.tournaments import TournamentPlan
from riverboat.errors import InvalidInput, RiverboatError
from riverboat.tables.agent_names import entered_agents
from riverboat.tournaments.report import TournamentReport
from riverboat.tournaments.series import SERIES_LENGTH
from riverboat.tournaments.structures import PRESETS, TournamentStructure, preset, with_entrants

_NAMES = {
    "agents": "--agents",
    "name": "--name",
    "clock_ms": "--clock",
    "structure.starting_chips": "--chips",
    "entrant_count": "--agents",
}
_STRUCTURE_OPTIONS = {"starting_chips": "--chips", "level_hands": "--level-hands", "level_minutes": "--level-minutes"}
_FOR_NEW = ("agents", "free", "structure", "chips", "level_hands", "level_minutes", "clock")
_FOR_REAL = ("play", "watch", "free", "level_minutes", "tournament_id", "name", "clock", "server")
_FOR_SIMULATION = ("duplicate", "raise_pots", "rollouts", "seed", "threads")
_ONE_TABLE = 9  # entrants up to which the default structure has one table
_PAUSE_MS = 2000  # between hands for a person, to see who won


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(tournament)


def tournament(
    context: typer.Context,
    agents: Annotated[
        str,
        typer.Option(
            "--agents",
            metavar="AGENTS",
            help="Agents that enter, like rollout*3,always-fold*11: rollout enters three times.",
            show_default=False,
            autocompletion=known_agents,
        ),
    ] = "",
    play: Annotated[bool, typer.Option("--play", help="Enter the tournament yourself.")] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Show standings and every event, not only the result.")
    ] = False,
    free: Annotated[
        int,
        typer.Option(
            "--free", min=0, max=1000, metavar="N", help="Places to leave free for people, who enter with --id."
        ),
    ] = 0,
    structure: Annotated[
        str | None,
        typer.Option(
            "--structure",
            metavar="NAME",
            help=f"Levels, chips and payouts: {', '.join(PRESETS)}; default: sng-9 up to nine entrants, else mtt-45.",
            show_default=False,
        ),
    ] = None,
    chips: Annotated[
        int | None,
        typer.Option(
            "--chips", min=1, metavar="N", help="Starting chips; default: the structure's.", show_default=False
        ),
    ] = None,
    level_hands: Annotated[
        int | None,
        typer.Option(
            "--level-hands", min=1, metavar="N", help="Hands per level; default: the structure's.", show_default=False
        ),
    ] = None,
    level_minutes: Annotated[
        int | None,
        typer.Option(
            "--level-minutes", min=1, metavar="N", help="Minutes per level, instead of hands.", show_default=False
        ),
    ] = None,
    tournament_id: Annotated[
        str | None,
        typer.Option(
            "--id", metavar="ID", help="Tournament to enter or watch instead of opening one.", show_default=False
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            "--name", metavar="NAME", help="Your name in the tournament; default: your user name.", show_default=False
        ),
    ] = None,
    clock: Annotated[
        float,
        typer.Option("--clock", min=0.1, max=3600, metavar="SECONDS", help="Time limit per decision, in seconds."),
    ] = 30,
    simulate: Annotated[
        int | None,
        typer.Option(
            "--simulate",
            min=1,
            max=10**8,
            metavar="N",
            help="Number of tournaments to simulate.",
            show_default=False,
        ),
    ] = None,
    duplicate: Annotated[
        int,
        typer.Option(
            "--duplicate",
            min=1,
            max=SERIES_LENGTH,
            metavar="N",
            help=f"Number of times to simulate the same deals, with the seats rotated; must divide {SERIES_LENGTH}.",
        ),
    ] = 1,
    raise_pots: Annotated[
        float,
        typer.Option(
            "--raise-pots",
            min=0,
            metavar="POTS",
            help="Size of always-raise's raises in a simulation, in pots; 0: the smallest.",
        ),
    ] = 1.0,
    rollouts: Annotated[
        int,
        typer.Option(
            "--rollouts",
            min=0,
            max=100_000,
            metavar="N",
            help="Rollouts for a simulated net's hand strength; 0: use tables.",
        ),
    ] = 0,
    seed: Annotated[
        int, typer.Option("--seed", min=0, max=2**63 - 1, metavar="N", help="Seed of the simulated deals.")
    ] = 0,
    threads: Annotated[
        int,
        typer.Option(
            "--threads", min=0, max=256, metavar="N", help="Number of threads that simulate; 0: one per core."
        ),
    ] = 0,
    server: GameServer = None,
    as_json: AsJson = False,
) -> None:
    """Play, watch or simulate tournaments.

    All entrants, agents and people, start with the same chips. Blinds rise, tables break, and the last player with
    chips wins. Without --play and --watch, the command shows how many players are left, then the result. --play works
    like riverboat play, and moves you from table to table as seats become free. If you leave, your table checks or
    folds for you. Ctrl-C cancels a tournament that this command has opened.

    --simulate plays tournaments in this process, without a game manager. For each agent it prints the mean rank, the
    fitness (0.8 ranking + 0.02 hands won + 0.18 mean money), the return on investment (ROI) with a 95 % interval, and
    the playing style. A seed gives the same tournaments on any number of threads. Only always-fold, always-call,
    always-raise, random and evolved nets can be simulated.

    riverboat tournament --agents rollout*3,always-fold*11

    riverboat tournament --agents rollout*5,random*3 --play

    riverboat tournament --id t3f2a91c0d4e5 --play --name Anna --server 127.0.0.1:50052

    riverboat tournament --agents evolved,always-fold*11,always-call*11,always-raise*11,random*11 --simulate 10000
    """
    if level_hands is not None and level_minutes is not None:
        raise Refused("--level-minutes: not with --level-hands")
    changes = _changes(chips, level_hands, level_minutes)
    if simulate is not None:
        refuse_options(context, _FOR_REAL, "not for simulated tournaments")
        entries = _entries(agents)
        wish = SimulationWish(
            structure=_structure(structure, sum(count for _, count in entries), changes),
            entries=entries,
            count=simulate,
            duplicates=duplicate,
            raise_pots=raise_pots,
            rollouts=rollouts,
            seed=seed,
            threads=threads,
        )
        simulate_tournaments(wish, as_json)
        return
    refuse_options(context, _FOR_SIMULATION, "only with --simulate")
    if play and (watch or as_json):
        raise Refused(f"{'--watch' if watch else '--json'}: not with --play, which shows your own table")
    if tournament_id is not None:
        refuse_options(context, _FOR_NEW, "only for a new tournament, not for one in --id")
        with running_game_manager(server, _NAMES) as link:
            link.tournaments.info(tournament_id)  # refuses an unknown one before anything is shown
            _run(link, tournament_id, "", own_name(name) if play else None, watch, as_json)
        return
    entered = tuple(name for name, count in _entries(agents) for _ in range(count))
    plan = TournamentPlan(
        structure=_structure(structure, len(entered) + free + play, changes),
        agents=entered,
        clock_ms=round(1000 * clock),
        pause_ms=_PAUSE_MS if play and has_keys() else 0,
    )
    note_rollouts(entered, plan.structure.seats_per_table)
    player = own_name(name) if play else None
    with game_manager(server, _NAMES, sorted(set(entered))) as link:
        created = link.tournaments.create(plan)
        new_id = created.info.tournament_id
        if not link.is_own:
            say(f"tournament {new_id}; to watch it elsewhere: {how_to_watch(link, new_id)}")
        _run(link, new_id, created.dealer_token, player, watch, as_json)


def _entries(agents: str) -> tuple[tuple[str, int], ...]:
    """Return agents and how often each enters: "rollout*2" twice."""
    try:
        return entered_agents(names_in(agents))
    except InvalidInput as error:
        raise Refused(f"--agents: {error.reason}") from None


def _changes(chips: int | None, level_hands: int | None, level_minutes: int | None) -> dict[str, int]:
    """Return the fields of a structure that the options change."""
    changes = {} if chips is None else {"starting_chips": chips}
    if level_hands is not None:
        changes["level_hands"] = level_hands
    if level_minutes is not None:
        changes |= {"level_hands": 0, "level_minutes": level_minutes}
    return changes


def _structure(name: str | None, entrant_count: int, changes: Mapping[str, Any]) -> TournamentStructure:
    if entrant_count < 2:
        raise Refused("--agents: a tournament needs at least two entrants, like rollout*3,random*2, or rollout --play")
    try:
        named = preset(name or ("sng-9" if entrant_count <= _ONE_TABLE else "mtt-45"))
        return replace(with_entrants(named, entrant_count), **changes)
    except InvalidInput as error:
        raise Refused(f"{_STRUCTURE_OPTIONS.get(error.field, f'--structure: {error.field}')}: {error.reason}") from None
    except RiverboatError as error:
        raise Refused(f"--structure: {error}") from None


def _run(
    link: GameManagerClient, tournament_id: str, dealer_token: str, player: str | None, watch: bool, as_json: bool
) -> None:
    """Play or follow a tournament, then print its standings."""
    report: TournamentReport | None = None
    try:
        if player is not None:
            token = link.tournaments.register(tournament_id=tournament_id, name=player)
            play_entry(TournamentEntry(link, tournament_id, player, token))
            report = next(reports_of(link, tournament_id))
        else:
            follow = follow_loudly if watch and not as_json else follow_quietly
            for latest in follow(link, tournament_id):
                report = latest
    except KeyboardInterrupt:
        if dealer_token:
            report = cancelled(link, tournament_id, dealer_token) or report
        _show(report, as_json)
        raise typer.Exit(EXIT_INTERRUPTED) from None
    _show(report, as_json)


def _show(report: TournamentReport | None, as_json: bool) -> None:
    if report is None:
        return
    if as_json:
        print_json(standings_dict(report))
        return
    out.print(standings_table(report))
    note(headline(report.info))
