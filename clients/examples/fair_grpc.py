"""plain_grpc.py that also contributes to every shuffle and checks every deal: fair_grpc.py HOST:PORT TABLE_ID."""

import secrets
import sys
import uuid
from queue import SimpleQueue

import grpc

from riverboat.dealing.witness import Severity, Witness
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.rpc.convert.deals import encode_contribution
from riverboat.rpc.convert.tables_client import decode_sight

server, table_id = sys.argv[1:]
tables, requests = TablesStub(grpc.insecure_channel(server)), SimpleQueue[pb.PlayRequest]()
joined = tables.JoinTable(pb.JoinTableRequest(table_id=table_id, name="fair", contributes=True))
requests.put(pb.PlayRequest(token=joined.token))
witness = Witness(secrets.token_bytes)
for answer in tables.Play(iter(requests.get, None)):
    if not answer.HasField("view"):
        continue
    contributions, findings = witness.see(decode_sight(answer.view))
    for contribution in contributions:
        requests.put(pb.PlayRequest(contribution=encode_contribution(contribution)))
    for finding in findings:
        print(f"hand {finding.hand_number}: {Severity(finding.level).name}: {finding.text}", flush=True)
    if answer.view.is_your_turn:
        decision = pb.Decision(request_id=uuid.uuid4().hex, action=Action(call=Action.Call()))
        decision.hand_number, decision.action_number = answer.view.hand_number, answer.view.action_number
        requests.put(pb.PlayRequest(decision=decision))
