// The guard around every call: request ids, errors, turns for other calls, and stopping when the client is gone.
const grpc = require("@grpc/grpc-js");
const { Invalid, Refusal } = require("./errors");

const REQUEST_ID = "x-request-id";
const TURN_MS = 20; // of work before other calls have theirs
const pause = () => new Promise(setImmediate);

// A service whose requests never fail to decode: the method refuses bytes that are not a request.
function tolerant(service) {
  const decode = (method) => (buffer) => {
    try {
      return { message: method.requestDeserialize(buffer) };
    } catch (error) {
      return { problem: new Invalid("", `the ${buffer.length} bytes of the request do not decode: ${error.message}`) };
    }
  };
  const methods = Object.entries(service).map(([name, method]) => [name, { ...method, requestDeserialize: decode(method) }]);
  return Object.fromEntries(methods);
}

// Handlers of a service from generators, as in methods.js.
function handlers(service, methods) {
  const made = Object.entries(methods).map(([name, work]) => {
    return [name, service[name].responseStream ? streaming(work) : unary(work)];
  });
  return Object.fromEntries(made);
}

const unary = (work) => async (call, callback) => {
  const metadata = trailing(call);
  try {
    callback(null, await finish(call, begin(call, work)), metadata);
  } catch (error) {
    callback(refusal(error, metadata));
  }
};

const streaming = (work) => async (call) => {
  const metadata = trailing(call);
  try {
    await finish(call, begin(call, work), (message) => {
      if (!call.write(message)) return new Promise((resolve) => call.once("drain", resolve).once("cancelled", resolve));
    });
    call.end(metadata);
  } catch (error) {
    call.emit("error", refusal(error, metadata));
  }
};

function begin(call, work) {
  if (call.request.problem) throw call.request.problem;
  return work(call.request.message);
}

// Goes through a generator, and sends what it yields.
async function finish(call, steps, send) {
  for (let turn = Date.now(); ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (value !== undefined) await send(value);
    if (Date.now() - turn < TURN_MS) continue;
    await pause();
    if (call.cancelled) throw new Refusal(grpc.status.CANCELLED, "the client no longer waits for the answer");
    turn = Date.now();
  }
}

function trailing(call) {
  const metadata = new grpc.Metadata(), [id] = call.metadata.get(REQUEST_ID);
  if (/^[A-Za-z0-9._-]{1,64}$/.test(id || "")) metadata.set(REQUEST_ID, id);
  return metadata;
}

function refusal(error, metadata) {
  if (error instanceof Refusal) return error.status(metadata);
  console.error(error);
  return { code: grpc.status.INTERNAL, details: "a bug in the server; its log has more", metadata };
}

module.exports = { tolerant, handlers };
