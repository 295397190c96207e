// An oracle in JavaScript: node server.js [HOST:PORT]
const path = require("node:path");
const grpc = require("@grpc/grpc-js");
const loader = require("@grpc/proto-loader");
const { handlers, tolerant } = require("./src/guard");
const methods = require("./src/methods");
const { health, reflection } = require("./src/vitals");

const ORACLE = "riverboat.oracle.v1.Oracle", HEALTH = "grpc.health.v1.Health";
const REFLECTION = "grpc.reflection.v1alpha.ServerReflection";
const NAMES = [ORACLE, HEALTH, REFLECTION];
const root = process.env.RIVERBOAT_ROOT || path.join(__dirname, "..", "..", ".."); // the folder that has protos/
const load = (file, folder) => loader.loadSync(file,
  { includeDirs: [folder], keepCase: true, longs: String, enums: String, defaults: true, oneofs: true });

const contract = load("protos/oracle/v1/oracle.proto", root);
const own = path.join(__dirname, "protos");
const server = new grpc.Server();
server.addService(tolerant(contract[ORACLE]), handlers(contract[ORACLE], methods));
server.addService(load("health.proto", own)[HEALTH], health(NAMES));
server.addService(load("reflection.proto", own)[REFLECTION], reflection(NAMES, contract));

const address = process.argv[2] || "127.0.0.1:50051";
server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (error) => {
  if (error) return console.error(error.message), process.exit(1);
  console.log(`an oracle listens on ${address}`);
});
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => server.tryShutdown(() => process.exit(0)));
