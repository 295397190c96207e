"""The game manager's contracts: decode, one call, encode."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import grpc

from riverboat.contracts.hosts import AgentVerdict
from riverboat.protos.gamemanager.v1 import (
    agent_hosts_pb2,
    agent_hosts_pb2_grpc,
    matches_pb2,
    matches_pb2_grpc,
    state_manager_pb2_grpc,
    tables_pb2_grpc,
    tournaments_pb2_grpc,
)
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as pb
from riverboat.protos.gamemanager.v1 import tables_pb2 as tables
from riverboat.protos.gamemanager.v1 import tournaments_pb2 as tournaments
from riverboat.rpc.clients import client_name
from riverboat.rpc.convert import deals as convert_deals
from riverboat.rpc.convert import matches as convert_matches
from riverboat.rpc.convert import state_manager as convert
from riverboat.rpc.convert import tables as convert_tables
from riverboat.rpc.convert import tournaments as convert_tournaments
from riverboat.rpc.work import Workers
from riverboat.rules.variant import VARIANTS
from riverboat.services.gamemanager.hosts import Hosts
from riverboat.services.gamemanager.manager import Manager
from riverboat.services.gamemanager.matches import Matches
from riverboat.services.gamemanager.play_stream import play
from riverboat.services.gamemanager.state_manager import StateManager
from riverboat.services.gamemanager.tournaments import Tournaments

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
        return await self._workers.call_on_thread(
            lambda: convert.encode_count(*self._manager.count(convert.decode_subtree(request.subtree)))
        )

    async def ExpandSubtree(
        self, request: pb.ExpandSubtreeRequest, context: Context
    ) -> AsyncIterator[pb.ExpandSubtreeResponse]:
        async for part in self._workers.stream(lambda: self._manager.expand(convert.decode_subtree(request.subtree))):
            yield convert.encode_tree(*part)


class TablesServicer(tables_pb2_grpc.TablesServicer):
    """Serves riverboat.gamemanager.v1.Tables."""

    def __init__(self, manager: Manager, hosts: Hosts) -> None:
        self._manager = manager
        self._hosts = hosts

    async def CreateTable(self, request: tables.CreateTableRequest, context: Context) -> tables.CreateTableResponse:
        return convert_tables.encode_created(
            *await self._hosts.create_table(convert_tables.decode_config(request.config), await client_name(context))
        )

    async def ListTables(self, request: tables.ListTablesRequest, context: Context) -> tables.ListTablesResponse:
        return convert_tables.encode_tables(*self._manager.find_tables(request.include_closed, request.table_id))

    async def JoinTable(self, request: tables.JoinTableRequest, context: Context) -> tables.JoinTableResponse:
        return convert_tables.encode_join(*await self._manager.join(*convert_tables.decode_join(request)))

    async def LeaveTable(self, request: tables.LeaveTableRequest, context: Context) -> tables.LeaveTableResponse:
        return convert_tables.encode_left(await self._manager.leave(request.token, request.give_up))

    async def Rebuy(self, request: tables.RebuyRequest, context: Context) -> tables.RebuyResponse:
        return tables.RebuyResponse(stack=await self._manager.rebuy(request.token, request.chips))

    async def GetView(self, request: tables.GetViewRequest, context: Context) -> tables.GetViewResponse:
        return tables.GetViewResponse(view=convert_tables.encode_view(self._manager.view(request.token)))

    async def TakeAction(self, request: tables.TakeActionRequest, context: Context) -> tables.TakeActionResponse:
        return convert_tables.encode_taken(
            await self._manager.act(request.token, convert_tables.decode_decision(request.decision))
        )

    async def Contribute(self, request: tables.ContributeRequest, context: Context) -> tables.ContributeResponse:
        return convert_tables.encode_contributed(
            await self._manager.contribute(request.token, convert_deals.decode_contribution(request.contribution))
        )

    async def Play(
        self, request_iterator: AsyncIterator[tables.PlayRequest], context: Context
    ) -> AsyncIterator[tables.PlayResponse]:
        async for answer in play(self._manager, _decoders(request_iterator)):
            yield convert_tables.encode_answer(answer)

    async def Watch(self, request: tables.WatchRequest, context: Context) -> AsyncIterator[tables.WatchResponse]:
        async for update in self._manager.updates(request.table_id, request.from_number, request.dealer_token):
            yield convert_tables.encode_update(update)

    async def ListHands(self, request: tables.ListHandsRequest, context: Context) -> tables.ListHandsResponse:
        return convert_tables.encode_records(self._manager.hands(*convert_tables.decode_hands(request)))

    async def CloseTable(self, request: tables.CloseTableRequest, context: Context) -> tables.CloseTableResponse:
        return convert_tables.encode_closed(await self._manager.close_table(request.table_id, request.dealer_token))


class AgentHostsServicer(agent_hosts_pb2_grpc.AgentHostsServicer):
    """Serves riverboat.gamemanager.v1.AgentHosts."""

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts

    async def Attend(
        self, request_iterator: AsyncIterator[agent_hosts_pb2.AttendRequest], context: Context
    ) -> AsyncIterator[agent_hosts_pb2.AttendResponse]:
        async for message in self._hosts.attend(
            convert_matches.decode_offer(await anext(request_iterator, None)),
            _verdicts(request_iterator),
            partial(context.send_initial_metadata, convert_matches.ACCEPTED),
        ):
            yield convert_matches.encode_host_message(message)

    async def ListAgents(
        self, request: agent_hosts_pb2.ListAgentsRequest, context: Context
    ) -> agent_hosts_pb2.ListAgentsResponse:
        return convert_matches.encode_agents(self._hosts.agents, self._hosts.with_parameter)


class MatchesServicer(matches_pb2_grpc.MatchesServicer):
    """Serves riverboat.gamemanager.v1.Matches."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    async def StartMatch(
        self, request: matches_pb2.StartMatchRequest, context: Context
    ) -> matches_pb2.StartMatchResponse:
        return convert_matches.encode_match(
            *await self._matches.start(await client_name(context), convert_matches.decode_plan(request))
        )

    async def WatchMatch(
        self, request: matches_pb2.WatchMatchRequest, context: Context
    ) -> AsyncIterator[matches_pb2.WatchMatchResponse]:
        async for score in self._matches.watch(request.match_id):
            yield convert_matches.encode_score(score)

    async def CancelMatch(
        self, request: matches_pb2.CancelMatchRequest, context: Context
    ) -> matches_pb2.CancelMatchResponse:
        return convert_matches.encode_cancelled(await self._matches.cancel(request.match_id, request.dealer_token))


class TournamentsServicer(tournaments_pb2_grpc.TournamentsServicer):
    """Serves riverboat.gamemanager.v1.Tournaments."""

    def __init__(self, manager: Manager, service: Tournaments) -> None:
        self._manager = manager
        self._tournaments = service

    async def CreateTournament(
        self, request: tournaments.CreateTournamentRequest, context: Context
    ) -> tournaments.CreateTournamentResponse:
        return convert_tournaments.encode_created(
            *await self._tournaments.create(convert_tournaments.decode_plan(request), await client_name(context))
        )

    async def Register(self, request: tournaments.RegisterRequest, context: Context) -> tournaments.RegisterResponse:
        return convert_tournaments.encode_registered(
            await self._tournaments.register(
                request.tournament_id, request.name, request.request_id, request.contributes
            )
        )

    async def ListTournaments(
        self, request: tournaments.ListTournamentsRequest, context: Context
    ) -> tournaments.ListTournamentsResponse:
        return convert_tournaments.encode_tournaments(
            self._manager.tournaments.find(request.include_over, request.tournament_id)
        )

    async def WatchTournament(
        self, request: tournaments.WatchTournamentRequest, context: Context
    ) -> AsyncIterator[tournaments.WatchTournamentResponse]:
        async for report in self._manager.tournaments.reports(request.tournament_id, request.from_number):
            yield convert_tournaments.encode_report(report)

    async def CancelTournament(
        self, request: tournaments.CancelTournamentRequest, context: Context
    ) -> tournaments.CancelTournamentResponse:
        return tournaments.CancelTournamentResponse(
            at_once=await self._tournaments.cancel(request.tournament_id, request.dealer_token)
        )


# Requests are decoded later, where errors can be returned to the client.
async def _decoders(requests: AsyncIterator[tables.PlayRequest]) -> AsyncIterator["partial[Any]"]:
    async for request in requests:
        yield partial(convert_tables.decode_play, request)


async def _verdicts(requests: AsyncIterator[agent_hosts_pb2.AttendRequest]) -> AsyncIterator[AgentVerdict]:
    async for request in requests:
        yield convert_matches.decode_verdict(request)
