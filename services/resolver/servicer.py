"""The resolver's contract: decode, one call, encode."""

from collections.abc import AsyncIterator
from typing import Any

import grpc

from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.protos.resolver.v1 import resolver_pb2_grpc
from riverboat.rpc.convert import resolver as questions
from riverboat.rpc.convert import resolver_answers as answers
from riverboat.rpc.work import Workers, last_of
from riverboat.services.resolver.networks import Networks
from riverboat.services.resolver.resolver import SpotResolver
from riverboat.services.resolver.study import Study
from riverboat.services.resolver.uploads import Uploads

Context = grpc.aio.ServicerContext[Any, Any]


class ResolverServicer(resolver_pb2_grpc.ResolverServicer):
    """Serves riverboat.resolver.v1.Resolver."""

    def __init__(
        self, resolver: SpotResolver, study: Study, networks: Networks, uploads: Uploads, workers: Workers
    ) -> None:
        self._resolver, self._study, self._networks, self._uploads = resolver, study, networks, uploads
        self._workers = workers

    async def Resolve(self, request: pb.ResolveRequest, context: Context) -> pb.ResolveResponse:
        return answers.encode_resolved(
            await last_of(
                self._workers.stream(
                    lambda: self._resolver.resolve(questions.decode_resolve(request), context.time_remaining)
                )
            )
        )

    async def Solve(self, request: pb.SolveRequest, context: Context) -> AsyncIterator[pb.SolveResponse]:
        async for step in self._workers.stream(
            lambda: self._study.solve(questions.decode_solve(request), context.time_remaining)
        ):
            yield answers.encode_solved(step)

    async def GetNode(self, request: pb.GetNodeRequest, context: Context) -> pb.GetNodeResponse:
        return await self._workers.call_on_thread(
            lambda: answers.encode_node(self._study.node(request.handle, questions.decode_path(request.path)))
        )

    async def GetNodes(self, request: pb.GetNodesRequest, context: Context) -> AsyncIterator[pb.GetNodesResponse]:
        async for node in self._workers.stream(lambda: self._study.nodes(*questions.decode_nodes(request))):
            yield answers.encode_numbered_node(node)

    async def ReleaseSolution(self, request: pb.ReleaseSolutionRequest, context: Context) -> pb.ReleaseSolutionResponse:
        return answers.encode_released(self._study.release(request.handle))

    async def ListNetworks(self, request: pb.ListNetworksRequest, context: Context) -> pb.ListNetworksResponse:
        return await self._workers.call_on_thread(lambda: answers.encode_networks(self._networks.shelf().answer()))

    async def SaveSolution(
        self, request: pb.SaveSolutionRequest, context: Context
    ) -> AsyncIterator[pb.SaveSolutionResponse]:
        async for chunk, total in self._workers.stream(lambda: self._study.save(request.handle)):
            yield answers.encode_chunk(chunk, total)

    async def LoadSolution(
        self, request_iterator: AsyncIterator[pb.LoadSolutionRequest], context: Context
    ) -> pb.LoadSolutionResponse:
        return answers.encode_loaded(
            await self._uploads.take(
                (request.chunk async for request in request_iterator),
                lambda data: last_of(self._workers.stream(lambda: self._study.load(data))),
            )
        )
