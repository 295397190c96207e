"""Standings of a tournament, for people and for programs."""

from typing import Any

from rich.table import Column, Table

from riverboat.clients.analysis.counts import counted
from riverboat.clients.console.views.text import chips_text, plain
from riverboat.tournaments import entries
from riverboat.tournaments.report import EntrantStanding, TournamentInfo, TournamentReport
from riverboat.tournaments.structures import BlindLevel
from riverboat.tournaments.tournament import TournamentStatus

_CENTS = 100


def money_text(cents: int) -> str:
    """Return money that is counted in cents."""
    return f"{cents / _CENTS:,.2f}"


def blinds_text(blinds: BlindLevel) -> str:
    """Return the forced bets of a level."""
    ante = f" ante {chips_text(blinds.ante)}" if blinds.ante else ""
    return f"{chips_text(blinds.small_blind)}/{chips_text(blinds.big_blind)}{ante}"


def headline(info: TournamentInfo) -> str:
    """Return a tournament's state in one line."""
    if info.status is TournamentStatus.REGISTERING:
        return f"{plain(info.name)}: {info.registered_count} of {info.structure.entrant_count} entrants"
    hands = counted(info.hand_count, "hand")
    if info.status is not TournamentStatus.PLAYING:
        end = "over" if info.status is TournamentStatus.OVER else "cancelled"
        return f"{plain(info.name)}: {end} after {hands}, at level {info.level + 1} ({blinds_text(info.blinds)})"
    tables = len(info.table_ids)
    where = f", {counted(tables, 'table')}" if tables else ""
    return (
        f"{plain(info.name)}: {info.left_count} of {info.registered_count} players left{where}, "
        f"level {info.level + 1} ({blinds_text(info.blinds)}), {hands}"
    )


def place_words(report: TournamentReport, name: str) -> str:
    """Return where a player stands, in one line; "" unless the tournament is being played and the player is in it."""
    info = report.info
    places = {standing.name: place for place, standing in enumerate(report.standings, start=1)}
    if info.status is not TournamentStatus.PLAYING or not 1 <= places.get(name, 0) <= info.left_count:
        return ""
    paid = len(info.structure.payouts)
    prizes = f"{paid} are paid" if info.left_count > paid else "all are paid"
    return (
        f"place {places[name]} of {info.left_count} left, {prizes}; level {info.level + 1} ({blinds_text(info.blinds)})"
    )


def standings_table(report: TournamentReport, most: int | None = None) -> Table:
    """Return the standings, the first `most` of them."""
    numbers = [Column(name, justify="right") for name in ("rank", "chips", "prize")]
    table = Table(numbers[0], "player", numbers[1], numbers[2], "table", box=None, padding=(0, 2, 0, 0))
    for standing in report.standings[:most]:
        rank = str(standing.rank) if standing.rank else ""
        prize = money_text(standing.prize) if standing.prize else ""
        table.add_row(rank, plain(standing.name), chips_text(standing.chips), prize, _place(standing))
    left = len(report.standings) - len(report.standings[:most])
    if left:
        table.add_row("", f"… and {left} more", "", "", "")
    return table


def _place(standing: EntrantStanding) -> str:
    return plain(standing.table_id) if standing.table_id else ""


def news_words(news: entries.News) -> str:
    """Return an event in words; "" for one that this version does not know."""
    match news:
        case entries.PlayerEntered(name):
            return f"{plain(name)} enters"
        case entries.PlayerWithdrew(name):
            return f"{plain(name)} withdraws"
        case entries.PlayBegan(table_ids):
            return f"seats are drawn at {counted(len(table_ids), 'table')}: {', '.join(table_ids)}"
        case entries.LevelBegan(level, blinds):
            return f"level {level + 1}: {blinds_text(blinds)}"
        case entries.PlayerEliminated(name, rank, prize):
            won = f" and wins {money_text(prize)}" if prize else ""
            return f"{plain(name)} is out in place {rank}{won}"
        case entries.PlayerMoved(name, _, table_id, chair):
            return f"{plain(name)} moves to table {plain(table_id)}, chair {chair}"
        case entries.TableBroken(table_id):
            return f"table {plain(table_id)} is broken"
        case entries.PlayerWon(name, prize):
            return f"{plain(name)} wins the tournament" + (f" and {money_text(prize)}" if prize else "")
        case entries.PlayCancelled(reason):
            return f"the tournament is cancelled: {plain(reason)}"
    return ""


def standings_dict(report: TournamentReport) -> dict[str, Any]:
    """Return the standings for programs."""
    info = report.info
    return {
        "tournament": info.tournament_id,
        "name": info.name,
        "status": info.status.name.lower(),
        "structure": info.structure.name,
        "entrants": info.structure.entrant_count,
        "hands": info.hand_count,
        "level": info.level + 1,
        "prize_pool": info.structure.prize_pool,
        "standings": [
            {
                "name": standing.name,
                "agent": standing.is_agent,
                "rank": standing.rank or None,
                "chips": standing.chips,
                "prize": standing.prize,
            }
            for standing in report.standings
        ],
    }
