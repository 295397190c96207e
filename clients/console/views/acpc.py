"""Results of matches by the computer poker competition's protocol, for people and for programs."""

from typing import Any

from rich.table import Column, Table

from riverboat.clients.acpc.dealer import DealerScore
from riverboat.clients.acpc.player import AgentScore
from riverboat.clients.console.views.output import note, out, print_table
from riverboat.clients.console.views.text import plain
from riverboat.clients.console.views.winnings import winnings_dict, winnings_words
from riverboat.marks import warning_of


def dealer_dict(score: DealerScore, hand_count: int) -> dict[str, Any]:
    """Return the score of a match for programs."""
    players = [
        {
            "name": name,
            "chips": won,
            "late": conduct.late,
            "illegal": conduct.illegal,
            "wasted_lines": conduct.wasted,
            "seconds": round(conduct.seconds, 3),
        }
        for name, won, conduct in zip(score.names, score.won, score.conduct, strict=True)
    ]
    return {"players": players, "hands": score.hand_count, "complete": score.hand_count == hand_count}


def print_conduct(score: DealerScore, big_blind: int) -> None:
    """Print what each player won and how it behaved."""
    names = ("chips", "mbb/hand", "late", "illegal", "wasted lines", "seconds")
    table = Table("player", *(Column(name, justify="right") for name in names), box=None, padding=(0, 2, 0, 0))
    for name, won, conduct in zip(score.names, score.won, score.conduct, strict=True):
        mbb = 1000 * won / big_blind / max(1, score.hand_count)
        counts = (conduct.late, conduct.illegal, conduct.wasted)
        table.add_row(plain(name), f"{won:+,}", f"{mbb:+,.1f}", *(f"{n:,}" for n in counts), f"{conduct.seconds:,.1f}")
    print_table(table)
    note(f"{score.hand_count:,} hands")


def agent_dict(agent: str, score: AgentScore, big_blind: int) -> dict[str, Any]:
    """Return what our agent won, for programs."""
    made = score.decisions
    decisions = {"decisions": made.decision_count, "partial": made.partial_count, "fallback": made.fallback_count}
    return {"agent": agent, **winnings_dict(score.won, big_blind), "unknown": score.unknown_count, **decisions}


def print_agent(agent: str, score: AgentScore, big_blind: int) -> None:
    """Print what our agent won."""
    won = score.won
    words = f"{plain(agent)}: {winnings_words(won, big_blind)}, {won.total:+,.0f} chips in {won.hand_count:,} hands"
    out.print(words, markup=False, soft_wrap=True)
    if score.unknown_count:
        note(f"{score.unknown_count:,} more hands ended with cards that the dealer did not show")
    if warning := warning_of(plain(agent), score.decisions):
        note(warning)
