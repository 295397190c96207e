"""The kind of run `blueprint`: groups, then epochs of self-play in rounds, then the average strategy as a file."""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from riverboat.blueprint.blueprint import average_blueprint
from riverboat.blueprint.card import blueprint_card
from riverboat.blueprint.checkpoint import SavedPlay, read_checkpoint, write_checkpoint
from riverboat.blueprint.deals import DealTables, deal_tables
from riverboat.blueprint.file_format import write_blueprint
from riverboat.blueprint.groups import fit_groups, group_tables
from riverboat.blueprint.self_play import SelfPlay
from riverboat.services.trainer.blueprint.plan import BlueprintPlan
from riverboat.services.trainer.rounds.kind import Artefact, FetchArtefact, TellMessage

_TELL_SECONDS = 2.0


class BlueprintRuns:
    """The kind of run that makes a strategy for a whole game of two players by self-play."""

    name = "blueprint"
    makes = "a strategy for a whole game of two, found by self-play"
    plan = BlueprintPlan

    def __init__(self) -> None:
        # All rounds of a run are played in one process, and the tables take half a minute.
        self._kept: tuple[BlueprintPlan, DealTables] | None = None

    def round_count(self, plan: BlueprintPlan) -> int:
        """Return the number of rounds."""
        return plan.round_count

    def begin(self, plan: BlueprintPlan, tell: TellMessage, fetch: FetchArtefact) -> bytes:
        """Return the state before the first epoch, with the groups of holdings."""
        rng = np.random.default_rng([plan.seed, len(plan.game().group_counts)])
        grouping = fit_groups(plan.game(), rng, _reporter(tell, "grouping holdings"))
        return write_checkpoint(SavedPlay.first(plan.game(), grouping))

    def job_count(self, plan: BlueprintPlan, number: int) -> int:
        """Return 0: self-play changes one table of regrets, in the process of the run."""
        return 0

    def job(self, plan: BlueprintPlan, state: bytes, number: int, job: int) -> bytes:
        """Raise: there are no jobs."""
        raise ValueError(f"a blueprint run has no job {job}")

    def learn(
        self, plan: BlueprintPlan, state: bytes, number: int, results: Sequence[bytes], threads: int, tell: TellMessage
    ) -> tuple[bytes, Mapping[str, float]]:
        """Play the epochs of a round; the plan says on how many threads, because results depend on it."""
        saved = read_checkpoint(state, plan.game())
        play = SelfPlay(plan.game(), self._tables(plan, saved, tell), plan.self_play())
        saved.restore(play)
        begun = time.perf_counter()
        with ThreadPoolExecutor(plan.threads) as executor:
            while play.epochs < min(plan.epochs, (number + 1) * plan.round_epochs):
                play.play_epoch(np.random.default_rng([plan.seed, play.epochs]), executor, plan.threads)
                tell(f"epoch {play.epochs:,} of {plan.epochs:,}")
        seconds = time.perf_counter() - begun
        tell("")
        measures = {"epochs": float(play.epochs), "seconds_per_epoch": seconds / max(1, play.epochs - saved.epochs)}
        return write_checkpoint(SavedPlay.of(play, saved.grouping, saved.seconds + seconds)), measures

    def export(self, plan: BlueprintPlan, state: bytes) -> Artefact:
        """Return the average strategy with its card."""
        saved = read_checkpoint(state, plan.game())
        play = SelfPlay(plan.game(), self._tables(plan, saved, lambda message: None), plan.self_play())
        saved.restore(play)
        blueprint = average_blueprint(plan.game(), saved.grouping, play.memory)
        card = blueprint_card(blueprint, plan.self_play(), plan.seed, saved.epochs, saved.seconds)
        label = f"{plan.deck}-{plan.stack}"
        return Artefact(label=label, suffix=".blueprint", data=write_blueprint(blueprint), card=card)

    def _tables(self, plan: BlueprintPlan, saved: SavedPlay, tell: TellMessage) -> DealTables:
        """Return the tables of a run's deals, which follow from its plan."""
        if self._kept is None or self._kept[0] != plan:
            groups = group_tables(saved.grouping, _reporter(tell, "looking up groups on turns"))
            self._kept = plan, deal_tables(plan.game().variant.deck, groups)
        return self._kept[1]


def _reporter(tell: TellMessage, words: str) -> Callable[[float], None]:
    """Return a function that reports the share that is done, at most once every two seconds."""
    told = [-_TELL_SECONDS]

    def report(done: float) -> None:
        if time.monotonic() > told[0] + _TELL_SECONDS:
            told[0] = time.monotonic()
            tell(f"{words}: {done:.0%}")

    return report


KIND = BlueprintRuns()
