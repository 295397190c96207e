"""Players and how they play: tables for people, dictionaries for programs."""

from collections.abc import Sequence
from math import isnan
from typing import Any

from rich.table import Column, Table

from riverboat.clients.console.views.output import note, out, print_table
from riverboat.clients.console.views.text import plain
from riverboat.opponents.player_statistics import PlayerStatistics
from riverboat.streets import STREETS

KINDS = ("fold", "check", "call", "bet", "raise")
_HEADS = ("hands", "VPIP", "PFR", "aggression", "to showdown", "won there", "bb/100")


def share_text(value: float) -> str:
    """Return a share as a percentage with one decimal; "–" if there is none."""
    return "–" if isnan(value) else f"{100 * value:.1f} %"


def number_text(value: float) -> str:
    """Return a number with two decimals; "–" if there is none."""
    return "–" if isnan(value) else f"{value:,.2f}"


def rate_text(player: PlayerStatistics) -> str:
    """Return a win rate with its 95 % interval."""
    if isnan(player.win_rate):
        return "–"
    error = "" if isnan(player.win_rate_error) else f" ± {player.win_rate_error:.1f}"
    return f"{player.win_rate:+.1f}{error}"


def cells_of(player: PlayerStatistics) -> tuple[str, ...]:
    """Return the statistics in words, in the order of the table."""
    return (
        f"{player.hand_count:,}",
        share_text(player.vpip),
        share_text(player.pfr),
        number_text(player.aggression),
        share_text(player.went_to_showdown),
        share_text(player.won_at_showdown),
        rate_text(player),
    )


def print_players(players: Sequence[PlayerStatistics], shown: int) -> None:
    """Print a table of the first players."""
    table = Table("player", *(Column(head, justify="right") for head in _HEADS), box=None, padding=(0, 2, 0, 0))
    for player in players[:shown]:
        table.add_row(plain(player.name, 30), *cells_of(player))
    print_table(table)
    if len(players) > shown:
        note(f"{len(players) - shown:,} more; --top shows more of them, --html and --json all")


def print_report(rows: Sequence[PlayerStatistics]) -> None:
    """Print one player's statistics by table size, and the player's moves on each street."""
    whole = rows[-1]
    out.print(plain(whole.name, 60), markup=False, style="bold")
    table = Table("players", *(Column(head, justify="right") for head in _HEADS), box=None, padding=(0, 2, 0, 0))
    for row in rows if len(rows) > 2 else rows[-1:]:
        label = "all" if row is whole and len(rows) > 2 else str(row.player_counts[0])
        table.add_row(label, *cells_of(row))
    print_table(table)
    out.print()
    moves = Table("", Column("moves", justify="right"), *(Column(kind, justify="right") for kind in KINDS), box=None)
    for words, counts in move_rows(whole):
        total = sum(counts)
        moves.add_row(words, f"{total:,}", *(share_text(count / total) if count else "" for count in counts))
    print_table(moves)


def move_rows(player: PlayerStatistics) -> list[tuple[str, list[int]]]:
    """Return how often a player made each kind of move, in each of the eight situations that came up."""
    rows = []
    for street, name in enumerate(STREETS):
        for facing, words in enumerate(("nothing to call", "a bet to call")):
            counts = player.moves[street, facing].tolist()
            if any(counts):
                rows.append((f"{name}, {words}", counts))
    return rows


def player_dict(player: PlayerStatistics) -> dict[str, Any]:
    """Return a player's statistics for programs; shares are 0 to 1, and null where nothing can be said."""

    def number(value: float) -> float | None:
        return None if isnan(value) else value

    moves = {words: dict(zip(KINDS, counts, strict=True)) for words, counts in move_rows(player)}
    return {
        "player": player.name,
        "table_sizes": list(player.player_counts),
        "hands": player.hand_count,
        "vpip": number(player.vpip),
        "pfr": number(player.pfr),
        "aggression": number(player.aggression),
        "went_to_showdown": number(player.went_to_showdown),
        "won_at_showdown": number(player.won_at_showdown),
        "win_rate_bb_per_100": number(player.win_rate),
        "win_rate_95_percent": number(player.win_rate_error),
        "moves": moves,
    }
