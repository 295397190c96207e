"""Messages of tournaments: what goes out comes back, and what makes no sense is refused with its field."""

import numpy as np
import pytest

from riverboat.contracts.tournaments import TournamentPlan
from riverboat.errors import InvalidInput, NotFound
from riverboat.protos.gamemanager.v1 import tournaments_pb2 as pb
from riverboat.rpc.convert import tournaments as convert
from riverboat.tournaments import entries
from riverboat.tournaments.report import report_of
from riverboat.tournaments.structures import MTT_45, SNG_9
from tests.unit.tournaments.test_tournament import do, new_tournament, play


def test_a_plan_comes_back() -> None:
    plan = TournamentPlan(structure=SNG_9, agents=("a", "a", "b"), name="x", clock_ms=500, pause_ms=7)
    assert convert.decode_plan(convert.encode_plan(plan)) == plan


def test_a_preset_and_its_entrants() -> None:
    request = pb.CreateTournamentRequest(
        preset="mtt-45", agents=[pb.AgentEntry(name="a"), pb.AgentEntry(name="b", count=2)]
    )
    plan = convert.decode_plan(request)
    assert (plan.structure, plan.agents, plan.clock_ms) == (MTT_45, ("a", "b", "b"), 30_000)
    request.entrant_count = 12
    assert convert.decode_plan(request).structure.entrant_count == 12


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (pb.CreateTournamentRequest(), ""),
        (pb.CreateTournamentRequest(preset="sng-9", entrant_count=1), "entrant_count"),
        (pb.CreateTournamentRequest(preset="sng-9", entrant_count=10_001), "entrant_count"),
        (pb.CreateTournamentRequest(structure=pb.TournamentStructure(name="x")), "structure.entrant_count"),
        (pb.CreateTournamentRequest(structure=convert.encode_structure(SNG_9), entrant_count=3), "entrant_count"),
        (pb.CreateTournamentRequest(preset="sng-9", agents=[pb.AgentEntry(name="a", count=-1)]), "agents"),
        (pb.CreateTournamentRequest(preset="sng-9", agents=[pb.AgentEntry(name="a", count=2**31 - 1)]), "agents"),
    ],
)
def test_nonsense_is_refused(request_: pb.CreateTournamentRequest, field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        convert.decode_plan(request_)
    assert caught.value.field == field


def test_an_unknown_preset_is_not_found() -> None:
    with pytest.raises(NotFound):
        convert.decode_plan(pb.CreateTournamentRequest(preset="x"))


def test_a_report_of_a_whole_tournament_comes_back() -> None:
    rng = np.random.default_rng(4)
    tournament, journal = new_tournament(12, 4, agent_count=10)
    for name in ("Anna", "Bert", "Carl"):
        do(tournament, journal, tournament.register(name, f"player {name}", name, False))
        if name == "Anna":
            do(tournament, journal, tournament.withdraw(10))
    assert convert.decode_report(convert.encode_report(early := report_of(tournament, 0, 100))) == early
    do(tournament, journal, tournament.draw(rng))
    play(tournament, journal, rng)
    report = report_of(tournament, 3, 10**6, "a reason")
    assert convert.decode_report(convert.encode_report(report)) == report
    kinds = {type(news) for news in tournament.news}
    assert kinds >= {
        entries.PlayerWithdrew,
        entries.PlayBegan,
        entries.PlayerMoved,
        entries.TableBroken,
        entries.PlayerWon,
    }
    cancelled, journal = new_tournament(2, 2)
    do(cancelled, journal, cancelled.cancel("why not"))
    report = report_of(cancelled, 0, 100)
    assert convert.decode_report(convert.encode_report(report)) == report


def test_news_of_a_later_version_are_unknown() -> None:
    tournament, _ = new_tournament(2, 2)
    message = convert.encode_report(report_of(tournament, 0, 0))
    message.events.add(number=0)
    assert convert.decode_report(message).news == (entries.UnknownNews(),)
    message.tournament.status = 9  # type: ignore[assignment]
    with pytest.raises(InvalidInput, match="status"):
        convert.decode_report(message)
