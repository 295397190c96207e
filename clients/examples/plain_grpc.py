"""A bot from the contract alone, which checks and calls: python clients/examples/plain_grpc.py HOST:PORT TABLE_ID."""

import sys
import uuid
from queue import SimpleQueue

import grpc

from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub

server, table_id = sys.argv[1:]
tables, requests = TablesStub(grpc.insecure_channel(server)), SimpleQueue[pb.PlayRequest]()
requests.put(pb.PlayRequest(token=tables.JoinTable(pb.JoinTableRequest(table_id=table_id, name="plain")).token))
for answer in tables.Play(iter(requests.get, None)):
    if answer.view.is_your_turn:
        decision = pb.Decision(request_id=uuid.uuid4().hex, action=Action(call=Action.Call()))  # or raise_to=300
        decision.hand_number, decision.action_number = answer.view.hand_number, answer.view.action_number
        requests.put(pb.PlayRequest(decision=decision))
