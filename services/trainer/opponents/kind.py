"""The kind of run `opponents`: plan, job, learn, export.

The first rounds cluster players: a job for each style and situation grows a tree, and each player then joins the style
that explains its moves best. The next round grows what does not depend on clusters, and smaller trees for cards; the
last one learns, for each style, what cards moves go with.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load, save

from riverboat.opponents.boosted_moves import KIND_COUNT, BoostedForest, BoostedMoves
from riverboat.opponents.card_models import card_models
from riverboat.opponents.models import OpponentModels, write_models
from riverboat.opponents.moves import first_size
from riverboat.opponents.styles import LEAF, MoveTree, Styles, joined_trees
from riverboat.opponents.tendencies import SITUATION_COUNT
from riverboat.services.trainer.opponents.boosting import boosted_trees, check_library
from riverboat.services.trainer.opponents.cards import learn_cards
from riverboat.services.trainer.opponents.clustering import (
    EVERYBODY,
    SITUATIONS,
    assigned,
    first_clusters,
    real_tree,
    style_tree,
)
from riverboat.services.trainer.opponents.picture import draw_run
from riverboat.services.trainer.opponents.plan import OpponentsPlan
from riverboat.services.trainer.opponents.playing import style_statistics
from riverboat.services.trainer.opponents.state import (
    OpponentsState,
    read_state_bytes,
    read_trees,
    write_state_bytes,
    write_trees,
)
from riverboat.services.trainer.opponents.table import DecisionTable, fitted_cuts, read_table, store_fingerprint
from riverboat.services.trainer.rounds.kind import Artefact, FetchArtefact, TellMessage
from riverboat.training.rounds import write_settings

_STACK = 10_000  # 100 big blinds of 100: what most players in such stores sit with
_STYLE, _EVERYBODY, _BOOSTED, _CARDS = "style", "everybody", "boosted", "cards"


class OpponentRuns:
    """Learns models of players from a store of hands."""

    name = "opponents"
    makes = "models of players: styles, moves and hidden cards"
    plan = OpponentsPlan

    def round_count(self, plan: OpponentsPlan) -> int:
        """Return the number of rounds: one for each iteration of clustering, and two more."""
        return plan.iterations + 2

    def begin(self, plan: OpponentsPlan, tell: TellMessage, fetch: FetchArtefact) -> bytes:
        """Return the state with random clusters."""
        check_library()
        fingerprint = store_fingerprint(plan.store)
        tell("choosing the bins of features")
        cuts = fitted_cuts(plan.store, plan.players)
        tell("reading hands")
        table = read_table(plan.store, plan.players, plan.hands, fingerprint, cuts)
        rng = np.random.default_rng(plan.seed)
        clusters = first_clusters(len(table.names), plan.styles, rng)
        facts: dict[str, Any] = {
            "hands": len(table.board),
            "moves": len(table.choice),
            "people": len(table.names),
            "held out people": int(table.held_out.sum()),
            "iterations": [],
            "statistics": [style_statistics(table, clusters, plan.styles)],
        }
        tell("")
        return write_state_bytes(OpponentsState(fingerprint=fingerprint, cuts=cuts, clusters=clusters, facts=facts))

    def job_count(self, plan: OpponentsPlan, number: int) -> int:
        """Return how many jobs a round has."""
        if number < plan.iterations:
            return plan.styles * SITUATION_COUNT
        return SITUATION_COUNT if number == plan.iterations else plan.styles

    def job(self, plan: OpponentsPlan, state: bytes, number: int, job: int) -> bytes:
        """Return the trees of a style in a situation, those of a situation for all, or what a style's cards do."""
        begun = read_state_bytes(state)
        table = _table(plan, begun)
        if number < plan.iterations:
            style, situation = divmod(job, SITUATION_COUNT)
            tree = style_tree(table, begun.clusters, style, situation, plan.leaves, plan.leaf_moves)
            return write_trees({_name(_STYLE, style, situation): tree})
        if number == plan.iterations:
            return write_trees(_common_trees(plan, begun, table, job))
        trees = [begun.trees[_name(_CARDS, job, situation)] for situation in SITUATIONS]
        lesson = learn_cards(table, begun.clusters, job, trees, plan.card_hands, plan.card_steps, plan.start == "poker")
        facts = json.dumps({**lesson.facts, "trace": lesson.trace}).encode()
        return bytes(save({"chances": lesson.chances, "facts": np.frombuffer(facts, np.uint8)}))

    def learn(
        self, plan: OpponentsPlan, state: bytes, number: int, results: Sequence[bytes], threads: int, tell: TellMessage
    ) -> tuple[bytes, Mapping[str, float]]:
        """Return the state after a round: new clusters, more trees, or what is known about cards."""
        before = read_state_bytes(state)
        if number > plan.iterations:
            return _with_cards(before, results)
        trees = {name: tree for data in results for name, tree in read_trees(data).items()}
        if number == plan.iterations:
            return write_state_bytes(_following(before, {**before.trees, **trees}, before.clusters, before.facts)), {}
        table = _table(plan, before)
        styles = [[trees[_name(_STYLE, style, each)] for each in SITUATIONS] for style in range(plan.styles)]
        tell("assigning players to styles")
        clusters, measures = assigned(table, styles)
        measures["moved"] = float((clusters != before.clusters).mean())
        facts = {
            **before.facts,
            "iterations": [*before.facts["iterations"], measures],
            "statistics": [*before.facts["statistics"], style_statistics(table, clusters, plan.styles)],
        }
        tell("")
        return write_state_bytes(_following(before, trees, clusters, facts)), measures

    def export(self, plan: OpponentsPlan, state: bytes) -> Artefact:
        """Return the models with their card."""
        end = read_state_bytes(state)
        card = {
            **{name: value for name, value in end.facts.items() if name != "statistics"},
            "players": plan.players,
            "game": {"deck": "52", "stack": _STACK, "players": plan.players},
            "data": plan.source or "not said",
            "store": end.fingerprint,
            "held out": "players whose name's SHA-256, as a number, is divisible by ten",
            "settings": {name: text for name, text in write_settings(plan).items() if name not in ("store", "source")},
            "styles": end.facts["statistics"][-1],
        }
        models = _models(plan, end)
        return Artefact(
            label=f"opponents-{plan.players}", suffix=".opponents", data=write_models(models), card=card,
            picture=draw_run(end.facts),
        )  # fmt: skip


def _name(role: str, style: int, situation: int) -> str:
    return f"{role}-{style}-{situation}"


def _table(plan: OpponentsPlan, state: OpponentsState) -> DecisionTable:
    return read_table(plan.store, plan.players, plan.hands, state.fingerprint, state.cuts)


def _following(
    before: OpponentsState, trees: dict[str, MoveTree], clusters: NDArray[np.int16], facts: dict[str, Any]
) -> OpponentsState:
    return OpponentsState(fingerprint=before.fingerprint, cuts=before.cuts, clusters=clusters, trees=trees, facts=facts)


def _common_trees(
    plan: OpponentsPlan, state: OpponentsState, table: DecisionTable, situation: int
) -> dict[str, MoveTree]:
    """Return a situation's trees that are learnt after clustering."""
    clusters = state.clusters
    grown = {
        _name(_EVERYBODY, 0, situation): style_tree(
            table, clusters, EVERYBODY, situation, 2 * plan.leaves, plan.leaf_moves
        )
    }
    for style in range(plan.styles):
        tree = style_tree(table, clusters, style, situation, plan.card_leaves, 2 * plan.leaf_moves)
        grown[_name(_CARDS, style, situation)] = tree
    rows = np.flatnonzero((table.situation == situation) & ~table.held_out[table.player])
    first = int(first_size(situation))
    kinds = np.where(table.choice[rows] >= first, 2, table.choice[rows]).astype(np.uint8)
    bins = np.ascontiguousarray(table.bins[rows])
    boosted = boosted_trees(bins, kinds, first == 2, plan.trees, plan.boosted_leaves, plan.seed)
    for kind, trees in enumerate(boosted):
        grown |= {f"{_BOOSTED}-{situation}-{kind}-{place}": tree for place, tree in enumerate(trees)}
    return grown


def _with_cards(before: OpponentsState, results: Sequence[bytes]) -> tuple[bytes, Mapping[str, float]]:
    loaded = [load(data) for data in results]
    facts = [json.loads(bytes(arrays["facts"])) for arrays in loaded]
    chances = {f"{_CARDS}-chances-{style}": _as_tree(arrays["chances"]) for style, arrays in enumerate(loaded)}
    weights = np.array([each["judged"] for each in facts])
    multiples = np.array([each["multiple"] for each in facts])
    judged = max(1.0, float(weights.sum()))
    measures = {
        "multiple": float((weights * multiples).sum() / judged),
        "judged": float(weights.sum()),
        "log_likelihood": float(sum(each["trace"][-1] for each in facts)),
    }
    following = _following(
        before, {**before.trees, **chances}, before.clusters, {**before.facts, "cards": {**measures, "styles": facts}}
    )
    return write_state_bytes(following), measures


def _as_tree(values: NDArray[Any]) -> MoveTree:
    """Return values in the form that a state keeps."""
    return MoveTree(np.array([LEAF], np.int16), np.zeros(1, np.float32), np.zeros(1, np.int32), values)


def _models(plan: OpponentsPlan, state: OpponentsState) -> OpponentModels:
    trees, styles = state.trees, range(plan.styles)

    def real(role: str, style: int, situation: int) -> MoveTree:
        return real_tree(trees[_name(role, style, situation)], state.cuts)

    forest, chances = joined_trees(
        [real(_STYLE, c, s) for c in styles for s in SITUATIONS], (plan.styles, SITUATION_COUNT)
    )
    own, own_chances = joined_trees([real(_EVERYBODY, 0, s) for s in SITUATIONS], (1, SITUATION_COUNT))
    cards, leaves = joined_trees(
        [real(_CARDS, c, s) for c in styles for s in SITUATIONS], (plan.styles, SITUATION_COUNT)
    )
    tables = np.concatenate([trees[f"{_CARDS}-chances-{style}"].values for style in styles])
    shares = np.bincount(state.clusters, minlength=plan.styles) + 1.0
    return OpponentModels(
        player_count=plan.players,
        styles=Styles(forest=forest, chances=chances, shares=shares / shares.sum()),
        everybody=Styles(forest=own, chances=own_chances, shares=np.ones(1)),
        boosted=_boosted(state),
        cards=card_models(cards, len(leaves), tables),
    )


def _boosted(state: OpponentsState) -> BoostedMoves:
    nothing = MoveTree(
        np.array([LEAF], np.int16), np.zeros(1, np.float32), np.zeros(1, np.int32), np.zeros((1, 1), np.float32)
    )
    by_kind: list[list[MoveTree]] = []
    for situation in SITUATIONS:
        for kind in range(KIND_COUNT):
            prefix = f"{_BOOSTED}-{situation}-{kind}-"
            names = sorted(
                (name for name in state.trees if name.startswith(prefix)), key=lambda name: int(name.rpartition("-")[2])
            )
            by_kind.append([real_tree(state.trees[name], state.cuts) for name in names])
    most = max(1, *map(len, by_kind))
    padded = [tree for trees in by_kind for tree in trees + [nothing] * (most - len(trees))]
    forest, points = joined_trees(padded, (SITUATION_COUNT, KIND_COUNT * most))
    return BoostedMoves(BoostedForest(forest, points[:, 0].copy()))


KIND = OpponentRuns()
