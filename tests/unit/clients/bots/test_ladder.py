"""A small ladder with 24 cards: an agent that becomes worse changes the signs here."""

from riverboat.clients.bots.ladder import AIVAT, LadderPlan, play_ladder, variant_with

WEAK = ("always-call", "always-raise")


def test_rollout_stays_ahead_of_simple_agents() -> None:
    plan = LadderPlan(("rollout", *WEAK), variant_with("24"), 60, seed=5, scoring=AIVAT)
    *_, last = play_ladder(plan, None)
    assert last.done == 1
    assert last.seconds_left == 0
    assert last.ladder.ranking[0] == "rollout"
    for opponent in WEAK:
        score = last.ladder.score("rollout", opponent)
        assert score
        assert score.interval[0] > 0, score
