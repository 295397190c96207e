"""The JavaScript example deals and checks like the library: the same vectors and attacks."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.tables import encode_view
from riverboat.tables.config import Reveal, TableConfig
from riverboat.tables.contributions import line_up
from riverboat.tables.view import view_of
from tests.processes import ROOT
from tests.unit.dealing.sitting import ANN, BOB, CONFIG, Change, Sitting, with_reveal
from tests.unit.dealing.test_attacks import OTHER, started
from tests.unit.dealing.test_left_out import shut_out
from tests.unit.tables.test_sides import act, sides, start

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="Node is not installed on this machine")

MODULE = ROOT / "clients" / "examples" / "javascript" / "dealing.js"
GOLDEN = ROOT / "tests" / "golden" / "dealing.json"
VECTORS = """
const d = require(process.argv[1]), assert = require("node:assert");
for (const c of require(process.argv[2])) {
  const deck = d.DECKS[c.deck], buffer = (text) => Buffer.from(text, "hex");
  assert.deepEqual(c.seeds.map((seed) => d.rootOf(deck, buffer(seed))), c.roots);
  assert.equal(d.serverCommitment(c.table_id, c.hand_number, c.attempt, c.roots), c.commitment);
  const own = c.secrets.map((secret, i) => (secret ? d.seatCommitment(c.commitment, c.chairs[i], secret) : ""));
  assert.deepEqual(own, c.commitments);
  assert.equal(d.mixOf(c.commitment, c.chairs, c.secrets), c.mix);
  assert.deepEqual(d.orderOf(c.mix, c.order.length), c.order);
  (c.holdings.join("") + c.board).match(/../g).forEach((card, i) => {
    const opening = { salt: buffer(c.openings[i].salt), path: buffer(c.openings[i].path) };
    const opens = (card) => d.opens(c.roots[c.dealt], c.order.length, c.order[i], d.cardNumber(card), opening);
    assert.ok(opens(card));
    assert.ok(!opens(card === "Ks" ? "Js" : "Ks"));
  });
}
"""
SEES = """
const { Witness } = require(process.argv[1]);
const views = JSON.parse(require("node:fs").readFileSync(0), (key, value) =>
  ["salt", "path"].includes(key) ? Buffer.from(value, "hex") : value);
let count = 0n;
const draw = (size) => Buffer.from((++count).toString(16).padStart(2 * size, "0"), "hex");
const witness = new Witness(draw);
const seen = views.map((view) => witness.see(view));
const all = (name) => seen.flatMap((one) => one[name]);
console.log(JSON.stringify({ sent: all("contributions"), problems: all("problems") }));
"""


def node(script: str, *words: str | Path, data: str = "") -> str:
    command = ["node", "-e", script, *map(str, words)]
    done = subprocess.run(command, input=data, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def plain(value: Any) -> Any:
    """Return a message as @grpc/proto-loader does: all fields by their own names, bytes as hexadecimal digits."""
    if isinstance(value, bytes):
        return value.hex()
    if not isinstance(value, Message):
        return value
    fields: dict[str, Any] = {}
    for field in value.DESCRIPTOR.fields:
        each = getattr(value, field.name)
        if field.is_repeated:
            fields[field.name] = [plain(one) for one in each]
        elif (field.message_type is None and field.containing_oneof is None) or value.HasField(field.name):
            fields[field.name] = plain(each)
        elif field.type == FieldDescriptor.TYPE_MESSAGE and field.containing_oneof is None:
            fields[field.name] = None
    return fields


class Recorded(Sitting):
    """A sitting that records Ann's views."""

    def __init__(self, config: TableConfig = CONFIG) -> None:
        self.views: list[pb.View] = []
        super().__init__(config)

    def view(self) -> pb.View:
        self.views.append(super().view())
        return self.views[-1]


def seen(sitting: Recorded) -> tuple[list[str], list[str]]:
    """Return the example's contributions and problems for the same views and secrets."""
    answer = json.loads(node(SEES, MODULE, data=json.dumps([plain(view) for view in sitting.views])))
    return [one.get("commitment") or one["secret"] for one in answer["sent"]], answer["problems"]


def test_the_vectors() -> None:
    node(VECTORS, MODULE, GOLDEN)


def test_an_honest_server() -> None:
    sitting = Recorded()
    for _ in range(2):
        sitting.start()
        sitting.play()
    assert sitting.proved == [1, 2]
    assert seen(sitting) == ([one.commitment or one.secret for one in sitting.sent], [])


def other_roots(view: pb.View) -> None:
    if begun := started(view):
        begun.roots[0] = OTHER


def other_deck(view: pb.View) -> None:
    if begun := started(view):
        begun.other_seed = OTHER


def other_secret(view: pb.View) -> None:
    if begun := started(view):
        begun.secrets[list(begun.chairs).index(BOB)] = OTHER


def other_card(view: pb.View) -> None:
    if view.action_number > 2:
        view.holding = view.holding[2:] + view.holding[:2]


def other_board(view: pb.View) -> None:
    for event in view.events:
        if event.HasField("board_dealt"):
            event.board_dealt.cards = event.board_dealt.cards[2:] + event.board_dealt.cards[:2]


def left_out(view: pb.View) -> None:
    for seat in view.coming_deal.lineup:
        seat.commitment = "" if seat.chair == ANN else seat.commitment


def other_attempt(view: pb.View) -> None:
    if begun := started(view):
        begun.commitment = OTHER


@pytest.mark.parametrize(
    "change", [other_roots, other_deck, other_secret, other_card, other_board, left_out, other_attempt]
)
def test_attacks(change: Change) -> None:
    sitting = Recorded()
    sitting.change = change
    sitting.start()
    sitting.play()
    assert sitting.problems
    assert seen(sitting)[1]


def other_seed(view: pb.View) -> None:
    for event in view.events:
        if event.HasField("hand_ended"):
            event.hand_ended.seed = OTHER


def test_a_false_seed() -> None:
    sitting = Recorded(with_reveal(Reveal.ALL))
    sitting.start()
    sitting.play()
    assert seen(sitting)[1] == []
    other_seed(sitting.views[-1])
    assert seen(sitting)[1] == ["hand 1: the seed is not the one that was committed to"]


@pytest.mark.parametrize("attack", ["drops", "shuts out", "hides the offer"])
def test_three_hands_without_our_contribution(attack: str) -> None:
    sitting = Recorded()
    sitting.is_dropping = attack == "drops"
    if attack == "shuts out":
        sitting.change = shut_out
    if attack == "hides the offer":
        sitting.change = lambda view: view.ClearField("coming_deal")
    for _ in range(3):
        assert seen(sitting)[1] == []
        sitting.start()
        sitting.play()
    assert seen(sitting)[1] == ["hand 3: the server has dealt 3 hands in a row without our contribution"]


def test_who_did_not_reveal_in_time_knows_why() -> None:
    sitting = Recorded()
    sitting.line_up()
    sitting.is_dropping = True  # the secret is lost on its way
    sitting.look()
    sitting.void()
    for _ in range(4):
        sitting.start()
        sitting.play()
    assert seen(sitting)[1] == sitting.problems == []


def test_blame_for_a_secret_that_the_server_had() -> None:
    sitting = Recorded()
    sitting.line_up()
    sitting.look()
    sitting.look()
    assert sitting.table.next_deal
    sitting.table.next_deal.secrets.pop(ANN)
    sitting.void()
    assert seen(sitting)[1] == ["hand 1: attempt 1 was void because our secret was missing, though the server had it"]


@pytest.mark.parametrize("change", [None, other_seed, other_board, other_card])
def test_a_deal_v1(change: Change | None) -> None:
    """A hand of a match whose deal the other side has played: its end includes the seed."""
    sitting = Recorded()
    first, _ = match = sides(2)
    for table in match[::-1]:  # the other side first, so that nothing is secret at this one
        start(table)
        while table.actor is not None:
            if table is first:
                sitting.views.append(pb.View.FromString(encode_view(view_of(table, ANN, 0)).SerializeToString()))
            act(table, 0)
    sitting.views.append(pb.View.FromString(encode_view(view_of(first, ANN, 0)).SerializeToString()))
    for view in sitting.views:
        if change:
            change(view)
    assert bool(seen(sitting)[1]) == bool(change)


def test_nothing_of_old_hands_is_kept() -> None:
    sitting = Recorded()
    for _ in range(8):
        sitting.start()
        sitting.play()
    sizes = "sizes: [witness.sent, witness.told, witness.hands].map((kept) => kept.size)"
    script = SEES.replace("{ sent:", f"{{ {sizes}, sent:")
    answer = json.loads(node(script, MODULE, data=json.dumps([plain(view) for view in sitting.views])))
    assert len(answer["sent"]) == 17
    assert max(answer["sizes"]) <= 5


def test_no_secret_for_a_lineup_without_our_commitment() -> None:
    sitting = Recorded()
    sitting.look()
    sitting.change = left_out
    sitting.do(line_up(sitting.table, sitting.entropy()))
    sitting.look()
    assert len(seen(sitting)[0]) == 1
