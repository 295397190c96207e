"""The state manager's contract: decode, one call, encode."""

from collections.abc import AsyncIterator
from typing import Any

import grpc

from protos.gamemanager.v1 import state_manager_pb2 as pb
from protos.gamemanager.v1 import state_manager_pb2_grpc
from riverboat.rpc.convert import state_manager as convert
from riverboat.rpc.work import Workers
from riverboat.rules.variant import VARIANTS
from services.gamemanager.state_manager import StateManager

Context = grpc.aio.ServicerContext[Any, Any]


class StateManagerServicer(state_manager_pb2_grpc.StateManagerServicer):
    """Serves riverboat.gamemanager.v1.StateManager."""

    def __init__(self, manager: StateManager, workers: Workers) -> None:
        self._manager = manager
        self._workers = workers

    async def ListVariants(self, request: pb.ListVariantsRequest, context: Context) -> pb.ListVariantsResponse:
        return convert.encode_variants(VARIANTS)

    async def Package(self, request: pb.PackageRequest, context: Context) -> pb.PackageResponse:
        return await self._workers.call(
            lambda: convert.encode_package(self._manager.package(*convert.decode_package(request))),
            size=len(request.events),
        )

    async def LegalActions(self, request: pb.LegalActionsRequest, context: Context) -> pb.LegalActionsResponse:
        return convert.encode_legal_actions(*self._manager.legal_actions(*convert.decode_legal_actions(request)))

    async def Apply(self, request: pb.ApplyRequest, context: Context) -> pb.ApplyResponse:
        return convert.encode_apply(self._manager.apply(*convert.decode_apply(request)))

    async def CountSubtree(self, request: pb.CountSubtreeRequest, context: Context) -> pb.CountSubtreeResponse:
        return await self._workers.call(
            lambda: convert.encode_count(*self._manager.count(convert.decode_subtree(request.subtree))), size=1000
        )

    async def ExpandSubtree(
        self, request: pb.ExpandSubtreeRequest, context: Context
    ) -> AsyncIterator[pb.ExpandSubtreeResponse]:
        async for part in self._workers.stream(lambda: self._manager.expand(convert.decode_subtree(request.subtree))):
            yield convert.encode_tree(*part)
