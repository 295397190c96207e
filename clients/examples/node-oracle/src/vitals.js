// Health and reflection, which every server of Riverboat has.
const grpc = require("@grpc/grpc-js");
const { descriptorsOf } = require("./descriptors");

// Reports these services as serving.
function health(names) {
  const isKnown = (name) => name === "" || names.includes(name);
  return {
    Check: ({ request }, callback) => isKnown(request.service) ? callback(null, { status: "SERVING" })
      : callback({ code: grpc.status.NOT_FOUND, details: `there is no service ${request.service}` }),
    Watch: (call) => call.write({ status: isKnown(call.request.service) ? "SERVING" : "SERVICE_UNKNOWN" }),
  };
}

// Describes the contracts, from descriptors that protoc or this program compiled.
function reflection(names, definitions) {
  const files = descriptorsOf(definitions);
  const answer = (request) => {
    if (request.message_request === "list_services") {
      return { list_services_response: { service: names.map((name) => ({ name })) } };
    }
    const wanted = request.file_containing_symbol ?? request.file_by_filename;
    const file = files.find(({ name, symbols }) => wanted === name || symbols.some((symbol) => wanted === symbol || wanted.startsWith(symbol + ".")));
    if (file) return { file_descriptor_response: { file_descriptor_proto: [file.bytes] } };
    return { error_response: { error_code: grpc.status.NOT_FOUND, error_message: `${wanted} is not known` } };
  };
  return {
    ServerReflectionInfo: (call) => {
      call.on("data", (request) => call.write({ original_request: request, ...answer(request) }));
      call.on("end", () => call.end());
    },
  };
}

module.exports = { health, reflection };
