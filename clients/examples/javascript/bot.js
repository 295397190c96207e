// A bot that checks and calls: node bot.js HOST:PORT TABLE_ID [NAME]
const grpc = require("@grpc/grpc-js");
const loader = require("@grpc/proto-loader");
const crypto = require("node:crypto");
const path = require("node:path");
const { Witness } = require("./dealing.js"); // contributes to every shuffle, and checks every deal

const root = process.env.RIVERBOAT_ROOT || path.join(__dirname, "..", "..", ".."); // the folder that has protos/
const options = { includeDirs: [root], keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true };
const contract = loader.loadSync("protos/gamemanager/v1/tables.proto", options);
const { Tables } = grpc.loadPackageDefinition(contract).riverboat.gamemanager.v1;

// The only line that plays poker: a view in, an action out, { fold: {} }, { call: {} } or { raise_to: chips }.
const act = (view) => ({ call: {} });

const [server, table_id, name = "javascript"] = process.argv.slice(2);
const tables = new Tables(server, grpc.credentials.createInsecure());
const fail = (reason) => (console.error(reason), process.exit(1));
const witness = new Witness();
let hand_count = 0;

function play(token) {
  const stream = tables.Play();
  let answered = "";
  witness.reconnect();
  stream.on("data", ({ kind, view, refusal }) => {
    if (kind === "refusal") return console.error(`refused: ${refusal.message}`);
    const { hand_number, action_number, is_your_turn } = view;
    hand_count = hand_number;
    const { contributions, problems } = witness.see(view);
    for (const contribution of contributions) stream.write({ contribution });
    for (const problem of problems) console.error(`THE DEAL IS NOT WHAT WAS ANNOUNCED: ${problem}`);
    if (!is_your_turn || answered === `${hand_number}/${action_number}`) return;
    answered = `${hand_number}/${action_number}`;
    stream.write({ decision: { request_id: crypto.randomUUID(), hand_number, action_number, action: act(view) } });
  });
  stream.on("error", () => {}); // the status event below says why
  stream.on("status", ({ code, details }) => {
    if (code === grpc.status.UNAVAILABLE) setTimeout(play, 500, token); // the server may come back, and the token stays valid
    else if (code === grpc.status.OK) console.log(`the table closed after ${hand_count} hands`), process.exit(0);
    else fail(details);
  });
  stream.write({ token });
}

tables.JoinTable({ table_id, name, request_id: crypto.randomUUID(), contributes: true }, (error, joined) => {
  if (error) return fail(error.details);
  console.log(`${name} sits in chair ${joined.chair}`);
  play(joined.token);
});
