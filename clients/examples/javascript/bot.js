// A bot that checks and calls: node bot.js HOST:PORT TABLE_ID [NAME]
const grpc = require("@grpc/grpc-js");
const loader = require("@grpc/proto-loader");
const crypto = require("node:crypto");
const path = require("node:path");

const root = process.env.RIVERBOAT_ROOT || path.join(__dirname, "..", "..", ".."); // the folder that has protos/
const contract = loader.loadSync("protos/gamemanager/v1/tables.proto", { includeDirs: [root], keepCase: true });
const { Tables } = grpc.loadPackageDefinition(contract).riverboat.gamemanager.v1;

// The only line that plays poker: a view in, an action out, { fold: {} }, { call: {} } or { raise_to: chips }.
const act = (view) => ({ call: {} });

function play(tables, token, handCount = 0) {
  const stream = tables.Play();
  let answered = "";
  stream.on("data", ({ view, refusal }) => {
    if (refusal) return console.error(`refused: ${refusal.message}`);
    const turn = `${view.hand_number}/${view.action_number}`;
    handCount = Number(view.hand_number);
    if (view.is_your_turn && turn !== answered) {
      answered = turn;
      const { hand_number, action_number } = view;
      stream.write({ decision: { request_id: crypto.randomUUID(), hand_number, action_number, action: act(view) } });
    }
  });
  stream.on("end", () => console.log(`the table is closed after ${handCount} hands`));
  stream.on("error", ({ code, details }) => {
    if (code !== grpc.status.UNAVAILABLE) return console.error(details), (process.exitCode = 1);
    setTimeout(() => play(tables, token, handCount), 500); // the server is gone for a while; the token stays good
  });
  stream.write({ token });
}

const [server, table_id, name = "javascript"] = process.argv.slice(2);
const tables = new Tables(server, grpc.credentials.createInsecure());
tables.JoinTable({ table_id, name, request_id: crypto.randomUUID() }, (error, joined) => {
  if (error) return console.error(error.details), (process.exitCode = 1);
  console.log(`${name} sits in chair ${joined.chair || 0}`);
  play(tables, joined.token);
});
