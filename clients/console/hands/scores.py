"""How well the shelved models of opponents foresee the moves in a store."""

from typing import Any

from riverboat.clients.bots.opponent_models.shelf import models_of, shelf
from riverboat.clients.console.hands.store import HandStore
from riverboat.clients.console.views.move_scores import print_scores
from riverboat.clients.console.views.output import print_json, progress_bar
from riverboat.clients.remote.refusals import Refused
from riverboat.opponents.scoring import MoveScorer, scores_as_dict


def report_scores(store: HandStore, seats: tuple[int, ...], as_json: bool) -> None:
    """Score the models of each number of players, or of these only, and print the result."""
    store.check_parts()
    chosen = [each for each in shelf() if not seats or int(each.card["players"]) in seats]
    if not chosen:
        known = " or ".join(str(each.card["players"]) for each in shelf()) or "no number of"
        raise Refused(f"--seats: there are models for {known} players only")
    scorers = {each.name: MoveScorer(models_of(each)) for each in chosen}
    part_count = len(store.part_paths())
    with progress_bar("hands") as bar:
        for place, part in enumerate(store.parts(), start=1):
            for scorer in scorers.values():
                scorer.add(part.columns)
            bar.show(place / part_count, f"part {place:,} of {part_count:,}")
    results = [_result(name, scorer) for name, scorer in scorers.items()]
    if as_json:
        print_json(results)
    else:
        print_scores(results)


def _result(name: str, scorer: MoveScorer) -> dict[str, Any]:
    return {
        "players": scorer.player_count,
        "models": name,
        "everyone": scores_as_dict(scorer.everyone),
        "held_out": scores_as_dict(scorer.held_out),
        "gain_of_styles": scorer.gain_of_styles(),
    }
