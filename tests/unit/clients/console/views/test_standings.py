"""Standings of a tournament: words, table and document."""

from io import StringIO

import numpy as np
from rich.console import Console

from riverboat.clients.console.views.standings import (
    headline,
    news_words,
    place_words,
    standings_dict,
    standings_table,
)
from riverboat.tournaments import entries
from riverboat.tournaments.report import report_of
from riverboat.tournaments.structures import BlindLevel
from tests.unit.tournaments.test_tournament import do, new_tournament, play


def test_the_result_names_everybody_with_rank_and_prize() -> None:
    rng = np.random.default_rng(0)
    tournament, journal = new_tournament(7, 4)
    assert headline(report_of(tournament, 0, 0).info) == "a tournament: 7 of 7 entrants"
    do(tournament, journal, tournament.draw(rng))
    assert "7 of 7 players left, 2 tables, level 1 (10/20), 0 hands" in headline(report_of(tournament, 0, 0).info)
    play(tournament, journal, rng)
    report = report_of(tournament, 0, 10**6)
    assert headline(report.info).startswith(f"a tournament: over after {report.info.hand_count} hands, at level ")
    console = Console(width=100, file=StringIO())
    console.print(standings_table(report))
    console.print(standings_table(report, 3))
    whole, short = console.file.getvalue().split("rank")[1:]  # type: ignore[attr-defined]
    assert all(standing.name in whole for standing in report.standings)
    assert "3.50" in whole  # half of seven buy-ins
    assert "… and 4 more" in short
    document = standings_dict(report)
    assert [row["rank"] for row in document["standings"]] == list(range(1, 8))
    assert sum(row["prize"] for row in document["standings"]) == document["prize_pool"] == 700
    assert all(news_words(news) for news in report.news)


def test_a_player_is_told_the_place() -> None:
    rng = np.random.default_rng(0)
    tournament, journal = new_tournament(7, 4)
    name = report_of(tournament, 0, 0).standings[0].name
    assert place_words(report_of(tournament, 0, 0), name) == "", "before the draw"
    do(tournament, journal, tournament.draw(rng))
    standings = report_of(tournament, 0, 0).standings
    assert place_words(report_of(tournament, 0, 0), standings[1].name).startswith("place 2 of 7 left, ")
    assert place_words(report_of(tournament, 0, 0), standings[1].name).endswith("; level 1 (10/20)")
    assert place_words(report_of(tournament, 0, 0), "nobody") == ""
    play(tournament, journal, rng)
    assert place_words(report_of(tournament, 0, 0), name) == "", "when it is over"


def test_news_in_words() -> None:
    assert news_words(entries.LevelBegan(6, BlindLevel(100, 200, 25))) == "level 7: 100/200 ante 25"
    assert news_words(entries.PlayerEliminated("ann", 3, 250, "t1-1", 9)) == "ann is out in place 3 and wins 2.50"
    assert news_words(entries.PlayerEliminated("ann", 9, 0, "t1-1", 9)) == "ann is out in place 9"
    assert news_words(entries.PlayCancelled("why")) == "the tournament is cancelled: why"
    assert news_words(entries.UnknownNews()) == ""
