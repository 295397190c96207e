// Errors about a request: a wrong field and the reason, or a request that is too large.
const path = require("node:path");
const grpc = require("@grpc/grpc-js");
const protobuf = require("protobufjs");

const LONGEST = 1000; // characters of a message: metadata has little room
const root = protobuf.loadSync(path.join(__dirname, "..", "protos", "status.proto"));
const Status = root.lookupType("google.rpc.Status");
const BadRequest = root.lookupType("google.rpc.BadRequest");

class Refusal extends Error {
  constructor(code, message) {
    super(message.length > LONGEST ? message.slice(0, LONGEST - 1) + "…" : message);
    this.code = code;
  }

  details() {
    return [];
  }

  // The error in gRPC's wire format.
  status(metadata) {
    const status = { code: this.code, message: this.message, details: this.details() };
    metadata.set("grpc-status-details-bin", Buffer.from(Status.encode(status).finish()));
    return { code: this.code, details: this.message, metadata };
  }
}

class Invalid extends Refusal {
  constructor(field, reason) {
    super(grpc.status.INVALID_ARGUMENT, field ? `${field}: ${reason}` : reason);
    this.field = field;
    this.reason = reason.slice(0, LONGEST);
  }

  details() {
    const violation = { field: this.field, description: this.reason };
    const value = BadRequest.encode({ field_violations: [violation], fieldViolations: [violation] }).finish();
    return [{ type_url: "type.googleapis.com/google.rpc.BadRequest", value }];
  }
}

class TooLarge extends Refusal {
  constructor(what, size, limit) {
    super(grpc.status.RESOURCE_EXHAUSTED, `${size.toLocaleString("en")} ${what}; the limit is ${limit.toLocaleString("en")}`);
  }
}

// Runs `work`; an Invalid that it throws is about this field.
function inField(field, work) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const separator = error.field && !error.field.startsWith("[") ? "." : "";
    throw new Invalid(field + separator + error.field, error.reason);
  }
}

module.exports = { Invalid, Refusal, TooLarge, inField };
