"""A program that plays the chairs of the given tokens, always checking or calling, until their tables close.

python -m benchmarks.caller ADDRESS TOKEN…
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator

import grpc

from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub

_CALL = Action(call=Action.Call())


async def play(stub: TablesStub, token: str, waits: list[float]) -> None:
    """Check or call at each of the chair's turns; append the seconds from decision to next view to `waits`."""
    decisions: asyncio.Queue[pb.PlayRequest | None] = asyncio.Queue()
    decisions.put_nowait(pb.PlayRequest(token=token))

    async def requests() -> AsyncIterator[pb.PlayRequest]:
        while (request := await decisions.get()) is not None:
            yield request

    sent = 0.0
    async for answer in stub.Play(requests()):  # type: ignore[attr-defined, arg-type]  # the stubs describe the synchronous API
        view = answer.view
        if sent:
            waits.append(time.perf_counter() - sent)
            sent = 0.0
        if view.is_your_turn:
            request_id = f"{view.hand_number}-{view.action_number}"
            decision = pb.Decision(
                request_id=request_id, hand_number=view.hand_number, action_number=view.action_number, action=_CALL
            )
            sent = time.perf_counter()
            decisions.put_nowait(pb.PlayRequest(decision=decision))
    decisions.put_nowait(None)


async def main(address: str, tokens: list[str]) -> None:
    """Play all chairs, then print the median wait in seconds."""
    waits: list[float] = []
    async with grpc.aio.insecure_channel(address) as channel:
        await asyncio.gather(*(play(TablesStub(channel), token, waits) for token in tokens))
    print(sorted(waits)[len(waits) // 2])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
