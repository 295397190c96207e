"""The trainer's contract: decode, one call, encode."""

from collections.abc import AsyncIterator
from typing import Any

import grpc

from riverboat.protos.trainer.v1 import trainer_pb2 as pb
from riverboat.protos.trainer.v1 import trainer_pb2_grpc
from riverboat.rpc.convert import trainer as convert
from riverboat.rpc.work import Workers
from riverboat.services.trainer.trainer import Trainer

Context = grpc.aio.ServicerContext[Any, Any]


class TrainerServicer(trainer_pb2_grpc.TrainerServicer):
    """Serves riverboat.trainer.v1.Trainer."""

    def __init__(self, trainer: Trainer, workers: Workers) -> None:
        self._trainer, self._workers = trainer, workers

    async def PlanRun(self, request: pb.PlanRunRequest, context: Context) -> pb.PlanRunResponse:
        return await self._workers.call_on_thread(
            lambda: pb.PlanRunResponse(run=convert.encode_run(self._trainer.plan(convert.decode_request(request))))
        )

    async def WatchRun(self, request: pb.WatchRunRequest, context: Context) -> AsyncIterator[pb.WatchRunResponse]:
        async for status in self._trainer.watch(request.run_id, self._workers):
            yield pb.WatchRunResponse(run=convert.encode_run(status))

    async def ListRuns(self, request: pb.ListRunsRequest, context: Context) -> pb.ListRunsResponse:
        return await self._workers.call_on_thread(
            lambda: pb.ListRunsResponse(runs=map(convert.encode_run, self._trainer.runs()))
        )

    async def PauseRun(self, request: pb.PauseRunRequest, context: Context) -> pb.PauseRunResponse:
        return await self._workers.call_on_thread(
            lambda: pb.PauseRunResponse(run=convert.encode_run(self._trainer.pause(request.run_id)))
        )

    async def ResumeRun(self, request: pb.ResumeRunRequest, context: Context) -> pb.ResumeRunResponse:
        return await self._workers.call_on_thread(
            lambda: pb.ResumeRunResponse(run=convert.encode_run(self._trainer.resume(request.run_id)))
        )

    async def CancelRun(self, request: pb.CancelRunRequest, context: Context) -> pb.CancelRunResponse:
        return await self._workers.call_on_thread(
            lambda: pb.CancelRunResponse(run=convert.encode_run(self._trainer.cancel(request.run_id)))
        )

    async def DropRun(self, request: pb.DropRunRequest, context: Context) -> pb.DropRunResponse:
        return await self._workers.call_on_thread(
            lambda: pb.DropRunResponse(run=convert.encode_run(self._trainer.drop(request.run_id)))
        )

    async def ListKinds(self, request: pb.ListKindsRequest, context: Context) -> pb.ListKindsResponse:
        return await self._workers.call_on_thread(lambda: convert.encode_kinds(self._trainer.kinds()))

    async def ListModels(self, request: pb.ListModelsRequest, context: Context) -> pb.ListModelsResponse:
        return await self._workers.call_on_thread(lambda: convert.encode_models(self._trainer.models()))

    async def FetchModel(self, request: pb.FetchModelRequest, context: Context) -> AsyncIterator[pb.FetchModelResponse]:
        async for chunk, total in self._workers.stream(lambda: self._trainer.fetch(request.name)):
            yield pb.FetchModelResponse(chunk=chunk, total_bytes=total)
