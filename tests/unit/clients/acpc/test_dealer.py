"""The dealer against agents on real sockets: honest ones, broken ones, slow ones and ones that die."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import numpy as np
import pytest

from riverboat.arena.bots import CallBot
from riverboat.clients.acpc.connection import AgentConnection, AgentLost
from riverboat.clients.acpc.dealer import Dealer, DealerPlan
from riverboat.clients.acpc.doors import Doors, open_doors
from riverboat.clients.acpc.player import AcpcPlayer, connected
from riverboat.clients.bots.bot_runner import BotRunner
from riverboat.errors import InvalidInput, Unavailable
from riverboat.history.acpc import read_acpc
from riverboat.rules.variant import Variant, fixed_limit, no_limit
from tests.unit.arena.bots import RandomBot

GAME, LIMIT = no_limit(50, 100), fixed_limit(10)
NAMES = ("alice", "bob", "carol")
HOST, LONG = "127.0.0.1", 60.0

Script = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def plan_of(player_count: int = 2, hand_count: int = 20, variant: Variant = GAME, **limits: float) -> DealerPlan:
    stack = 20_000 if variant is GAME else 1000
    seconds = {"action_seconds": LONG, "hand_seconds": LONG, **limits}
    return DealerPlan(variant=variant, stack=stack, names=NAMES[:player_count], hand_count=hand_count, **seconds)


async def deal(
    plan: DealerPlan, scripts: Sequence[Script], seed: int = 1
) -> tuple[Dealer, list[str], AgentLost | None]:
    """Deal a match to agents that are given as scripts; return how it ended."""
    lines: list[str] = []
    async with open_doors(HOST, plan.names, [0] * len(plan.names)) as doors:
        running = [asyncio.create_task(_run(script, port)) for script, port in zip(scripts, doors.ports, strict=True)]
        dealer = Dealer(plan, await doors.agents(LONG), np.random.default_rng(seed))
        lost = None
        try:
            await dealer.play(lambda line, _: lines.append(line))
        except AgentLost as error:
            lost = error
    await asyncio.gather(*running)
    return dealer, lines, lost


async def _run(script: Script, port: int) -> None:
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(b"VERSION:2.0.0\r\n")
    try:
        await script(reader, writer)
    except (ConnectionError, asyncio.IncompleteReadError):
        pass  # the dealer has closed the connection
    finally:
        writer.close()


def answering(answer: Callable[[bytes], bytes]) -> Script:
    """Return an agent that sends what `answer` makes of each message that asks it for an action."""

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            if _asks(line):
                writer.write(answer(line.rstrip(b"\r\n")))
                await writer.drain()

    return script


def _asks(line: bytes) -> bool:
    """Return whether a message of a heads-up limp-and-check game asks its reader for an action."""
    _, seat, _, betting, _ = line.decode().split(":")
    last = betting.split("/")[-1]
    first = 1 if "/" not in betting else 0
    ended = betting.count("/") == 3 and len(last) == 2
    return not ended and "f" not in betting and (first + len(last)) % 2 == int(seat)


caller = answering(lambda message: message + b":c\r\n")


@pytest.mark.parametrize("player_count", [2, 3])
@pytest.mark.parametrize("variant", [GAME, LIMIT], ids=["no-limit", "limit"])
async def test_our_player_at_our_dealer(variant: Variant, player_count: int) -> None:
    plan = plan_of(player_count, 60, variant)
    players = [AcpcPlayer(BotRunner(RandomBot, name, 7, strict=True), variant, plan.stack) for name in plan.names]

    def play(player: AcpcPlayer, port: int) -> None:
        with connected(HOST, port, LONG) as link:
            player.play(link, lambda _: None)

    lines: list[str] = []
    async with open_doors(HOST, plan.names, [0] * player_count) as doors:
        threads = [asyncio.to_thread(play, *pair) for pair in zip(players, doors.ports, strict=True)]
        running = [asyncio.create_task(thread) for thread in threads]
        dealer = Dealer(plan, await doors.agents(LONG), np.random.default_rng(3))
        await dealer.play(lambda line, _: lines.append(line))
    await asyncio.gather(*running)

    score = dealer.score
    assert score.hand_count == 60
    assert sum(score.won) == 0
    assert [conduct.illegal + conduct.late + conduct.wasted for conduct in score.conduct] == [0] * player_count
    assert [player.score.won.total for player in players] == score.won
    assert [player.score.hand_count for player in players] == [60] * player_count
    histories = list(read_acpc("\n".join(lines), variant, plan.stack))
    assert [history.label for history in histories] == list(range(60))
    assert {history.names[0] for history in histories} == set(plan.names)  # everybody has every position


async def test_the_same_seed_deals_the_same_cards() -> None:
    first, second, other = [(await deal(plan_of(), [caller, caller], seed))[1] for seed in (1, 1, 2)]
    assert first == second != other


async def test_positions_move_on_by_one_with_each_hand() -> None:
    _, lines, _ = await deal(plan_of(hand_count=3), [caller, caller])
    assert [line.split(":")[-1] for line in lines] == ["alice|bob", "bob|alice", "alice|bob"]


async def test_wrong_bytes_are_skipped_and_counted() -> None:
    rng = np.random.default_rng(5)

    def noisy(message: bytes) -> bytes:
        junk = b"".join(b"x" + rng.bytes(30).replace(b"\n", b"") + b"\n" for _ in range(5))
        stale = b"MATCHSTATE:0:99::AhKd|:c\r\n"
        return junk + stale + message + b":x\r\n# a comment\r\n;another\n" + message + b":c\n"

    dealer, lines, lost = await deal(plan_of(), [answering(noisy), caller])
    assert (len(lines), lost) == (20, None)
    noise, calm = dealer.score.conduct
    decisions = sum(line.split(":")[2].count("c") for line in lines) // 2
    assert (noise.wasted, calm.wasted) == (7 * decisions, 0)


async def test_illegal_actions_are_replaced() -> None:
    dealer, lines, lost = await deal(plan_of(hand_count=4), [answering(lambda message: message + b":f\r\n"), caller])
    assert lost is None
    assert dealer.score.conduct[0].illegal > 0  # folding where checking costs nothing
    assert all("f" not in line.split(":")[2][1:] for line in lines)


async def test_an_agent_that_dies_ends_the_match() -> None:
    async def dies(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hands = 0
        while hands < 3 and (line := await reader.readline()):
            hands += line.startswith(b"MATCHSTATE:1:") and line.split(b":")[3] == b""
            if _asks(line):
                writer.write(line.rstrip(b"\r\n") + b":c\r\n")

    dealer, lines, lost = await deal(plan_of(), [caller, dies])
    assert lost is not None
    assert (lost.name, lost.reason) == ("bob", "closed its connection")
    assert dealer.score.hand_count == len(lines) < 20
    assert sum(dealer.score.won) == 0


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Play an agent that reads and never answers."""
    while await reader.readline():
        pass


async def test_a_slow_agent_checks_or_folds_and_is_sent_away_in_the_end() -> None:
    dealer, lines, lost = await deal(plan_of(hand_count=40, action_seconds=0.01), [silent, silent])
    assert lost is not None
    assert (lost.name, lost.reason) == ("bob", "did not answer 11 times")  # bob had the button first
    assert [conduct.late for conduct in dealer.score.conduct] == [10, 11]
    assert {line.split(":")[2] for line in lines} == {"f"}
    assert (len(lines), dealer.score.won) == (20, [0, 0])


async def test_an_agent_that_answers_late_goes_on() -> None:
    messages: list[bytes] = []

    def second_time(message: bytes) -> bytes:
        """Return nothing at first, so that the dealer acts for the agent; then the late answer and the next one."""
        messages.append(message)
        before = messages[-2] + b":c\r\n" if len(messages) == 2 else b""
        return b"" if len(messages) == 1 else before + message + b":c\r\n"

    dealer, lines, lost = await deal(plan_of(hand_count=2, action_seconds=0.5), [caller, answering(second_time)])
    assert (len(lines), lost) == (2, None)
    assert dealer.score.conduct[1].late >= 1
    assert dealer.score.conduct[1].wasted >= 1


async def test_an_agent_that_uses_up_its_time_ends_the_match() -> None:
    _, lines, lost = await deal(plan_of(hand_count=2, hand_seconds=0.02), [caller, silent])
    assert lost is not None
    assert lost.reason == "has used up its time for the whole match"
    assert not lines


@pytest.mark.parametrize(
    ("bytes_sent", "reason"),
    [
        (b"x" * 20_000, "sent a line of more than 4,096 bytes"),
        (b"MATCHSTATE:\n" * 5000, "sent 1,000 lines in a row that are not answers"),
        (b"\xff\xfe\x00\n" * 5000, "sent 1,000 lines in a row that are not answers"),
    ],
)
async def test_floods_end_the_match(bytes_sent: bytes, reason: str) -> None:
    _, _, lost = await deal(plan_of(), [answering(lambda _: bytes_sent), caller])
    assert lost is not None
    assert (lost.name, lost.reason) == ("alice", reason)


async def test_comments_without_end_do_not_stop_the_clock() -> None:
    async def chatty(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(b"# hello\n" * 100)
            await writer.drain()
            await asyncio.sleep(0)

    _, _, lost = await deal(plan_of(hand_count=40, action_seconds=0.02), [chatty, silent])
    assert lost is not None
    assert lost.reason == "did not answer 11 times"


async def test_an_agent_that_reads_nothing_costs_bounded_memory() -> None:
    accepted: asyncio.Future[asyncio.StreamWriter] = asyncio.get_running_loop().create_future()
    server = await asyncio.start_server(lambda _, writer: accepted.set_result(writer), HOST, 0)
    _, client = await asyncio.open_connection(HOST, server.sockets[0].getsockname()[1], limit=100)
    writer = await accepted
    connection = AgentConnection("bob", asyncio.StreamReader(), writer)

    def send_without_end() -> None:
        while True:
            connection.send("x" * 1000)

    with pytest.raises(AgentLost, match="bob has left more than 256 KB unread"):
        send_without_end()
    assert writer.transport.get_write_buffer_size() < 300_000
    await connection.close()
    client.close()
    server.close()


async def entered(doors: Doors, *sent: bytes) -> list[bytes]:
    """Connect to the first door once for each text and send it; return what each reads until the end, if it ends."""
    ended = []
    for text in sent:
        reader, writer = await asyncio.open_connection(HOST, doors.ports[0])
        writer.write(text)
        try:
            ended.append(await reader.read())
        except ConnectionResetError:  # how a socket ends that has bytes left to read
            ended.append(b"")
        writer.close()
    return ended


async def test_only_an_agent_with_the_right_version_gets_the_seat() -> None:
    async with open_doors(HOST, NAMES[:1], [0]) as doors:
        assert await entered(doors, b"HELLO\n", b"VERSION:1.0.0\r\n", b"\x00" * 9000) == [b"", b"", b""]
        silent_reader, silent = await asyncio.open_connection(HOST, doors.ports[0])  # does not hold up the others
        _, writer = await asyncio.open_connection(HOST, doors.ports[0])
        writer.write(b"VERSION:2.0.0\n")
        (agent,) = await doors.agents(LONG)
        assert await entered(doors, b"VERSION:2.0.0\r\n") == [b""]  # the seat is taken
        agent.send("MATCHSTATE")
    assert await silent_reader.read() == b""
    for each in (silent, writer):
        each.close()


async def test_waiting_for_agents_ends() -> None:
    async with open_doors(HOST, NAMES[:2], [0, 0]) as doors:
        with pytest.raises(Unavailable, match=r"after 0.01 s no agent has connected for alice and bob"):
            await doors.agents(0.01)


async def test_a_player_says_what_is_wrong_with_its_dealer() -> None:
    sent: list[bytes] = []

    async def wrong(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(sent[0])
        await writer.drain()
        await reader.read()
        writer.close()

    def play(port: int) -> None:
        with connected(HOST, port, LONG) as link:
            AcpcPlayer(BotRunner(CallBot, "bob", 1), GAME, 20_000).play(link, lambda _: None)

    server = await asyncio.start_server(wrong, HOST, 0)
    port = server.sockets[0].getsockname()[1]
    for bytes_sent, message in (
        (b"MATCHSTATE:1:0:r15:|AhKd\r\n", "do --limit, --blinds and --stack describe the dealer's game"),
        (b"HTTP/1.1 400 Bad Request\r\n", "is not a state of a match"),
        (b"\xff" * 10_000 + b"\n", "is not a dealer of this protocol: it sent a line of more than 4,096 bytes"),
    ):
        sent[:] = [bytes_sent]
        with pytest.raises(InvalidInput, match=message):
            await asyncio.to_thread(play, port)
    server.close()
    await server.wait_closed()
    with pytest.raises(Unavailable, match=r"no dealer answers at 127\.0\.0\.1"):
        await asyncio.to_thread(play, port)
