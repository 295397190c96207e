// The shortest bot, which checks and calls: node ten_lines.js HOST:PORT TABLE_ID
const [grpc, loader] = [require("@grpc/grpc-js"), require("@grpc/proto-loader")];
const options = { includeDirs: [process.env.RIVERBOAT_ROOT || "../../.."], keepCase: true, longs: Number };
const contract = loader.loadSync("protos/gamemanager/v1/tables.proto", options);
const tables = new (grpc.loadPackageDefinition(contract).riverboat.gamemanager.v1.Tables)(
  process.argv[2], grpc.credentials.createInsecure());
tables.JoinTable({ table_id: process.argv[3], name: "shortest" }, (error, joined) => {
  if (error) { console.error(error.details); process.exit(1); }
  const stream = tables.Play();
  stream.on("data", ({ view: v }) => v?.is_your_turn && stream.write({ decision: { request_id: crypto.randomUUID(),
    hand_number: v.hand_number, action_number: v.action_number, action: { call: {} } } }));
  stream.write({ token: joined.token });
});
